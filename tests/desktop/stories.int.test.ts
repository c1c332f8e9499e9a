import { expect, test } from "vitest";
import { choir, newPage } from "../console/stage.ts";
import { anotherDesk, boxOf, CUT_OFF, drag, eventually, openAbout, openDesk, say, typesIn, windowOf } from "./desk.ts";
import { browserOf } from "./look.ts";
import { seats } from "./seat.ts";

const seat = seats();

/** As a browser says of itself that the network is gone; nothing else may be said. */
const OFFLINE = [
  /^WebSocket connection to 'ws:\/\/[\w.:-]+\/api\/ws' failed: Error in connection establishment: net::ERR_INTERNET_DISCONNECTED$/,
  /^Failed to load resource: net::ERR_INTERNET_DISCONNECTED$/,
];

test("DESK-21: ten seconds without a network: windows are moved and something is said, and all of it arrives once", async () => {
  const here = await openDesk(await seat(), "1024 light", { expectErrors: CUT_OFF });
  const { home } = here;
  const { desk, page } = here;
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  const window = await openAbout(here);
  const before = await typesIn(home);

  await page.context().setOffline(true);
  await desk.getByText("offline").waitFor({ timeout: 30_000 });
  await page.getByText("It is tried again by itself.").waitFor({ state: "attached" }); // the console says so, too
  await drag(page, window, { x: 700, y: 400 });
  await page.mouse.up();
  const moved = await boxOf(window);
  await say(here, "remember the milk");
  await page.waitForTimeout(10_000); // that long it is gone
  expect(await typesIn(home)).toEqual(before);
  await page.context().setOffline(false);
  await desk.getByText(/Your words are kept/).waitFor();
  await eventually(async () => (await typesIn(home)).slice(before.length).sort()).toEqual(["message", "window.change"]);
  expect(await boxOf(window)).toEqual(moved);
  expect(errors.filter((error) => !OFFLINE.some((one) => one.test(error)))).toEqual([]);

  const there = await anotherDesk(here);
  await eventually(async () => boxOf(await windowOf(there, "About this computer"))).toEqual(moved);
});

test("DESK-12: two browsers that move the same window at once end the same", async () => {
  const here = await openDesk(await seat(), "1440 light");
  const { home } = here;
  const mine = await openAbout(here);
  const there = await anotherDesk(here);
  const theirs = await windowOf(there, "About this computer");
  const first = await boxOf(mine);
  await drag(here.page, mine, { x: 500, y: 300 });
  await drag(there.page, theirs, { x: 800, y: 450 });
  await Promise.all([here.page.mouse.up(), there.page.mouse.up()]);
  await eventually(async () => (await typesIn(home)).filter((type) => type === "window.change").length).toBe(2);
  const moved = async () => (await Promise.all([mine, theirs].map(boxOf))).map((box) => JSON.stringify(box));
  await eventually(async () => new Set(await moved()).size).toBe(1);
  expect(await boxOf(mine)).not.toEqual(first);
  await here.page.reload();
  await eventually(async () => boxOf(await windowOf(here, "About this computer"))).toEqual(await boxOf(theirs));
});

test("DESK-14, CONSOLE-38: by keyboard alone, from the door to a document that is written, moved, snapped, closed and taken back", async () => {
  const { browser, home } = await seat();
  const page = await newPage(browser, browserOf("1024 dark"));
  const { keyboard } = page;
  await page.goto((await choir(home, ["user", "link", home.user])).trim());
  await page.getByRole("button", { name: `Sign in as ${home.user}` }).waitFor();
  const enter = page.getByRole("button", { name: `Sign in as ${home.user}` }).and(page.locator(":focus"));
  for (let i = 0; i < 5 && (await enter.count()) === 0; i++) await keyboard.press("Tab");
  await keyboard.press("Enter");
  const desk = page.frameLocator("iframe");
  const here = { desk, page };
  const welcome = await windowOf(here, "Welcome");
  await keyboard.press("Control+Alt+w");
  await welcome.waitFor({ state: "detached" });
  await keyboard.press("Control+k");
  await keyboard.type("new doc letter");
  await keyboard.press("Enter");
  const letter = await windowOf(here, "letter.md");
  await letter.locator(".cm-content:focus").waitFor();
  await keyboard.type("Dear queen");
  await keyboard.press("Control+s");
  await eventually(() => choir(home, ["cat", "letter.md"])).toBe("Dear queen");

  const first = await boxOf(letter);
  await keyboard.press("F6"); // from the text to the frame
  await letter.and(desk.locator(":focus")).waitFor();
  await keyboard.press("ArrowRight");
  await eventually(() => boxOf(letter)).toEqual({ ...first, x: first.x + 16 });
  await keyboard.press("Control+Alt+ArrowLeft");
  await eventually(() => letter.getAttribute("data-state")).toBe("left");
  await keyboard.press("Control+Alt+w");
  await letter.waitFor({ state: "detached" });
  await keyboard.press("?");
  await keyboard.type("undo");
  await keyboard.press("Enter");
  await eventually(() => choir(home, ["cat", "letter.md"])).toBe("");
});

