import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { choir } from "../console/stage.ts";
import { boxOf, eventually, type OpenDesk, openDesk, say, windowOf } from "./desk.ts";
import { seats } from "./seat.ts";

const seat = seats();

const FOLDER = "/artifacts/system";
/** The smallest picture there is. */
const PICTURE = "R0lGODlhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=";
const PLACE = "../artifacts/system";

const icons = ({ desk }: OpenDesk) =>
  desk.getByRole("navigation", { name: "On the desktop" }).getByRole("button").allTextContents();
const told = ({ desk }: OpenDesk, words: string | RegExp) =>
  desk.getByRole("region", { name: "Notifications", exact: true }).getByText(words).last().waitFor();

test("DESK-22, DESK-25: the list of apps is read as soon as it is written, by the Editor, by a command or from outside, and a broken one changes nothing", async () => {
  const here = await openDesk(await seat(), "1024 light");
  const { home } = here;
  const { desk, page } = here;
  const list = {
    apps: [
      { id: "timeline", title: "What was" },
      { id: "welcome", shown: false },
    ],
  };
  await choir(home, ["write", `${FOLDER}/apps.json`], JSON.stringify(list));
  await eventually(async () => (await icons(here))[0]).toBe("What was");
  expect(await icons(here)).not.toContain("Welcome");

  await say(here, `run sed -i s/timeline/notes/ ../artifacts/system/apps.json`);
  await told(here, "There is no app “notes” here.");
  expect(await icons(here)).toEqual(expect.not.arrayContaining(["What was", "Welcome"])); // the rest is used
  await say(here, `run sed -i s/notes/timeline/ ../artifacts/system/apps.json`);
  await eventually(async () => (await icons(here))[0]).toBe("What was");
  await say(here, `run sed -i s/shown/shwon/ ../artifacts/system/apps.json`);
  await told(here, "app 2 has “shwon”, which isn't known here");
  expect((await icons(here))[0]).toBe("What was");
  await choir(home, ["write", `${FOLDER}/apps.json`], '{"apps": [{"id": "notes"}]}'); // good, but for one that isn't there
  await told(here, "There is no app “notes” here.");
  await choir(home, ["write", `${FOLDER}/apps.json`], '{"apps": "x"}');
  await page.reload(); // of a file that can't be used only that is told, not what an older one of its versions lacks
  await desk.getByText(/apps\.json can't be used/).waitFor();
  await eventually(() => desk.getByText("There is no app “notes” here.").count()).toBe(0);
  await choir(home, ["rm", `${FOLDER}/apps.json`]);
  await desk.getByText(/apps\.json can't be used/).waitFor({ state: "detached" });
  for (const text of [JSON.stringify(list), JSON.stringify(list).replace("shown", "shwon")])
    await choir(home, ["write", `${FOLDER}/apps.json`], text);
  await page.reload(); // the last good one is in the log
  await told(here, "app 2 has “shwon”, which isn't known here");
  await eventually(async () => (await icons(here))[0]).toBe("What was");

  await desk.getByRole("button", { name: "Open it" }).click();
  await (await windowOf(here, "apps.json")).locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.type('{"apps": [{"id": "files", "title": "Papers"'); // brackets close by themselves
  await page.keyboard.press("Control+s");
  await eventually(async () => (await icons(here))[0]).toBe("Papers");
  await say(here, "close");
  await choir(home, ["rm", `${FOLDER}/apps.json`]);
  await eventually(async () => (await icons(here))[0]).toBe("About this computer");
});

test("DESK-22: whatever stands in the files that the desktop is made of, it says what is wrong, and stays as it was", async () => {
  const { desk, home, ...rest } = await openDesk(await seat(), "390 dark");
  const here = { desk, ...rest };
  const write = (name: string, bytes: string) => choir(home, ["write", `${FOLDER}/${name}`], bytes);
  const picture = desk.locator("img.wallpaper");
  await choir(home, ["exec", "--", "sh", "-c", `mkdir -p ${PLACE}; echo ${PICTURE} | base64 -d > ${PLACE}/wallpaper`]);
  await picture.waitFor();
  await write("wallpaper", "no picture");
  await told(here, "it is no picture that this browser can show");
  await write("layout.json", "");
  await told(here, /^it is no JSON/);
  await write("theme.json", randomBytes(2_500_000).toString("hex"));
  await told(here, "it is larger than 1.0 MB");
  await write("theme.json", JSON.stringify({ name: "Coal", scheme: "dark", accent: "#0a0a0a" }));
  await told(here, /^in dark it can't be read: “gold” on “desk” has a contrast of 1\.0 to 1, and needs 3$/);
  const spots = [
    { app: "abacus", column: 0, row: 0 },
    { app: "files", column: 0, row: 1 },
  ];
  await write("layout.json", JSON.stringify({ icons: spots }));
  await told(here, "There is no app “abacus” here.");
  expect(await icons(here)).toEqual(["Files"]);
  await picture.waitFor();
  await choir(home, ["exec", "--", "ln", "-sf", "elsewhere", `${PLACE}/theme.json`]);
  await told(here, "it is a link, and no file");
  await choir(home, ["exec", "--", "sh", "-c", `cd ${PLACE}; rm wallpaper; mkdir wallpaper`]);
  await told(here, "it is a folder, and no file");
  await picture.waitFor();
  await choir(home, ["rm", `${FOLDER}/wallpaper`]);
  await picture.waitFor({ state: "detached" });

  await choir(home, ["exec", "--", "sh", "-c", `echo ${PICTURE} | base64 -d > sea.png; echo Ada > names.txt`]);
  await say(here, "wallpaper sea.png");
  await picture.waitFor();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="90"><rect width="160" height="90"/></svg>';
  await choir(home, ["write", "sea.svg"], svg);
  await say(here, "wallpaper sea.svg");
  await eventually(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(160);
  expect(await desk.getByText(/wallpaper can't be used/).count()).toBe(0);
  await say(here, "wallpaper names.txt");
  await desk.getByText(/^names\.txt can't be the wallpaper/).waitFor();
  await eventually(() => desk.getByRole("combobox").inputValue()).toBe("wallpaper names.txt");
  await say(here, "wallpaper none");
  await picture.waitFor({ state: "detached" });
});

test("DESK-22: over a broken layout or theme, what is done here is done to the one that is worn, and said with its undo", async () => {
  const here = await openDesk(await seat(), "1440 dark");
  const { desk, home, page } = here;
  const write = (name: string, text: string) => choir(home, ["write", `${FOLDER}/${name}`], text);
  const read = (name: string) => choir(home, ["cat", `${FOLDER}/${name}`]);
  const layout = {
    icons: [
      { app: "files", column: 4, row: 2 },
      { app: "help", column: 5, row: 2 },
    ],
    taskbar: { place: "top", pinned: ["timeline"] },
  };
  await write("layout.json", JSON.stringify(layout));
  await eventually(() => icons(here)).toEqual(["Files", "Help"]);
  await write("layout.json", "{ broken");
  await told(here, /^it is no JSON/);
  const { x, y } = await boxOf(desk.getByRole("button", { name: "Files", exact: true }));
  await page.mouse.move(x + 40, y + 30);
  await page.mouse.down();
  await page.mouse.move(x + 40, y + 60, { steps: 3 });
  await page.mouse.move(x + 40, y + 30 + 104, { steps: 4 });
  await page.mouse.up();
  await told(here, /layout\.json couldn't be used: it is written anew, from the last good one\.$/);
  const [files, help] = layout.icons;
  const moved = { ...layout, icons: [{ ...files, row: 3 }, help] };
  expect(JSON.parse(await read("layout.json"))).toEqual(moved);
  await desk.getByRole("button", { name: "Undo" }).click();
  await eventually(() => read("layout.json")).toBe("{ broken");
  await say(here, "settings");
  const settings = await windowOf(here, "Settings");
  await eventually(() => settings.getByLabel("At the top").isChecked()).toBe(true);
  await settings.getByLabel("At the bottom").click();
  await told(here, /layout\.json couldn't be used: it is written anew, from the last good one\.$/);
  const taskbar = { ...layout.taskbar, place: "bottom" };
  expect(JSON.parse(await read("layout.json"))).toEqual({ ...moved, taskbar }); // worn last

  const theme = { name: "Sea", scheme: "dark", accent: "#4fb3bf" };
  await write("theme.json", JSON.stringify(theme));
  const accent = () => desk.locator("html").evaluate((html) => html.style.getPropertyValue("--gold"));
  await eventually(accent).toBe(theme.accent);
  await write("theme.json", "{ broken");
  await told(here, /theme\.json can't be used/);
  await say(here, "theme system");
  await told(here, /theme\.json couldn't be used: it is written anew, from the last good one\.$/);
  expect(JSON.parse(await read("theme.json"))).toEqual({ ...theme, scheme: "system" });
});
