import { expect, test } from "vitest";
import { startServer, tempHome } from "../console/stage.ts";
import {
  anotherDesk,
  boxOf,
  CUT_OFF,
  drag,
  eventually,
  frameOf,
  openAbout,
  openDesk,
  say,
  typesIn,
  windowOf,
} from "./desk.ts";
import { seatAt, seats } from "./seat.ts";

const seat = seats();

test("DESK-2, DESK-12: a window that is dragged is moved by one event, stands there after a reload and in another browser, and hangs over below without pulling the others up", async () => {
  const here = await openDesk(await seat(), "1024 light");
  const { home } = here;
  const window = await openAbout(here);
  const there = await anotherDesk(here);
  const same = await windowOf(there, "About this computer");
  const before = await typesIn(home);
  await drag(here.page, window, { x: 500, y: 300 });
  await here.page.mouse.up();
  const moved = await boxOf(window);
  await eventually(async () => boxOf(same)).toEqual(moved);
  expect((await typesIn(home)).slice(before.length)).toEqual(["window.change"]);
  await here.page.reload();
  await eventually(async () => boxOf(await windowOf(here, "About this computer"))).toEqual(moved);
  await say(here, "help");
  const help = await windowOf(here, "Help");
  await drag(here.page, help, { x: 300, y: 700 });
  await here.page.mouse.up();
  const lowest = help.getByRole("button").last();
  await lowest.focus();
  await lowest.and(here.desk.locator(":focus")).waitFor();
  expect(await boxOf(window)).toEqual(moved);
  await there.desk.getByRole("button", { name: "Close About this computer" }).click();
  await window.waitFor({ state: "detached" });
});

test("DESK-16: who opens what is in front already has the keys there", async () => {
  const here = await openDesk(await seat(), "1440 dark");
  for (const _ of ["new", "there already"]) {
    await say(here, "files");
    await (await windowOf(here, "workspace")).locator(":focus").waitFor();
  }
});

test("DESK-3, DESK-10: each of eight handles moves its own edges by one event; all windows go out of sight by one, and come back by one", async () => {
  const here = await openDesk(await seat(), "1024 light");
  const { desk, home, page } = here;
  const window = await openAbout(here);
  await drag(page, window, { x: 400, y: 300 });
  await page.mouse.up();
  await eventually(async () => (await typesIn(home)).at(-1)).toBe("window.change");
  const before = await typesIn(home);
  for (const handle of ["n", "e", "s", "w", "ne", "nw", "se", "sw"]) {
    const { x, y, width, height } = await boxOf(window);
    const grip = await boxOf(window.locator(`.handle.${handle}`));
    const at = { x: grip.x + grip.width / 2, y: grip.y + grip.height / 2 };
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x + 24, at.y + 16, { steps: 4 });
    await page.mouse.up();
    const [left, top] = [handle.includes("w") ? 24 : 0, handle.includes("n") ? 16 : 0];
    const [right, bottom] = [handle.includes("e") ? 24 : 0, handle.includes("s") ? 16 : 0];
    const pulled = { x: x + left, y: y + top, width: width - left + right, height: height - top + bottom };
    await eventually(() => boxOf(window), { message: handle }).toEqual(pulled);
  }
  await eventually(async () => (await typesIn(home)).length).toBe(before.length + 8);
  const settled = await boxOf(window);
  await page.keyboard.press("Control+/");
  const keys = await windowOf(here, "Keys");
  const opened = before.length + 9;
  await eventually(async () => (await typesIn(home)).length).toBe(opened);
  const show = [
    () => desk.getByRole("button", { name: "Show desktop" }).click(),
    () => page.keyboard.press("Control+Alt+d"),
    () => say(here, "show desktop"),
  ];
  for (const [i, doIt] of show.entries()) {
    await doIt();
    for (const one of [window, keys]) await one.waitFor({ state: "hidden" });
    await doIt();
    for (const one of [window, keys]) await one.waitFor();
    await eventually(async () => (await typesIn(home)).length).toBe(opened + 2 * (i + 1));
  }
  expect(await boxOf(window)).toEqual(settled);
});

