import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch } from "../console/served.ts";
import { startServer, tempHome } from "../console/stage.ts";
import { anotherDesk, boxOf, CUT_OFF, drag, eventually, openDesk, say, typesIn, windowOf } from "./desk.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

test("DESK-12: a window that is dragged is moved by one event, and stands there after a reload and in another browser", async () => {
  const home = tempHome();
  const { link } = await startServer(home);
  const here = await openDesk(browser, link);
  await say(here, "open about");
  const window = await windowOf(here, "About this computer");
  const there = await anotherDesk(browser, home);
  const same = await windowOf(there, "About this computer");
  const before = await typesIn(home);
  await drag(here.page, window, { x: 500, y: 300 });
  await here.page.mouse.up();
  const moved = await boxOf(window);
  await eventually(async () => boxOf(same)).toEqual(moved);
  expect((await typesIn(home)).slice(before.length)).toEqual(["window.change"]);
  await here.page.reload();
  await eventually(async () => boxOf(await windowOf(here, "About this computer"))).toEqual(moved);
  await there.desk.getByRole("button", { name: "Close About this computer" }).click();
  await window.waitFor({ state: "detached" });
});

test("DESK-5: a window that is dragged to an edge shows where it will go, goes there when it is let go, is the same half after it was maximised, and is pulled by its inner edge", async () => {
  const here = await openDesk(browser, (await startServer(tempHome())).link);
  await say(here, "open about");
  const window = await windowOf(here, "About this computer");
  const room = await boxOf(here.desk.locator(".windows"));
  await drag(here.page, window, { x: 2, y: 400 });
  await eventually(async () => (await boxOf(here.desk.locator(".snap-preview"))).width).toBe(room.width / 2);
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
  const home = tempHome();
  const here = await openDesk(browser, (await startServer(home)).link);
  await say(here, "open about");
  const window = await windowOf(here, "About this computer");
  const before = await boxOf(window);
  const events = await typesIn(home);
  await drag(here.page, window, { x: 600, y: 300 });
  await here.page.keyboard.press("Escape");
  await here.page.mouse.up();
  expect(await boxOf(window)).toEqual(before);
  await drag(here.page, window, { x: 600, y: 300 });
  await here.page.reload();
  await eventually(async () => boxOf(await windowOf(here, "About this computer"))).toEqual(before);
  expect(await typesIn(home)).toEqual(events);
});

test("DESK-14: windows are switched, moved, resized, snapped, minimised and closed by keyboard alone", async () => {
  const here = await openDesk(browser, (await startServer(tempHome())).link);
  const { page, desk } = here;
  await say(here, "open about");
  const about = await windowOf(here, "About this computer");
  await page.keyboard.press("Control+/");
  const keys = await windowOf(here, "Keys");
  await eventually(() => keys.getAttribute("data-front")).toBe("true");
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
  await page.keyboard.press("Control+Alt+w");
  await keys.waitFor({ state: "detached" });
});

test("DESK-15: an app that can't be loaded says so in its own window, the rest goes on, and it can be tried again", async () => {
  const { link, desk: origin } = await startServer(tempHome());
  const here = await openDesk(browser, link, { expectErrors: /net::ERR_FAILED|imported module: \S+app-/ });
  const chunks = `${origin}/assets/app-*.js`;
  await here.page.route(chunks, (route) => route.abort());
  await say(here, "open about");
  const window = await windowOf(here, "About this computer");
  await window.getByText("This app has stopped.").waitFor();
  await here.page.unroute(chunks);
  await window.getByRole("button", { name: "Reload it" }).click();
  await window.getByText("Everything that happens here is kept").waitFor();
});

test("DESK-15: what an app throws is said in its own window, and the rest goes on", async () => {
  const { link, desk: origin } = await startServer(tempHome());
  const here = await openDesk(browser, link, { expectErrors: /the sky fell/ });
  const chunks = `${origin}/assets/app-*.js`;
  const body = 'export default function () { throw new Error("the sky fell"); }';
  await here.page.route(chunks, (route) => route.fulfill({ contentType: "text/javascript", body }));
  await say(here, "open about");
  const broken = await windowOf(here, "About this computer");
  await broken.getByText("the sky fell").waitFor();
  await here.page.unroute(chunks);
  await here.page.keyboard.press("Control+/");
  await (await windowOf(here, "Keys")).getByText("type what you want").waitFor();
  await broken.getByRole("button", { name: "Close About this computer" }).press("Enter"); // it may be covered
  await broken.waitFor({ state: "detached" });
});

test("DESK-11: on a small screen windows are cards of the whole room, with a switcher, and are where they were on a large one", async () => {
  const here = await openDesk(browser, (await startServer(tempHome())).link);
  const { page, desk } = here;
  await say(here, "open about");
  const about = await windowOf(here, "About this computer");
  const large = await boxOf(about);
  await page.keyboard.press("Control+/");
  await windowOf(here, "Keys");
  await page.setViewportSize({ width: 390, height: 844 });
  await eventually(async () => (await boxOf(desk.getByRole("region", { name: "Keys" }))).width).toBe(390);
  await desk.getByRole("button", { name: "Windows: 2" }).click();
  await desk
    .getByRole("region", { name: "Switch windows" })
    .getByRole("button", { name: "About this computer", exact: true })
    .click();
  await eventually(() => about.getAttribute("data-front")).toBe("true");
  await page.setViewportSize({ width: 1280, height: 800 });
  await eventually(() => boxOf(about)).toEqual(large);
});

test("DESK-21: what is done while the server is away is done when it is back, once", async () => {
  const home = tempHome();
  const { link, port, stop } = await startServer(home);
  const here = await openDesk(browser, link, { expectErrors: CUT_OFF });
  await say(here, "open about");
  const window = await windowOf(here, "About this computer");
  const before = await typesIn(home);
  await stop();
  await here.desk.getByText("offline").waitFor();
  await here.desk.getByRole("button", { name: "Maximise About this computer" }).click();
  await here.desk.getByRole("button", { name: "Minimise About this computer" }).click();
  await eventually(() => window.getAttribute("data-state")).toBe("minimised");
  await startServer(home, { port });
  await here.desk.getByText("Connected. Everything so far is on disk.").waitFor({ state: "attached" });
  await eventually(async () => (await typesIn(home)).slice(before.length)).toEqual(["window.change", "window.change"]);
  const there = await anotherDesk(browser, home);
  await there.desk.getByRole("button", { name: "About this computer", exact: true }).last().click();
  await expect
    .poll(async () => (await windowOf(there, "About this computer")).getAttribute("data-state"))
    .toBe("maximised");
});
