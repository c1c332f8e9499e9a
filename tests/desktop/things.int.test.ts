import { expect, test } from "vitest";
import { choir, live } from "../console/stage.ts";
import {
  anotherDesk,
  boxOf,
  eventually,
  fileIn,
  frameOf,
  type OpenDesk,
  openDesk,
  say,
  typesIn,
  windowOf,
} from "./desk.ts";
import { seats } from "./seat.ts";
import { hold, slow } from "./slow.ts";

const seat = seats();

const icon = ({ desk }: OpenDesk, name: string) =>
  desk.getByRole("navigation", { name: "On the desktop" }).getByRole("button", { name });

interface Frames {
  heldFrames?: { readonly frames: FrameRequestCallback[]; readonly request: typeof requestAnimationFrame };
}

/** Nothing is drawn any more, as on a busy machine; gives how the next frame comes, and those after it. */
async function holdFrames({ page }: OpenDesk): Promise<() => Promise<void>> {
  const desk = frameOf(page);
  await desk.evaluate(() => {
    const frames: FrameRequestCallback[] = [];
    (globalThis as Frames).heldFrames = { frames, request: globalThis.requestAnimationFrame };
    globalThis.requestAnimationFrame = (frame) => frames.push(frame);
  });
  return () =>
    desk.evaluate(() => {
      const { heldFrames } = globalThis as Frames;
      if (heldFrames === undefined) return;
      globalThis.requestAnimationFrame = heldFrames.request;
      for (const frame of heldFrames.frames) frame(0);
    });
}

test("DESK-32: an icon that is dragged lies there in every browser, and what it stands for opens by a double click", async () => {
  const here = await openDesk(await seat(), "1440 light");
  const there = await anotherDesk(here);
  const about = icon(here, "About this computer");
  const { x, y } = await boxOf(about);
  await here.page.mouse.move(x + 40, y + 30);
  await here.page.mouse.down();
  await here.page.mouse.move(x + 140, y + 60, { steps: 3 });
  await here.page.mouse.move(x + 40 + 94 * 3, y + 30 + 104, { steps: 4 });
  await here.page.mouse.up();
  const moved = { x: x + 94 * 3, y: y + 104 };
  await eventually(() => boxOf(about)).toMatchObject(moved);
  await eventually(() => boxOf(icon(there, "About this computer"))).toMatchObject(moved);
  await about.dblclick();
  await windowOf(here, "About this computer");
});

test("DESK-13, DESK-32: an icon whose drag is left with Escape lies where it lay, and the layout isn't written", async () => {
  const here = await openDesk(await seat(), "1440 light");
  const { home, page } = here;
  const dragTo = async (name: string, by: number) => {
    const { x, y } = await boxOf(icon(here, name));
    await page.mouse.move(x + 40, y + 30);
    await page.mouse.down();
    await page.mouse.move(x + 40 + by, y + 30, { steps: 4 });
    return { x, y };
  };
  const lay = await dragTo("About this computer", 94 * 3);
  await eventually(() => boxOf(icon(here, "About this computer"))).toMatchObject({ x: lay.x + 94 * 3 });
  await page.keyboard.press("Escape");
  await eventually(() => boxOf(icon(here, "About this computer"))).toMatchObject(lay);
  await page.mouse.move(lay.x + 200, lay.y + 200, { steps: 3 });
  await page.mouse.up();
  const { x, y } = await dragTo("Files", 94 * 4);
  await page.mouse.up();
  await eventually(() => boxOf(icon(here, "Files"))).toMatchObject({ x: x + 94 * 4, y });
  await eventually(async () => (await typesIn(home)).filter((type) => type === "file.write").length).toBe(1);
  expect(await boxOf(icon(here, "About this computer"))).toMatchObject(lay);
});

