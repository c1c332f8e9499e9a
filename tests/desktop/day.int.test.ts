import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { choir } from "../console/stage.ts";
import { boxOf, eventually, type OwnDesk, openDesk, say, windowOf } from "./desk.ts";
import { shownFiles } from "./files-window.ts";
import { seats } from "./seat.ts";

const seat = seats();

/** How things are pressed there. */
interface Hand {
  readonly isPhone: boolean;
  press(what: Locator): Promise<void>;
  /** What stands for something, so that it opens. */
  open(what: Locator): Promise<void>;
  /** A file, so that something can be done with it. */
  choose(what: Locator): Promise<void>;
}

/** On the phone a finger only holds: of a tap in a frame of another site some Chromiums send the click elsewhere. */
function handOf({ look, page }: OwnDesk): Hand {
  const [click, twice] = [(what: Locator) => what.click(), (what: Locator) => what.dblclick()];
  const isPhone = look.startsWith("390");
  return { isPhone, press: click, open: twice, choose: isPhone ? (what) => pressLong(page, what) : click };
}

/** Until it is chosen. */
async function pressLong(page: Page, what: Locator): Promise<void> {
  const { x, y, height } = await boxOf(what);
  const session = await page.context().newCDPSession(page);
  const touchPoints = [{ x: x + 40, y: y + height / 2 }];
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await eventually(() => what.getAttribute("aria-selected")).toBe("true");
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

async function welcomed(here: OwnDesk, { press }: Hand): Promise<void> {
  const welcome = await windowOf(here, "Welcome");
  await press(welcome.getByRole("button", { name: "Look around" }));
  const tour = here.desk.getByRole("region", { name: "Tour" });
  await tour.getByRole("heading", { name: "The bar" }).waitFor();
  await press(tour.getByRole("button", { name: "Leave" }));
  await press(welcome.getByRole("button", { name: "Close Welcome" }));
  await welcome.waitFor({ state: "detached" });
}

/** Two are made, one of them gets its name, goes, and comes back. */
async function withFiles(here: OwnDesk, { choose, open, press }: Hand): Promise<void> {
  const { desk, page } = here;
  await open(desk.getByRole("navigation", { name: "On the desktop" }).getByRole("button", { name: "Files" }));
  const { item, names, window } = await shownFiles(here);
  const make = async (what: string, name: string) => {
    await press(window.getByRole("button", { name: "New", exact: true }));
    await press(desk.getByRole("menuitem", { name: what }));
    await window.getByRole("textbox", { name: "New name" }).fill(name);
    await page.keyboard.press("Enter");
    await item(name).waitFor();
  };
  const menu = async (what: string) => {
    await press(window.getByRole("button", { name: "What can be done" }));
    await press(desk.getByRole("menuitem", { name: what }));
  };
  await make("New folder", "letters");
  await make("New file", "pan.md");
  await page.keyboard.press("Escape"); // nothing is chosen
  await choose(item("pan.md"));
  await menu("Rename");
  await window.getByRole("textbox", { name: "New name" }).fill("plan.md");
  await page.keyboard.press("Enter");
  await eventually(names).toEqual(["letters", "plan.md"]);
  await menu("Delete");
  await eventually(names).toEqual(["letters"]);
  await press(desk.locator(".toast", { hasText: "Deleted plan.md" }).getByRole("button", { name: "Undo" }));
  await eventually(names).toEqual(["letters", "plan.md"]);
  await open(item("plan.md"));
}

/** It is written and saved, looked at as it will be, and an earlier version is brought back. */
async function withEditor(here: OwnDesk, { press }: Hand): Promise<void> {
  const { home, page } = here;
  const window = await windowOf(here, "plan.md");
  const file = () => choir(home, ["cat", "plan.md"]);
  await press(window.locator(".cm-content"));
  await page.keyboard.type("# Plan");
  await page.keyboard.press("Control+s");
  await eventually(file).toBe("# Plan");
  await page.keyboard.type(" of mine");
  await page.keyboard.press("Control+s");
  await eventually(file).toBe("# Plan of mine");
  const preview = window.getByRole("button", { name: "Preview", exact: true });
  await press(preview);
  await window.getByRole("region", { name: "Preview" }).getByRole("heading", { name: "Plan of mine" }).waitFor();
  await press(preview);
  await press(window.getByRole("button", { name: "Versions", exact: true }));
  const versions = window.getByRole("region", { name: "Versions" });
  await press(versions.getByRole("listitem").nth(1).getByRole("button"));
  await window.locator(".cm-deletedChunk").getByText("# Plan").waitFor();
  await press(window.getByRole("button", { name: "Bring back all of it" }));
  await eventually(file).toBe("# Plan");
  await press(versions.getByRole("button", { name: "Close versions" }));
}

/** It is narrowed down to the file; one of its changes is opened, and taken back. */
async function withTimeline(here: OwnDesk, { press }: Hand): Promise<void> {
  await say(here, "timeline");
  const window = await windowOf(here, "Timeline");
  await press(window.getByRole("button", { name: "Filters" }));
  await window.getByLabel("Where", { exact: true }).fill("plan.md");
  await window.getByLabel("What", { exact: true }).selectOption("Files");
  await window.getByRole("treeitem", { name: /letters/ }).waitFor({ state: "detached" });
  await press(window.getByRole("treeitem").first());
  await window.getByText("-# Plan of mine").waitFor();
  await press(window.getByRole("button", { name: "Undo this" }));
  await window.getByText("+# Plan of mine").waitFor();
  await press(window.getByRole("button", { name: /^Take (it )?back/ }));
  await eventually(() => choir(here.home, ["cat", "plan.md"])).toBe("# Plan of mine");
}

/** A command by its menu, a file by its name, and what was said before. */
async function withBar({ desk, page }: OwnDesk, { press }: Hand): Promise<void> {
  const bar = desk.getByRole("combobox", { name: "Ask for anything" });
  await press(desk.getByRole("button", { name: "What can be said here" }));
  await press(desk.getByRole("option", { name: /^new folder/ }));
  await eventually(() => bar.inputValue()).toBe("new folder ");
  await page.keyboard.type("drafts");
  await page.keyboard.press("Enter");
  await desk.getByText("drafts is made").waitFor();
  await press(bar);
  await bar.fill("plan");
  await desk.getByRole("option", { name: /plan\.md/ }).first().waitFor(); // biome-ignore format: in one line
  await bar.fill("");
  await page.keyboard.press("ArrowUp");
  await eventually(() => bar.inputValue()).toBe("new folder drafts");
  await bar.fill("");
  await page.keyboard.press("Escape");
}

/** From one to another, and one of them away. */
async function withWindows(here: OwnDesk, { isPhone, press }: Hand): Promise<void> {
  const { desk, look } = here;
  const [plan, timeline] = [await windowOf(here, "plan.md"), await windowOf(here, "Timeline")];
  expect((await boxOf(timeline)).width === Number(look.split(" ")[0])).toBe(isPhone);
  const go = async (title: string) => {
    if (isPhone) await press(desk.getByRole("button", { name: "Windows: 3" }));
    const among = isPhone
      ? desk.getByRole("region", { name: "Switch windows" })
      : desk.getByRole("navigation", { name: "Windows" });
    await press(among.getByRole("button", { name: title, exact: true }));
  };
  await go("plan.md");
  await eventually(() => plan.getAttribute("data-front")).toBe("true");
  await go("Timeline");
  await press(desk.getByRole("button", { name: "Close Timeline" }).first());
  await timeline.waitFor({ state: "detached" });
}

async function withHelp(here: OwnDesk, { press }: Hand): Promise<void> {
  await say(here, "help undo");
  const window = await windowOf(here, "Help");
  await press(window.getByRole("list", { name: "Found" }).getByRole("button").first());
  await window.getByRole("article").waitFor();
}

test.each(["1440 dark", "1024 light", "390 dark", "390 light"] as const)(
  "DESK-11, DESK-14: a day at the desk at %s: welcome, files, a document and its versions, what was done taken back, the bar, windows and the guide",
  async (look) => {
    const here = await openDesk(await seat(), look, { welcome: true });
    const hand = handOf(here);
    expect(await here.desk.locator("html").getAttribute("data-theme")).toBe(look.split(" ")[1]);
    for (const part of [welcomed, withFiles, withEditor, withTimeline, withBar, withWindows, withHelp])
      await part(here, hand);
  },
);