test("DESK-3: in the smallest window all that it shows can be scrolled to, from its beginning", async () => {
  const here = await openDesk(await seat(), "1440 light");
  const window = await openAbout(here);
  await window.focus();
  for (let i = 0; i < 20; i++) await here.page.keyboard.press("Shift+ArrowUp");
  await eventually(async () => (await boxOf(window)).height).toBe(160);
  const title = await boxOf(window.locator(".window-title"));
  expect((await boxOf(window.locator(".about-mark"))).y).toBeGreaterThanOrEqual(title.y + title.height);
});

/** Where it is let go, as a share of the room, and which part of the room it gets: from where, and how much. */
const ZONES = [
  ["left", [0, 0.5], [0, 0, 0.5, 1]],
  ["bottom-right", [1, 1], [0.5, 0.5, 0.5, 0.5]],
  ["top-left", [0, 0], [0, 0, 0.5, 0.5]],
  ["right", [1, 0.5], [0.5, 0, 0.5, 1]],
  ["top-right", [1, 0], [0.5, 0, 0.5, 0.5]],
  ["maximised", [0.5, 0], [0, 0, 1, 1]],
  ["bottom-left", [0, 1], [0, 0.5, 0.5, 0.5]],
] as const;

test("DESK-5: a window that is dragged to an edge or a corner shows where it will go, and goes there when it is let go: halves, quarters and all of it", async () => {
  const here = await openDesk(await seat(), "1024 dark");
  const window = await openAbout(here);
  const room = await boxOf(here.desk.locator(".windows"));
  for (const [state, [toX, toY], [x, y, width, height]] of ZONES) {
    const to = { x: room.x + 2 + toX * (room.width - 4), y: room.y + 2 + toY * (room.height - 4) };
    await drag(here.page, window, to);
    const part = {
      x: room.x + Math.floor(x * room.width),
      y: room.y + Math.floor(y * room.height),
      width: width * room.width,
      height: height === 1 ? room.height : y === 0 ? Math.floor(room.height / 2) : Math.ceil(room.height / 2),
    };
    await eventually(() => boxOf(here.desk.locator(".snap-preview")), { message: state }).toEqual(part);
    await here.page.mouse.up();
    await eventually(() => boxOf(window), { message: state }).toEqual(part);
    expect(await window.getAttribute("data-state")).toBe(state);
    await here.desk.locator(".snap-preview").waitFor({ state: "detached" });
  }
});

test("DESK-5: a half is the same half after it was maximised, comes back by a double click, and is pulled by its inner edge", async () => {
  const here = await openDesk(await seat(), "1440 light");
  const window = await openAbout(here);
  const room = await boxOf(here.desk.locator(".windows"));
  await drag(here.page, window, { x: 2, y: 400 });
  await here.page.mouse.up();
  const half = { ...room, width: room.width / 2 };
  await eventually(async () => boxOf(window)).toEqual(half);
  await here.desk.getByRole("button", { name: "Maximise About this computer" }).click();
  await eventually(async () => boxOf(window)).toEqual(room);
  const { x, y } = await boxOf(window.locator(".window-title"));
  await here.page.mouse.dblclick(x + 60, y + 16);
  await eventually(async () => boxOf(window)).toEqual(half);
  await here.page.mouse.move(half.x + half.width - 1, half.y + 300);
  await here.page.mouse.down();
  await here.page.mouse.move(half.x + half.width + 99, half.y + 300, { steps: 4 });
  await here.page.mouse.up();
  await eventually(async () => boxOf(window)).toEqual({ ...half, width: half.width + 100 });
  expect(await window.getAttribute("data-state")).toBe("normal");
});