test("DESK-34: what can be done with the desktop and with a window is in a menu, by pointer and by keys", async () => {
  const here = await openDesk(await seat(), "1024 light");
  const { desk, page } = here;
  await desk.locator("main").click({ button: "right", position: { x: 600, y: 300 } });
  await desk.getByRole("menuitem", { name: "About this computer" }).click();
  const about = await windowOf(here, "About this computer");
  await about.locator(".window-title").click({ button: "right" });
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await eventually(() => about.getAttribute("data-state")).toBe("maximised");
  await about.locator(".window-title").click({ button: "right" });
  await desk.getByRole("menu").waitFor();
  await page.keyboard.press("Escape");
  await desk.getByRole("menu").waitFor({ state: "detached" });
  await about.focus();
  await page.keyboard.press("Shift+F10");
  await desk.getByRole("menuitem", { name: "Restore" }).click();
  await eventually(() => about.getAttribute("data-state")).toBe("normal");
});

test("DESK-34: a window is put into a quarter, moved and resized by its menu, also by that of the taskbar", async () => {
  const here = await openDesk(await seat(), "1440 dark");
  const { desk, page } = here;
  await say(here, "help");
  const help = await windowOf(here, "Help");
  await say(here, "open about");
  const about = await windowOf(here, "About this computer");
  const pick = async (name: string, of = about.locator(".window-title")) => {
    await of.click({ button: "right" });
    await desk.getByRole("menuitem", { name }).click();
  };
  await pick("Bottom right quarter");
  await eventually(() => about.getAttribute("data-state")).toBe("bottom-right");
  await pick("Restore");
  await eventually(() => about.getAttribute("data-state")).toBe("normal");
  const before = await boxOf(about);
  await pick("Move by arrow keys");
  await about.and(desk.locator(":focus")).waitFor();
  await page.keyboard.press("ArrowLeft");
  await eventually(() => boxOf(about)).toEqual({ ...before, x: before.x - 16 });
  await pick("Resize by arrow keys");
  await about.and(desk.locator(":focus")).waitFor();
  await page.keyboard.press("ArrowUp");
  const less = { ...before, x: before.x - 16, height: before.height - 16 };
  await eventually(() => boxOf(about)).toEqual(less);
  await page.keyboard.press("Escape");

  const button = desk.getByRole("navigation", { name: "Windows" }).getByRole("button", { name: "Help" });
  const { y } = await boxOf(help);
  await pick("Move by arrow keys", button); // what has a field of its own for the keys, and isn't in front
  await help.and(desk.locator(":focus")).waitFor();
  await page.keyboard.press("ArrowDown");
  await eventually(async () => (await boxOf(help)).y).toBe(y + 16);
  await page.keyboard.press("Enter");
  await help.getByRole("searchbox").and(desk.locator(":focus")).waitFor();
  expect(await boxOf(about)).toEqual(less);

  await holdFrames(here);
  await pick("Move by arrow keys", help.locator(".window-title"));
  await page.keyboard.press("ArrowDown"); // before anything is drawn
  await eventually(async () => (await boxOf(help)).y).toBe(y + 32);
});

test("DESK-34: on a screen that each window has all of, its menu has nothing about where it stands", async () => {
  const here = await openDesk(await seat(), "390 light");
  await say(here, "open about");
  const about = await windowOf(here, "About this computer");
  await about.locator(".window-title").click({ button: "right" });
  await eventually(() => here.desk.getByRole("menuitem").allInnerTexts()).toEqual([
    expect.stringMatching(/^Minimise/),
    expect.stringMatching(/^Close/),
  ]);
});

