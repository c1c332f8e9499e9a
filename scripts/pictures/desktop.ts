import { DEMO_ASK } from "@choiros/contract";
import type { FrameLocator, Locator, Page } from "playwright-core";
import { wear } from "../../tests/console/theme.ts";
import { FEED_ASK } from "./feed.ts";

/** The pictures of the desktop, one after the other: what is on the page when each name comes is that picture. */

export interface Picture {
  readonly name: string;
  /** Where it is less than all of the page. */
  readonly of?: Locator | { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

const DESK = { width: 1440, height: 900 };

export async function* desktopPictures(page: Page): AsyncGenerator<Picture> {
  const desk = page.frameLocator("iframe");
  await page.setViewportSize(DESK);
  await desk.locator("main[aria-busy=false]").waitFor();
  await say(desk, "files site");
  const files = await windowOf(desk, "site");
  await place(page, files, { x: 226, y: 70, width: 520, height: 340 });
  await say(desk, "timeline");
  const timeline = await windowOf(desk, "Timeline");
  await timeline.getByText("Put our breads on the page").first().waitFor();
  await place(page, timeline, { x: 226, y: 430, width: 520, height: 400 });
  await say(desk, FEED_ASK);
  await say(desk, "asks");
  const asks = await windowOf(desk, "Asks");
  await asks.getByRole("button", { name: FEED_ASK }).click();
  const atWork = await windowOf(desk, FEED_ASK);
  await asks.getByRole("button", { name: "Close Asks" }).click();
  await place(page, atWork, { x: 770, y: 96, width: 640, height: 690 });
  await atWork.getByText("✓ spelt is in it").waitFor();
  yield { name: "desktop" };
  await wear(page, "light");
  yield { name: "desktop-light" };
  await wear(page, "dark");
  await atWork.getByRole("button", { name: "Stop", exact: true }).click();
  await atWork.getByText("stopped").first().waitFor();
  await atWork.getByRole("button", { name: `Close ${FEED_ASK}` }).click();
  await say(desk, "open spring.md");
  const editor = await windowOf(desk, "spring.md");
  await place(page, editor, { x: 330, y: 96, width: 980, height: 560 });
  const preview = editor.getByRole("button", { name: "Preview", exact: true });
  if ((await preview.getAttribute("aria-pressed")) !== "true") await preview.click();
  await editor.getByRole("heading", { name: "Spring", exact: true }).waitFor();
  yield { name: "editor", of: editor };
  await place(page, timeline, { x: 150, y: 70, width: 980, height: 560 });
  await timeline.getByText("site/style.css").first().click();
  await timeline.getByText("max-width: 40rem").waitFor();
  yield { name: "timeline", of: timeline };
  await say(desk, "files notes");
  const notes = await windowOf(desk, "notes");
  await place(page, notes, { x: 150, y: 70, width: 980, height: 480 });
  await notes.getByText("spring.md").first().click();
  await notes.getByRole("button", { name: "Preview", exact: true }).click();
  await notes.getByRole("heading", { name: "Spring", exact: true }).waitFor();
  yield { name: "files", of: notes };
  await say(desk, "show desktop");
  await desk.getByRole("combobox").fill("open in");
  await desk.getByRole("option", { name: /index\.html/ }).waitFor();
  yield { name: "bar", of: { x: 0, y: DESK.height - 250, width: 900, height: 250 } };
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await say(desk, "welcome");
  await desk.getByRole("button", { name: "Watch the scripted demo" }).click();
  const ask = await windowOf(desk, DEMO_ASK);
  await place(page, ask, { x: 150, y: 70, width: 820, height: 700 });
  await ask.getByText("Where to look").waitFor();
  yield { name: "ask", of: ask };
  await say(desk, "show desktop");
}

async function say(desk: FrameLocator, text: string): Promise<void> {
  const bar = desk.getByRole("combobox");
  await bar.fill(text);
  await bar.press("Enter");
}

async function windowOf(desk: FrameLocator, title: string): Promise<Locator> {
  const window = desk.getByRole("region", { name: title, exact: true });
  await window.locator(".app:not(.app-loading)").waitFor();
  return window;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** To the front, and then as a hand does: by its title bar to where its corner is in reach, by that, and to its place. */
async function place(page: Page, window: Locator, { x, y, width, height }: Box): Promise<void> {
  const title = (await window.getAttribute("aria-label")) ?? "";
  const running = page.frameLocator("iframe").getByRole("navigation", { name: "Windows" });
  if ((await window.getAttribute("data-front")) !== "true") await running.getByRole("button", { name: title }).click();
  const move = async (to: { readonly x: number; readonly y: number }) => {
    const at = await boxOf(window);
    await drag(page, { x: at.x + 90, y: at.y + 16 }, { x: to.x + 90, y: to.y + 16 });
  };
  await move({ x: 60, y: 60 });
  const at = await boxOf(window);
  const corner = { x: at.x + at.width - 1, y: at.y + at.height - 1 };
  await drag(page, corner, { x: at.x + width - 1, y: at.y + height - 1 });
  await move({ x, y });
}

async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 6 });
  await page.mouse.up();
  await page.mouse.move(to.x, to.y + 200);
}

async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("it isn't in sight");
  return box;
}