test("DESK-13: a drag that is left with Escape, or cut by a reload, has not happened", async () => {
  const here = await openDesk(await seat(), "1024 dark");
  const { home } = here;
  const window = await openAbout(here);
  const before = await boxOf(window);
  const events = await typesIn(home);
  await drag(here.page, window, { x: 600, y: 300 });
  await here.page.keyboard.press("Escape");
  await here.page.mouse.up();
  expect(await boxOf(window)).toEqual(before);
  await drag(here.page, window, { x: 600, y: 300 });
  await here.page.reload();
  await here.page.mouse.up();
  await eventually(async () => boxOf(await windowOf(here, "About this computer"))).toEqual(before);
  await drag(here.page, window, { x: 600, y: 300 }); // the first press in this page
  await here.page.keyboard.press("Escape");
  await here.page.mouse.up();
  expect(await boxOf(window)).toEqual(before);
  expect(await typesIn(home)).toEqual(events);
});

test("DESK-13, DESK-18: a window that is closed elsewhere while it is dragged leaves nothing behind, and Escape is for whoever has the keys", async () => {
  const here = await openDesk(await seat(), "1024 dark");
  const window = await openAbout(here);
  const there = await anotherDesk(here);
  const same = await windowOf(there, "About this computer");
  const events = await typesIn(here.home);
  const preview = here.desk.locator(".snap-preview");
  await drag(here.page, window, { x: 2, y: 300 });
  await preview.waitFor();
  await same.getByRole("button", { name: "Close About this computer" }).click();
  await window.waitFor({ state: "detached" });
  await preview.waitFor({ state: "detached" });
  const bar = here.desk.getByRole("combobox");
  await bar.fill("hello");
  await bar.press("Escape"); // closes what it offers
  await bar.press("Escape");
  await eventually(() => bar.inputValue()).toBe("");
  await here.page.mouse.up();
  expect((await typesIn(here.home)).slice(events.length)).toEqual(["window.close"]);
});

test("DESK-12, DESK-13: a window that is held stays in the hand while another browser moves it, and stands where that put it when it is left", async () => {
  const here = await openDesk(await seat(), "1024 light");
  const window = await openAbout(here);
  const there = await anotherDesk(here);
  const same = await windowOf(there, "About this computer");
  await drag(here.page, window, { x: 500, y: 300 });
  await eventually(() => window.getAttribute("data-taken")).toBe("move");
  const held = await boxOf(window);
  const before = await boxOf(same);
  await same.focus();
  await same.press("ArrowDown");
  const moved = { ...before, y: before.y + 16 };
  await eventually(() => boxOf(same)).toEqual(moved);
  await say(there, "help"); // heard after it
  await windowOf(here, "Help");
  expect(await boxOf(window)).toEqual(held);
  await here.page.keyboard.press("Escape");
  await eventually(() => boxOf(window)).toEqual(moved);
  await here.page.mouse.up();

  const handle = await boxOf(window.locator(".handle.e"));
  await here.page.mouse.move(handle.x + 4, handle.y + 60);
  await here.page.mouse.down();
  await here.page.mouse.move(handle.x + 64, handle.y + 60, { steps: 4 });
  await same.getByRole("button", { name: "Maximise About this computer" }).press("Enter");
  const all = await boxOf(here.desk.locator(".windows"));
  await eventually(() => boxOf(window)).toEqual(all); // the edge that was held is gone
  expect(await window.getAttribute("data-taken")).toBeNull();
  await here.page.mouse.up();
});

test("DESK-80, CONSOLE-38: once the desk is there the keys are for its front window, unless somebody is in the console", async () => {
  const here = await openDesk(await seat(), "1440 light");
  const window = await openAbout(here);
  const { x, y, ...size } = await boxOf(window);
  await here.page.reload();
  await (await windowOf(here, "About this computer")).and(here.desk.locator(":focus")).waitFor();
  await here.page.keyboard.press("ArrowDown");
  await eventually(() => boxOf(window)).toEqual({ x, y: y + 16, ...size });

  await here.page.goto("about:blank");
  const held = Promise.withResolvers<void>();
  await here.page.route(`${here.seat.desk}/`, (route) => held.promise.then(() => route.continue()));
  await here.page.goto(here.seat.origin, { waitUntil: "commit" });
  const time = here.page.getByRole("button", { name: "Time machine" });
  await time.focus();
  held.resolve();
  await windowOf(here, "About this computer");
  expect(await time.evaluate((one) => one === document.activeElement)).toBe(true);
});