test("DESK-36, ASKS-6: what Files puts on the desktop is opened, renamed, asked about and taken off there, by its menu and by keys, and each is one undo", async () => {
  const at = await seat();
  const { home } = at;
  await live(home, async (computer) => void (await computer.write("workspace/a.txt", Buffer.from("mine"))));
  const here = await openDesk(slow(at), "1440 light");
  const { desk, page } = here;
  await icon(here, "Files").dblclick();
  const files = await windowOf(here, "workspace");
  await files.getByText("a.txt").click({ button: "right" });
  await desk.getByRole("menuitem", { name: "Put on the desktop" }).click();
  await desk.getByText("a.txt is on the desktop").waitFor();
  await files.getByRole("button", { name: "Close workspace" }).click();

  await icon(here, "a.txt").click({ button: "right" });
  await desk.getByRole("menuitem", { name: "Rename" }).click();
  const name = desk.getByRole("textbox", { name: "New name" });
  await name.fill("a/b");
  await desk.getByText("A name can't have a slash in it").waitFor();
  await name.fill("b.txt");
  await name.press("Enter");
  await icon(here, "b.txt").waitFor();
  expect(await choir(home, ["cat", "b.txt"])).toBe("mine");
  await say(here, "undo");
  await icon(here, "a.txt").waitFor();
  expect(await choir(home, ["cat", "a.txt"])).toBe("mine");
  await icon(here, "a.txt").focus();
  await page.keyboard.press("F2");
  await page.keyboard.type("at once");
  const free = await hold(page, '"arrange"');
  await page.keyboard.press("Enter");
  await icon(here, "a.txt").and(desk.locator(":focus")).waitFor(); // its old name has the keys until it has the new one
  await free();
  await icon(here, "at once.txt").and(desk.locator(":focus")).waitFor();
  await page.keyboard.press("F2");
  await page.keyboard.press("Escape");
  await icon(here, "at once.txt").and(desk.locator(":focus")).waitFor();
  await say(here, "undo");

  await icon(here, "a.txt").focus();
  await page.keyboard.press("Enter");
  await (await windowOf(here, "a.txt")).getByRole("button", { name: "Close a.txt" }).click();
  await icon(here, "a.txt").focus();
  await page.keyboard.press("Shift+F10");
  await desk.getByRole("menuitem", { name: "Show in Files" }).click();
  await windowOf(here, "workspace");
  const drawn = await holdFrames(here);
  await icon(here, "a.txt").click({ button: "right" });
  await desk.getByRole("menuitem", { name: "Ask about this" }).click();
  const bar = desk.getByRole("combobox");
  await bar.and(desk.locator(":focus")).waitFor();
  await page.keyboard.type("b");
  await drawn();
  await page.keyboard.type("y");
  expect(await bar.inputValue()).toBe("ask about @workspace/a.txt by");
  await icon(here, "a.txt").focus();
  await page.keyboard.press("Delete");
  await icon(here, "a.txt").waitFor({ state: "detached" });
  await icon(here, "Files").waitFor();
});

test("DESK-36: an app that was taken off the desktop is put back by the desktop's menu, which offers that only then", async () => {
  const here = await openDesk(await seat(), "1440 dark");
  const { desk, page } = here;
  const menu = () => desk.locator("main").click({ button: "right", position: { x: 900, y: 500 } });
  const putBack = desk.getByRole("menuitem", { name: "Put all apps on the desktop" });
  await menu();
  await desk.getByRole("menuitem", { name: "Show desktop" }).waitFor();
  expect(await putBack.count()).toBe(0);
  await page.keyboard.press("Escape");
  await icon(here, "Help").focus();
  await page.keyboard.press("Delete");
  await icon(here, "Help").waitFor({ state: "detached" });
  await menu();
  await putBack.click();
  await icon(here, "Help").waitFor();
});