test("DESK-35: of windows with one title the switcher says where what they show lies, too", async () => {
  const here = await openDesk(await seat(), "390 dark");
  const { desk, home } = here;
  for (const folder of ["a", "b"]) {
    await choir(home, ["write", `${folder}/notes.md`], folder);
    await say(here, `open ${folder}/notes.md`);
    await desk.getByRole("region", { name: "notes.md", exact: true }).getByText(folder, { exact: true }).waitFor();
  }
  await say(here, "new folder c");
  await desk.getByText("c is made").waitFor();
  await desk.getByRole("button", { name: "Windows: 2" }).click();
  const switcher = desk.getByRole("region", { name: "Switch windows" });
  await switcher.getByRole("button", { name: "notes.md workspace/b" }).waitFor();
  await switcher.getByRole("button", { name: "notes.md workspace/a" }).click(); // also beside a notice
});

test("DESK-35: in the narrowest taskbar, beside an ask that waits, there is room for the front window and the way to the others", async () => {
  const here = await openDesk(await seat(), "1024 dark");
  for (const name of ["timeline", "files", "help", "settings"]) await say(here, name);
  await say(here, "ask something that nobody takes up");
  await here.page.setViewportSize({ width: 700, height: 600 });
  const windows = here.desk.getByRole("navigation", { name: "Windows" });
  const more = windows.getByRole("button", { name: "3 more windows" });
  await more.waitFor();
  await eventually(async () => {
    const [around, button] = await Promise.all([boxOf(windows), boxOf(more)]);
    return button.x + button.width <= around.x + around.width;
  }).toBe(true);
});

test("DESK-1, DESK-11: a screen that shrinks brings windows back, a small one has cards and a switcher, and a large one has all as it was", async () => {
  const here = await openDesk(await seat(), "1440 light");
  const { desk, page } = here;
  const about = await openAbout(here);
  await drag(page, about, { x: 1200, y: 600 });
  await page.mouse.up();
  const large = await boxOf(about);
  await say(here, "settings");
  await windowOf(here, "Settings");

  await page.setViewportSize({ width: 1024, height: 768 });
  await eventually(async () => {
    const { width, x } = await boxOf(about);
    const title = await boxOf(about.locator(".window-title"));
    return x + width <= 1024 && title.y + title.height <= (await boxOf(desk.locator(".taskbar"))).y;
  }).toBe(true);
  await page.setViewportSize({ width: 390, height: 844 });
  await eventually(async () => (await boxOf(desk.getByRole("region", { name: "Settings" }))).width).toBe(390);
  await desk.getByRole("button", { name: "Windows: 2" }).click();
  const switcher = desk.getByRole("region", { name: "Switch windows" });
  await switcher.getByRole("button", { name: "Close Settings" }).click();
  await switcher.getByRole("button", { name: "About this computer", exact: true }).click();
  await eventually(async () => (await boxOf(about)).width).toBe(390);
  await desk.getByRole("button", { name: "Minimise About this computer" }).click();
  await desk.getByRole("button", { name: "Windows: 1" }).click();
  await switcher.getByRole("button", { name: "About this computer", exact: true }).click();
  await page.setViewportSize({ width: 1440, height: 900 });
  await eventually(() => boxOf(about)).toEqual(large);
});