test("DESK-80: whoever types in the bar keeps the keys where an app comes late, and where another browser brings one to the front", async () => {
  const here = await openDesk(await seat(), "1440 dark");
  const { desk, page } = here;
  const bar = desk.getByRole("combobox");
  const chunks = `${here.seat.desk}/assets/app-*.js`;
  for (const title of ["Help", "Asks", "Timeline"]) {
    const held = Promise.withResolvers<void>();
    await page.route(chunks, (route) => held.promise.then(() => route.continue()));
    await say(here, title);
    await desk.getByRole("region", { name: title, exact: true }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("dear ");
    held.resolve();
    await windowOf(here, title);
    await page.keyboard.type("queen");
    expect(await bar.inputValue()).toBe("dear queen");
    await page.unroute(chunks);
  }
  const there = await anotherDesk(here);
  for (const title of ["Help", "Asks", "Timeline"]) {
    await there.desk.getByRole("navigation", { name: "Windows" }).getByRole("button", { name: title }).click();
    const window = await windowOf(here, title);
    await eventually(() => window.getAttribute("data-front")).toBe("true");
    await bar.and(desk.locator(":focus")).waitFor();
    await page.keyboard.type(" and");
  }
  expect(await bar.inputValue()).toBe("dear queen and and and");
  await page.keyboard.press("Escape"); // what is offered
  await page.keyboard.press("Escape"); // what is written
  await page.keyboard.press("Escape");
  await (await windowOf(here, "Timeline")).getByRole("tree").and(desk.locator(":focus")).waitFor();
});

test("DESK-14, DESK-34: windows are switched, moved, resized, snapped, minimised and closed by keyboard alone", async () => {
  const here = await openDesk(await seat(), "1440 light");
  const { page, desk } = here;
  const about = await openAbout(here);
  await page.keyboard.press("Control+/");
  const keys = await windowOf(here, "Keys");
  await eventually(() => keys.getAttribute("data-front")).toBe("true");
  for (const title of ["Windows", "Editor", "Files"]) await keys.getByRole("heading", { name: title }).waitFor(); // apps' own, too
  await page.keyboard.down("Control");
  await page.keyboard.press("Backquote");
  await desk.getByRole("region", { name: "Switch windows" }).waitFor();
  await page.keyboard.up("Control");
  await eventually(() => about.getAttribute("data-front")).toBe("true");
  const bar = desk.getByRole("combobox");
  await page.keyboard.press("F6");
  await eventually(() => bar.evaluate((one) => one.matches(":focus"))).toBe(true);
  await page.keyboard.press("F6"); // the icons
  await page.keyboard.press("F6");
  await eventually(() => about.evaluate((one) => one.matches(":focus"))).toBe(true);
  const first = await boxOf(about);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowDown");
  await eventually(() => boxOf(about)).toEqual({ ...first, x: first.x + 16, height: first.height + 16 });
  await page.keyboard.press("Control+Alt+ArrowRight");
  await eventually(() => about.getAttribute("data-state")).toBe("right");
  await page.keyboard.press("Control+Alt+ArrowUp");
  await eventually(() => about.getAttribute("data-state")).toBe("top-right");
  await page.keyboard.press("Control+Alt+m");
  await eventually(() => about.getAttribute("data-state")).toBe("minimised");
  await keys.and(desk.locator(":focus, :has(:focus)")).waitFor();
  await page.keyboard.press("Control+Backquote"); // what was laid away is the next
  await eventually(() => about.getAttribute("data-front")).toBe("true");
  for (const window of [about, keys]) {
    await page.keyboard.press("Control+Alt+m");
    await eventually(() => window.getAttribute("data-state")).toBe("minimised");
  }
  await page.keyboard.press("Control+Backquote"); // where none is in sight, the first is the next
  await eventually(() => about.getAttribute("data-front")).toBe("true");
  await page.keyboard.press("Control+Backquote");
  await eventually(() => keys.getAttribute("data-front")).toBe("true");
  await page.keyboard.press("Control+Alt+w");
  await keys.waitFor({ state: "detached" });
});

test("DESK-14: Ctrl A chooses what the front window shows, of a folder its files, and never all of the desk; Ctrl S saves no page", async () => {
  const here = await openDesk(await seat(), "1024 light");
  const { desk, page } = here;
  await say(here, "files");
  const files = await windowOf(here, "workspace");
  const chosen = () => frameOf(page).evaluate(() => getSelection()?.toString() ?? "");
  await files.getByText("This folder is empty").waitFor();
  await page.keyboard.press("Control+a");
  expect(await chosen()).toBe("");
  await openAbout(here);
  await page.keyboard.press("Control+a");
  await eventually(chosen).toContain("Everything that happens here is kept");
  expect(await chosen()).not.toMatch(/empty|Ask/);
  const isLeft = (key: string) =>
    frameOf(page).evaluate((key) => {
      const pressed = new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ctrlKey: true, key });
      return document.activeElement?.dispatchEvent(pressed);
    }, key);
  expect([await isLeft("s"), await isLeft("c")]).toEqual([false, true]);
  await desk.getByRole("combobox").fill("words");
  expect(await isLeft("a")).toBe(true);
  await say(here, "settings");
  await (await windowOf(here, "Settings")).getByRole("radio").first().focus();
  await page.keyboard.press("Control+a");
  await eventually(chosen).toContain("Wallpaper");
  expect(await chosen()).not.toMatch(/empty|Everything/);
});