test("DESK-36: an icon follows what got another name elsewhere, and the layout has that name when it is written next", async () => {
  const at = await seat();
  const { home } = at;
  const layout = "artifacts/system/layout.json";
  const icons = ["todo.md", "letters"].map((name, row) => ({ key: `workspace/${name}`, column: 0, row }));
  await live(home, async (computer) => {
    await computer.write("workspace/todo.md", Buffer.from("mine"));
    await computer.write("workspace/letters/a.md", Buffer.from("dear"));
    await computer.write(layout, Buffer.from(JSON.stringify({ icons })));
  });
  const here = await openDesk(at, "1024 light");
  await icon(here, "todo.md").waitFor();
  await choir(home, ["mv", "todo.md", "done.md"]);
  await icon(here, "done.md").waitFor();
  await choir(home, ["mv", "done.md", "old/"]);
  await choir(home, ["mv", "letters", "post"]);
  await icon(here, "post").waitFor();
  await here.page.reload();
  await icon(here, "post").focus();
  await here.page.keyboard.press("Delete");
  await eventually(async () => JSON.parse(await choir(home, ["cat", `/${layout}`]))).toEqual({
    icons: [{ key: "workspace/old/done.md", column: 0, row: 0 }],
  });
  await icon(here, "done.md").dblclick();
  await windowOf(here, "done.md");
});

test("DESK-36: an icon that is dragged or taken off right after it was renamed is that under its new name", async () => {
  const at = await seat();
  const { home } = at;
  const layout = "artifacts/system/layout.json";
  const icons = ["dd.md", "next.md"].map((name, row) => ({ key: `workspace/${name}`, column: 0, row }));
  await live(home, async (computer) => {
    for (const { key } of icons) await computer.write(key, Buffer.from("mine"));
    await computer.write(layout, Buffer.from(JSON.stringify({ icons })));
  });
  const here = await openDesk(slow(at), "1440 light");
  const { desk, page } = here;
  const laid = async () => JSON.parse(await choir(home, ["cat", `/${layout}`]));
  /** Gives how the desktop hears of it. */
  const renamed = async (from: string, to: string) => {
    await icon(here, `${from}.md`).click();
    await page.keyboard.press("F2");
    await page.keyboard.type(to);
    const free = await hold(page, '"files"');
    await page.keyboard.press("Enter");
    await icon(here, `${from}.md`).and(desk.locator(":focus")).waitFor();
    return free;
  };
  const known = await renamed("dd", "ee");
  const { x, y } = await boxOf(icon(here, "dd.md"));
  await page.mouse.move(x + 40, y + 30);
  await page.mouse.down();
  await page.mouse.move(x + 40 + 94 * 3, y + 30, { steps: 4 });
  await page.mouse.up();
  await known();
  await eventually(laid).toEqual({ icons: [{ key: "workspace/ee.md", column: 3, row: 0 }, icons[1]] });

  await icon(here, "ee.md").waitFor();
  const told = await renamed("ee", "ff");
  await page.keyboard.press("Delete");
  await told();
  await desk.getByText("is off the desktop").waitFor();
  await eventually(laid).toEqual({ icons: [icons[1]] });
  expect(await choir(home, ["cat", "ff.md"])).toBe("mine");
});

test("DESK-36: what has a name that was refused to another gets no keys by that", async () => {
  const at = await seat();
  const { home } = at;
  const icons = [{ key: "workspace/a.md", column: 0, row: 0 }];
  await live(home, async (computer) => {
    for (const name of ["a.md", "taken.md"]) await computer.write(`workspace/${name}`, Buffer.from("mine"));
    await computer.write("artifacts/system/layout.json", Buffer.from(JSON.stringify({ icons })));
  });
  const here = await openDesk(slow(at), "1440 light");
  const { desk, page } = here;
  await icon(here, "a.md").click();
  const free = await hold(page, '"files"'); // nobody knows yet that it is taken
  await page.keyboard.press("F2");
  await page.keyboard.type("taken");
  await page.keyboard.press("Enter");
  await desk.locator(".toast").waitFor();
  await free();
  await icon(here, "a.md").and(desk.locator(":focus")).waitFor();
  await icon(here, "a.md").blur();
  await choir(home, ["mv", "taken.md", "b.md"]);
  await choir(home, ["mv", "a.md", "taken.md"]);
  await icon(here, "taken.md").waitFor();
  expect(await desk.locator(":focus").count()).toBe(0);
});

