import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch } from "../console/served.ts";
import { choir, live, startServer, tempHome } from "../console/stage.ts";
import { anotherDesk, boxOf, eventually, fileIn, type OpenDesk, openDesk, windowOf } from "./desk.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const icon = ({ desk }: OpenDesk, name: string) =>
  desk.getByRole("navigation", { name: "On the desktop" }).getByRole("button", { name });

test("DESK-32: an icon that is dragged lies there in every browser, and what it stands for opens by a double click", async () => {
  const home = tempHome();
  const here = await openDesk(browser, (await startServer(home)).link);
  const there = await anotherDesk(browser, home);
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

test("DESK-34: what can be done with the desktop and with a window is in a menu, by pointer and by keys", async () => {
  const here = await openDesk(browser, (await startServer(tempHome())).link);
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
});

test("DESK-31: a file that is dropped on the desktop is in the workspace, under a name that is free, and can be taken back", async () => {
  const home = tempHome();
  await live(home, async (computer) => void (await computer.write("workspace/a.txt", Buffer.from("mine"))));
  const here = await openDesk(browser, (await startServer(home)).link);
  await here.desk.locator("main").dispatchEvent("drop", { dataTransfer: await fileIn(here.page, "a.txt", "theirs") });
  await here.desk.getByText("a.txt is in workspace").waitFor();
  expect(await choir(home, ["cat", "a 2.txt"])).toBe("theirs");
  expect(await choir(home, ["cat", "a.txt"])).toBe("mine");
  await here.desk.getByRole("button", { name: "Undo" }).click();
  await eventually(() => choir(home, ["files"])).not.toContain("a 2.txt");
});

test("DESK-22: the taskbar goes where the settings say, in every browser, and that is a file", async () => {
  const home = tempHome();
  const here = await openDesk(browser, (await startServer(home)).link);
  const there = await anotherDesk(browser, home);
  await icon(here, "Settings").dblclick();
  const settings = await windowOf(here, "Settings");
  await settings.getByLabel("At the top").click({ force: true });
  for (const { desk } of [here, there])
    await eventually(async () => (await boxOf(desk.locator(".taskbar"))).y).toBeLessThan(100);
  expect(JSON.parse(await choir(home, ["cat", "/artifacts/system/layout.json"]))).toEqual({
    taskbar: { place: "top" },
  });
});