test("DESK-15: an app that can't be loaded says so in its own window, the rest goes on, and it can be tried again", async () => {
  const here = await openDesk(await seat(), "1024 light", { expectErrors: /net::ERR_FAILED|^NotLoaded: / });
  const chunks = `${here.seat.desk}/assets/app-*.js`;
  await here.page.route(chunks, (route) => route.abort());
  const window = await openAbout(here);
  await window.getByText("This app couldn't be loaded.").waitFor();

  const page = `${here.seat.desk}/`;
  await here.page.route(page, (route) => route.fulfill({ body: '<script src="/assets/index-newer.js"></script>' }));
  await window.getByRole("button", { name: "Reload it" }).click();
  await window.getByText("This page is older than the server.").waitFor();
  await here.page.unroute(page);
  await here.page.unroute(chunks);
  await window.getByRole("button", { name: "Load the page anew" }).click();
  await window.getByText("Everything that happens here is kept").waitFor();

  await here.page.route(chunks, (route) => route.abort());
  await say(here, "open keys");
  const other = await windowOf(here, "Keys");
  await other.getByText("This app couldn't be loaded.").waitFor();
  await here.page.unroute(chunks);
  await other.getByRole("button", { name: "Reload it" }).click();
  await other.getByText("type what you want").waitFor();
});

test("DESK-15: an app that was wanted without a connection is there by itself when there is one", async () => {
  const here = await openDesk(await seat(), "1440 dark", { expectErrors: /net::ERR_|^NotLoaded: / });
  const context = here.page.context();
  await context.setOffline(true);
  await say(here, "timeline");
  const timeline = await windowOf(here, "Timeline");
  await timeline.getByText("This app couldn't be loaded.").waitFor();
  await timeline.getByRole("button", { name: "Reload it" }).click();
  await timeline.getByText("This app couldn't be loaded.").waitFor();
  await context.setOffline(false);
  await timeline.getByRole("searchbox").waitFor();
});

test("DESK-15: what an app throws is said in its own window, and the rest goes on", async () => {
  const here = await openDesk(await seat(), "1024 dark", { expectErrors: /the sky fell/ });
  const chunks = `${here.seat.desk}/assets/app-*.js`;
  const body = `export default function () { if (document.title !== "mended") throw new Error("the sky fell"); return "the sky holds"; }`;
  await here.page.route(chunks, (route) => route.fulfill({ contentType: "text/javascript", body }));
  const broken = await openAbout(here);
  await broken.getByText("the sky fell").waitFor();
  await broken.getByRole("button", { name: "Reload it" }).click();
  await broken.getByText("the sky fell").waitFor();
  await frameOf(here.page).evaluate(() => {
    document.title = "mended";
  });
  await broken.getByRole("button", { name: "Reload it" }).click();
  await broken.getByText("the sky holds").waitFor();
  await here.page.unroute(chunks);
  await here.page.keyboard.press("Control+/");
  await (await windowOf(here, "Keys")).getByText("type what you want").waitFor();
  await broken.getByRole("button", { name: "Close About this computer" }).press("Enter"); // it may be covered
  await broken.waitFor({ state: "detached" });
});

