import type { Frame, FrameLocator, JSHandle, Locator, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import type { Home } from "../console/home.ts";
import { choir, deskIn, newPage } from "../console/stage.ts";
import { chooseTheme } from "../console/theme.ts";
import { browserOf, type Look } from "./look.ts";
import { cookieOf, type Seat } from "./seat.ts";

export interface OpenDesk {
  readonly page: Page;
  readonly desk: FrameLocator;
}

/** A desk, and whose it is. */
export interface OwnDesk extends OpenDesk {
  readonly home: Home;
  readonly look: Look;
  readonly seat: Seat;
}

/**
 * A person who is signed in and whose desk is there. Whatever their browser's console complains of fails the test, but for
 * what is expected by its words.
 */
export async function openDesk(
  seat: Seat,
  look: Look,
  { expectErrors = undefined as RegExp | undefined, welcome = false } = {},
): Promise<OwnDesk> {
  const page = await newPage(seat.browser, browserOf(look));
  if (look.endsWith("light")) await chooseTheme(page, "light");
  failOnErrors(page, expectErrors);
  await page.context().addCookies([await cookieOf(seat)]);
  await page.goto(seat.origin);
  const desk = page.frameLocator("iframe");
  await deskIn(page);
  if (!welcome) await closeWelcome(desk);
  return { page, desk, home: seat.home, look, seat };
}

/** A computer where nothing has happened yet begins with it, as soon as its desk is there. */
async function closeWelcome(desk: FrameLocator): Promise<void> {
  const window = desk.getByRole("region", { name: "Welcome", exact: true });
  if ((await window.count()) === 0) return;
  await window.getByRole("button", { name: "Close Welcome" }).click();
  await window.waitFor({ state: "detached" });
}

/** The desk's own page. */
export function frameOf(page: Page): Frame {
  const frame = page.frames().find((one) => one.url().includes("-desk."));
  if (frame === undefined) throw new Error("there is no desk");
  return frame;
}

/** What a hand holds that drags a file from elsewhere. */
export function fileIn(page: Page, name: string, text: string): Promise<JSHandle<DataTransfer>> {
  return frameOf(page).evaluateHandle(
    ([name = "", text = ""]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name, { type: "text/plain" }));
      return transfer;
    },
    [name, text],
  );
}

/** Another browser of the same person. */
export function anotherDesk({ look, seat }: OwnDesk): Promise<OwnDesk> {
  return openDesk(seat, look);
}

/** Types into the bar, by keyboard alone. */
export async function say({ page, desk }: OpenDesk, text: string): Promise<void> {
  const bar = desk.getByRole("combobox", { name: "Ask for anything" });
  await bar.focus();
  await page.keyboard.press("Control+k");
  await bar.fill(text);
  await bar.press("Enter");
}

/** The window of this title, once it is there and its app too; also while it is minimised, from then on. */
export async function windowOf({ desk }: OpenDesk, title: string): Promise<Locator> {
  const window = desk.getByRole("region", { name: title, exact: true, includeHidden: true });
  await window.waitFor();
  await window.locator(".app:not(.app-loading)").waitFor();
  return window;
}

/** Opens a window that shows nothing of anybody's; the server knows of it by then. */
export async function openAbout(here: OwnDesk): Promise<Locator> {
  await say(here, "open about");
  const window = await windowOf(here, "About this computer");
  await eventually(async () => (await typesIn(here.home)).at(-1)).toBe("window.open");
  return window;
}

/** Takes it by its title bar and lets go elsewhere, in steps as a hand does. */
export async function drag(page: Page, window: Locator, to: { readonly x: number; readonly y: number }): Promise<void> {
  const { x, y } = await boxOf(window.locator(".window-title"));
  await page.mouse.move(x + 60, y + 16);
  await page.mouse.down();
  await page.mouse.move(x + 100, y + 60, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 8 });
}

export async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("it isn't in sight");
  return box;
}

/** What is so before long: on a busy machine it takes its time. */
export const eventually: typeof expect.poll = (look, options) => expect.poll(look, { timeout: 30_000, ...options });

/** The types of all events, the newest last. */
export async function typesIn(home: Home): Promise<string[]> {
  const lines = await choir(home, ["events", "--json"]);
  return lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).type);
}

/** What a browser says by itself where a connection breaks, or the server refuses something. */
export const CUT_OFF = /^(?:Failed to load resource: |WebSocket connection to \S+ failed: )/;

function failOnErrors(page: Page, expected?: RegExp): void {
  const errors: string[] = [];
  const note = (text: string) => expected?.test(text) === true || errors.push(text);
  page.on("console", (message) => message.type() === "error" && note(message.text()));
  page.on("pageerror", (error) => note(error.message));
  onTestFinished(() => expect(errors).toEqual([]));
}