test("DESK-33: a double press on a notice is for that one, not for another that comes under the pointer; keys are heard at once", async () => {
  const here = await openDesk(await seat(), "1440 light");
  const { desk, page } = here;
  const toast = (words: string) => desk.locator(".toast", { hasText: words });
  for (const name of ["Help", "Files"]) {
    await icon(here, name).focus();
    await page.keyboard.press("Delete");
    await toast(`${name} is off the desktop`).waitFor();
  }
  await toast("Files is off the desktop").getByRole("button", { name: "Undo" }).dblclick();
  expect(await toast("Files is off the desktop").count()).toBe(0);
  const other = toast("Help is off the desktop").getByRole("button", { name: "Undo" });
  expect(await other.count()).toBe(1);
  await other.press("Enter");
  await icon(here, "Files").waitFor();
  await icon(here, "Help").waitFor();
  const close = desk.getByRole("button", { name: "Dismiss" }).first();
  await close.waitFor();
  const before = await desk.locator(".toast").count();
  await eventually(async () => {
    await close.click();
    return desk.locator(".toast").count();
  }).toBeLessThan(before);
});

test("DESK-31: a file that is dropped on the desktop is in the workspace, under a name that is free, and can be shown and taken back", async () => {
  const at = await seat();
  const { home } = at;
  await live(home, async (computer) => void (await computer.write("workspace/a.txt", Buffer.from("mine"))));
  const here = await openDesk(at, "1024 dark");
  await here.desk.locator("main").dispatchEvent("drop", { dataTransfer: await fileIn(here.page, "a.txt", "theirs") });
  await here.desk.getByText("a 2.txt is in workspace", { exact: true }).waitFor();
  expect(await choir(home, ["cat", "a 2.txt"])).toBe("theirs");
  await here.desk.getByRole("button", { name: "Notifications", exact: true }).click();
  await here.desk.getByRole("button", { name: "Show", exact: true }).last().click();
  const files = await windowOf(here, "workspace");
  await files.locator("[aria-selected=true]").getByText("a 2.txt").waitFor();
  await here.desk.getByRole("button", { name: "Notifications", exact: true }).click();
  expect(await choir(home, ["cat", "a.txt"])).toBe("mine");
  await here.desk.getByRole("button", { name: "Undo" }).first().click();
  await eventually(() => choir(home, ["files"])).not.toContain("a 2.txt");
});

test("DESK-31: that the desktop takes a file is shown as long as one is held over it; beside it a file opens nothing", async () => {
  const { desk, page } = await openDesk(await seat(), "1440 dark");
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [import.meta.filename], dragOperationsMask: 1 };
  const hold = async (type: "dragEnter" | "dragOver" | "drop", x: number, y: number) => {
    await session.send("Input.dispatchDragEvent", { type, x, y, data });
  };
  const shown = () => desk.locator("main").getAttribute("data-dropping");
  await hold("dragEnter", 900, 500);
  await hold("dragOver", 900, 500);
  await eventually(shown).toBe("true");
  await hold("dragOver", 1300, 880); // the clock
  await eventually(shown).toBe("false");
  await hold("drop", 1300, 880);
  await hold("dragEnter", 700, 15); // the console's bar
  await hold("dragOver", 700, 15);
  await hold("drop", 700, 15);
  await desk.locator("main").click(); // a page that opened would have come before
  expect(page.context().pages()).toHaveLength(1);
});

test("DESK-22: the taskbar goes where the settings say, in every browser, and that is a file", async () => {
  const here = await openDesk(await seat(), "390 light");
  const { home } = here;
  const there = await anotherDesk(here);
  await icon(here, "Settings").dblclick();
  const settings = await windowOf(here, "Settings");
  await settings.getByLabel("At the top").click({ force: true });
  for (const { desk } of [here, there])
    await eventually(async () => (await boxOf(desk.locator(".taskbar"))).y).toBeLessThan(100);
  expect(JSON.parse(await choir(home, ["cat", "/artifacts/system/layout.json"]))).toEqual({
    taskbar: { place: "top" },
  });
});