/** An app of four buttons: three that throw, each in its way, and one that counts. By hand what a compiler makes of JSX. */
const THROWING = `
  const element = (type, props) => ({ $$typeof: Symbol.for("react.transitional.element"), type, key: props.children, ref: null, props });
  const fall = (how) => { throw new Error("the sky fell " + how); };
  const button = (children, onClick) => element("button", { children, onClick });
  let count = 0;
  export default () => element("div", { children: [
    button("Press", () => fall("at a press")),
    button("Timer", () => setTimeout(() => fall("by a timer"))),
    button("Promise", async () => fall("in a promise")),
    button("Count", (event) => { event.currentTarget.title = String(++count); }),
  ] });
`;

test("DESK-15: what an app throws at a press, by a timer or in a promise is said above it, it lives on, and can be reloaded", async () => {
  const here = await openDesk(await seat(), "1024 light", { expectErrors: /the sky fell/ });
  const { desk, page } = here;
  const chunks = `${here.seat.desk}/assets/app-*.js`;
  await page.route(chunks, (route) => route.fulfill({ contentType: "text/javascript", body: THROWING }));
  const window = await openAbout(here);
  await page.unroute(chunks);
  await page.keyboard.press("Control+/"); // another app, in front
  const keys = await windowOf(here, "Keys");
  const fault = window.getByRole("alert");
  for (const [name, words] of [
    ["Press", "the sky fell at a press"],
    ["Timer", "the sky fell by a timer"],
    ["Promise", "the sky fell in a promise"],
  ] as const) {
    await window.getByRole("button", { name, exact: true }).press("Enter");
    await fault.getByText(words).waitFor();
    await window.getByRole("button", { name: "Count" }).press("Enter");
    await window.getByTitle(/\d/).waitFor();
    await fault.getByRole("button", { name: name === "Press" ? "Reload it" : "Dismiss" }).press("Enter");
    await fault.waitFor({ state: "detached" });
  }
  expect(await keys.getByRole("alert").count()).toBe(0);

  const shell = "the sky fell on the desk";
  for (const _ of [1, 2, 3])
    await frameOf(page).evaluate((words) => void setTimeout(() => reportError(new Error(words))), shell);
  await desk.getByText("Something on the desktop went wrong.").waitFor();
  await desk.getByText(shell).waitFor(); // once
});

test("DESK-21: what is done while the server is away is done when it is back, once", async () => {
  const { browser } = await seat();
  const home = tempHome();
  const server = await startServer(home);
  const { port, stop } = server;
  const here = await openDesk(seatAt(browser, server, home), "1440 light", { expectErrors: CUT_OFF });
  const window = await openAbout(here);
  const before = await typesIn(home);
  await stop();
  await here.desk.getByText("offline").waitFor();
  await here.desk.getByRole("button", { name: "Maximise About this computer" }).click();
  await here.desk.getByRole("button", { name: "Minimise About this computer" }).click();
  await eventually(() => window.getAttribute("data-state")).toBe("minimised");
  await startServer(home, { port });
  await here.desk.getByText("Connected. Everything so far is on disk.").waitFor({ state: "attached" });
  await eventually(async () => (await typesIn(home)).slice(before.length)).toEqual(["window.change", "window.change"]);
  const there = await anotherDesk(here);
  await there.desk.getByRole("button", { name: "About this computer", exact: true }).last().click();
  await expect
    .poll(async () => (await windowOf(there, "About this computer")).getAttribute("data-state"))
    .toBe("maximised");
});
