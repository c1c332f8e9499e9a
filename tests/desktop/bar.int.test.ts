import { readFileSync } from "node:fs";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { choir, live } from "../console/stage.ts";
import {
  anotherDesk,
  boxOf,
  CUT_OFF,
  eventually,
  fileIn,
  type OpenDesk,
  openDesk,
  say,
  typesIn,
  windowOf,
} from "./desk.ts";
import { editing, inEditor, withProfile } from "./editor-window.ts";
import { seats } from "./seat.ts";
import { hold, slow } from "./slow.ts";

const seat = seats();

function themeOf({ desk }: OpenDesk): Promise<string | null> {
  return desk.locator("html").getAttribute("data-theme");
}

test("DESK-43, DESK-46, DESK-101: the ? shows every command, what is picked fills the bar, what it lacks is said, and a name alone opens it", async () => {
  const here = await openDesk(await seat(), "390 dark");
  const { desk, page } = here;
  await desk.getByRole("button", { name: "What can be said here" }).click();
  await desk.getByText("open a file, a folder or an app").waitFor(); // on a phone, too, it is told what each is for
  await desk.getByRole("option", { name: /^open X/ }).click();
  const bar = desk.getByRole("combobox");
  await eventually(() => bar.inputValue()).toBe("open ");
  await page.keyboard.press("Enter");
  await desk.getByText("open needs the name of a file, a folder or an app").waitFor();
  await page.keyboard.type("about");
  await page.keyboard.press("Enter");
  await windowOf(here, "About this computer");
  await page.keyboard.press("Control+k");
  await page.keyboard.press("ArrowUp");
  await eventually(() => bar.inputValue()).toBe("open about");
  await say(here, "open nonsense");
  await desk.getByText("There is no file, folder or app “nonsense”.").waitFor();
  await eventually(() => bar.inputValue()).toBe("open nonsense");
  await say(here, "new doc ../x");
  await desk.getByText("“..” means a folder already. Choose another name.").waitFor();
  await say(here, "new doc letter");
  await desk.getByText("letter.md is made").waitFor();
  await (await windowOf(here, "letter.md")).getByRole("button", { name: "Close letter.md" }).click();
  await say(here, "Letter.md");
  await windowOf(here, "letter.md");
  await say(here, "?");
  await desk.getByRole("option", { name: /^open X/ }).waitFor();
  await eventually(() => bar.inputValue()).toBe("");
  await say(here, "undo 1");
  await desk.locator(".toast").getByText(/./).first().waitFor();
  await eventually(() => bar.inputValue()).toBe("undo 1");
});

test("DESK-40: the offer that is chosen stays chosen where files come above it", async () => {
  const here = await openDesk(slow(await seat()), "1024 dark");
  const { desk, home, page } = here;
  const bar = desk.getByRole("combobox");
  await choir(home, ["write", "budget.md"], "x");
  await say(here, "ask budget plan");
  await desk.getByRole("button", { name: /^1 ask, waits/ }).waitFor();
  const free = await hold(page, '"find"');
  await bar.fill("budget");
  await desk.getByRole("option", { name: "budget plan" }).waitFor();
  await page.keyboard.press("ArrowUp");
  await free();
  await desk.getByRole("option", { name: "budget.md" }).waitFor();
  await page.keyboard.press("Enter");
  await eventually(() => bar.inputValue()).toBe("budget plan");
});

test("DESK-41, DESK-42: @ names a file, Shift Enter begins a line, a file that is dropped is attached, and the arrows bring it back", async () => {
  const at = await seat();
  await live(at.home, async (computer) => void (await computer.write("workspace/my notes.md", Buffer.from("x"))));
  const { desk, page } = await openDesk(at, "1024 light");
  const bar = desk.getByRole("combobox");
  await bar.click();
  await page.keyboard.type("compare @");
  await desk.getByRole("option", { name: /my notes\.md/ }).waitFor(); // what changed last, before anything is typed
  await page.keyboard.type("note");
  await desk.getByRole("option", { name: /my notes\.md/ }).waitFor();
  await page.keyboard.press("Tab");
  expect(await bar.inputValue()).toBe('compare @"workspace/my notes.md" ');
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("with ");
  await bar.dispatchEvent("drop", { dataTransfer: await fileIn(page, "a.txt", "theirs") });
  const said = 'compare @"workspace/my notes.md" \nwith @workspace/a.txt ';
  await eventually(() => bar.inputValue()).toBe(said);
  await page.keyboard.press("Enter");
  await desk.getByRole("button", { name: /^1 ask, waits/ }).click();
  const files = desk.locator(".course-files button");
  await eventually(() => files.allTextContents()).toEqual(["my notes.md", "a.txt"]);
  await bar.click();
  await page.keyboard.press("ArrowUp");
  await eventually(() => bar.inputValue()).toBe(said);
});

test("DESK-42: the arrows lead from what is being written to what was said before, and back to it", async () => {
  const { desk, page } = await openDesk(await seat(), "1440 dark");
  const bar = desk.getByRole("combobox");
  await bar.click();
  await page.keyboard.type("help");
  await page.keyboard.press("Enter");
  await windowOf({ desk, page }, "Help");
  await bar.click();
  const draft = "qqq is what I am writing";
  await page.keyboard.type(draft);
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("on");
  await page.keyboard.press("ArrowUp"); // to its first line
  await page.keyboard.press("ArrowUp");
  await eventually(() => bar.inputValue()).toBe("help");
  await page.keyboard.press("ArrowDown");
  await eventually(() => bar.inputValue()).toBe(`${draft}\non`);
});

test("DESK-42: what is being written in the bar is there again after a reload, where the browser keeps something for the page", async () => {
  const { desk, page } = await openDesk({ ...(await seat()), browser: withProfile({ frames: true }) }, "1440 light");
  const bar = desk.getByRole("combobox");
  await bar.click();
  await page.keyboard.type("write to the qu");
  await page.reload();
  await eventually(() => bar.inputValue()).toBe("write to the qu");
  await bar.press("End");
  await page.keyboard.type("een");
  await page.keyboard.press("Enter");
  await desk.getByRole("button", { name: /^1 ask, waits/ }).waitFor();
  await page.reload();
  await desk.getByRole("button", { name: /^1 ask, waits/ }).waitFor();
  expect(await bar.inputValue()).toBe("");
});

test("DESK-44, DESK-47: what the bar does to files is done at once, going back once it was shown, and each can be taken back by the notice, by a word, and again", async () => {
  const here = await openDesk(await seat(), "390 light");
  const { home } = here;
  const files = () => choir(home, ["files"]);
  await say(here, "new folder letters");
  await here.desk.getByText("letters is made").waitFor();
  expect(await files()).toContain("letters");
  await here.desk.getByRole("button", { name: "Undo" }).click();
  await eventually(files).not.toContain("letters");
  await here.desk.getByText("Taken back: letters (folder removed)").waitFor();
  await say(here, "redo");
  await here.desk.getByText("Done again: letters (new folder)").waitFor();
  expect(await files()).toContain("letters");
  await say(here, "undo");
  await eventually(files).not.toContain("letters");
  await say(here, "redo");
  await eventually(files).toContain("letters");
  await say(here, "go back to event 1");
  const proposed = here.desk.getByRole("region", { name: /^Go back to how all was (?:to|yester)day at \d\d:\d\d$/ });
  await proposed.getByText("after event 1").waitFor();
  await proposed.getByText(/^1 path goes.* It can be undone\.$/).waitFor();
  expect(await proposed.getByRole("listitem").allTextContents()).toEqual(["goesletters"]);
  await here.page.keyboard.press("Escape");
  await proposed.waitFor({ state: "detached" });
  expect(await files()).toContain("letters");
  await say(here, "go back to event 1");
  await proposed.getByRole("button", { name: "Go back" }).and(here.desk.locator(":focus")).waitFor();
  await here.page.keyboard.press("Enter");
  await eventually(files).not.toContain("letters");
  await say(here, "undo"); // the way back, not the folder
  await eventually(files).toContain("letters");
  await say(here, "redo");
  await eventually(files).not.toContain("letters");
  await say(here, "go back to event 1");
  await proposed.getByText("Nothing would change").waitFor();
  expect(await proposed.getByRole("button").allTextContents()).toEqual(["Look in Timeline", "Leave it"]);
  await proposed.getByRole("button", { name: "Leave it" }).and(here.desk.locator(":focus")).waitFor();
});

test("DESK-44, DESK-101: undo that is said three times at once takes back three things, and what was refused doesn't get into what is typed next", async () => {
  const here = await openDesk(await seat(), "1024 dark");
  const { desk, home, page } = here;
  const files = () => choir(home, ["files"]);
  const bar = desk.getByRole("combobox");
  for (const name of ["q1", "q2", "q3"]) await say(here, `new folder ${name}`);
  for (const _ of [1, 2, 3]) {
    await page.keyboard.type("undo");
    await page.keyboard.press("Enter");
  }
  for (const name of ["q1", "q2", "q3"]) await desk.getByText(`Taken back: ${name} (folder removed)`).waitFor();
  expect(await files()).not.toMatch(/q\d/);
  expect(await desk.getByText(/nothing to undo/i).count()).toBe(0);
  expect(await bar.inputValue()).toBe("");

  await page.keyboard.type("open nonsense");
  await page.keyboard.press("Enter");
  await page.keyboard.type("re");
  await desk.getByText("There is no file, folder or app “nonsense”.").waitFor();
  await page.keyboard.type("do");
  expect(await bar.inputValue()).toBe("redo");
  await page.keyboard.press("Enter");
  await eventually(files).toContain("q1");
  await page.keyboard.type("open nonsense");
  await page.keyboard.press("Enter");
  await eventually(() => bar.inputValue()).toBe("open nonsense");
  await page.keyboard.type("undo"); // over it
  expect(await bar.inputValue()).toBe("undo");
});

test("DESK-44: what is said without a connection is done, and taken back, in the order in which it was said", async () => {
  const here = await openDesk(await seat(), "1440 dark", { expectErrors: CUT_OFF });
  const { desk, home, page } = here;
  await page.context().setOffline(true);
  await desk.getByText("offline").waitFor({ timeout: 30_000 });
  for (const text of ["new folder x1", "undo", "new folder x2"]) await say(here, text);
  await page.context().setOffline(false);
  await desk.getByText("x2 is made").first().waitFor();
  expect(await typesIn(home)).toEqual(expect.arrayContaining(["dir.create", "undo"]));
  expect(await choir(home, ["files"])).toMatch(/^(?!.*x1).*x2/s);
});

test("DESK-24, DESK-43: what is too long to be said stays in the bar, with why, and the connection stays", async () => {
  const here = await openDesk(await seat(), "1440 dark");
  const { desk, home } = here;
  const bar = desk.getByRole("combobox");
  await say(here, "read this: ".padEnd(250_000, "long "));
  await desk.getByText(/^That is too long: no more than 200,000 characters .* Put it into a file/).waitFor();
  await say(here, "read this: ".padEnd(150_000, '"""" ')); // each mark is two bytes by then
  await desk.getByText(/^That is too long to be sent at once/).waitFor();
  await eventually(async () => (await bar.inputValue()).length).toBe(150_000);
  await say(here, "new folder letters");
  await desk.getByText("letters is made").waitFor();
  expect(await typesIn(home)).not.toContain("message");
});

test("DESK-45: what is no command is kept as an ask, which waits in every browser, and can be taken back", async () => {
  const at = await seat();
  await live(at.home, async (computer) => void (await computer.write("workspace/a.md", Buffer.from("x"))));
  const here = await openDesk(at, "1440 light");
  const { home } = here;
  const { desk, page } = here;
  const there = await anotherDesk(here);
  await say(here, "compare @workspace/a.md with the letter to the queen");
  await desk.getByText(/^No model is chosen.* Your words are kept, and wait\./).waitFor();
  expect((await typesIn(home)).at(-1)).toBe("message");
  await desk.getByRole("button", { name: "Connect a model" }).click();
  await page.getByText("Only the owner of this server connects models").waitFor(); // whoever sits here isn't

  await there.desk.getByRole("button", { name: /^1 ask, waits/ }).waitFor();
  await page.reload();
  await desk.getByRole("combobox").fill("letter to");
  await desk.getByRole("option", { name: /letter to the queen/ }).waitFor();
  await page.keyboard.press("Escape");
  await desk.getByRole("button", { name: /^1 ask, waits/ }).click();
  const waiting = desk.locator(".course"); // its own window: there is no other
  await waiting.getByRole("button", { name: "a.md", exact: true }).waitFor();
  await waiting.getByRole("button", { name: "Take back" }).click();
  for (const { desk } of [here, there]) await desk.locator(".chip").waitFor({ state: "detached" });
  await desk.getByRole("button", { name: "Undo" }).click();
  for (const { desk } of [here, there]) await desk.locator(".chip").waitFor();
});

test("DESK-33: what was done is in the history after a reload, with its undo", async () => {
  const { desk, home, page } = await openDesk(await seat(), "390 light");
  await say({ desk, page }, "new folder letters");
  await desk.getByText("letters is made").waitFor();
  await page.reload();
  await desk.getByRole("button", { name: "Notifications", exact: true }).click();
  const said = desk.getByRole("region", { name: "Notifications so far" }).getByRole("listitem");
  await said.filter({ hasText: "letters" }).getByRole("button", { name: "Undo" }).click();
  await eventually(() => choir(home, ["files"])).not.toContain("letters");
});

test("DESK-22, CONSOLE-48: a theme that is written by any means is worn at once, the console around it follows, and a broken one is told and changes nothing", async () => {
  const here = await openDesk(await seat(), "1024 dark");
  const { home } = here;
  expect(await themeOf(here)).toBe("dark");
  await say(here, "theme light");
  await eventually(() => themeOf(here)).toBe("light");
  const around = () => here.page.locator("html").getAttribute("data-theme");
  await eventually(around).toBe("light");
  const theme = { name: "Mine", scheme: "dark", colours: { desk: "#102030" } };
  await choir(home, ["write", "/artifacts/system/theme.json"], JSON.stringify(theme));
  await eventually(() => themeOf(here)).toBe("dark");
  const back = () => here.desk.locator("html").evaluate((html) => getComputedStyle(html).backgroundColor);
  expect(await back()).toBe("rgb(16, 32, 48)");
  await eventually(around).toBe("dark");
  await choir(home, ["write", "/artifacts/system/theme.json"], JSON.stringify({ ...theme, scheme: "pink" }));
  await here.desk.getByText(/^\/artifacts\/system\/theme\.json can't be used/).waitFor();
  expect(await back()).toBe("rgb(16, 32, 48)");
});

test("DESK-80: who types on in the bar while a line runs, and then goes to a window by a key, has the keys there", async () => {
  const here = await openDesk(await seat(), "1024 dark");
  const { desk, page } = here;
  await say(here, "files");
  const files = await windowOf(here, "workspace");
  await say(here, "open about");
  await windowOf(here, "About this computer");
  await say(here, "run sleep 300");
  await desk.getByText("“sleep 300” is running").waitFor();
  await page.keyboard.type("later");
  for (const key of ["Control+Backquote", "Enter"]) await page.keyboard.press(key);
  await files.locator(":focus").waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Control+/");
  await (await windowOf(here, "Keys")).and(desk.locator(":focus, :has(:focus)")).waitFor();
  expect(await desk.getByRole("combobox").inputValue()).toBe("later");
});

test("DESK-80: in a window that got ready behind another one, the keys are where they would have been in front", async () => {
  const here = await openDesk(slow(await seat()), "1024 dark");
  const { desk, home, page } = here;
  await choir(home, ["write", "a.md"], "a");
  const free = await hold(page, '"files"');
  await say(here, "files");
  const files = await windowOf(here, "workspace");
  await say(here, "open about");
  await windowOf(here, "About this computer");
  await free();
  const list = files.getByRole("listbox");
  await list.waitFor();
  await page.keyboard.press("Control+Backquote");
  await list.and(desk.locator(":focus")).waitFor();
  await page.keyboard.press("Control+k");
  await desk.getByRole("combobox").and(desk.locator(":focus")).waitFor();
  await page.keyboard.press("Escape"); // its offers
  await page.keyboard.press("Escape");
  await list.and(desk.locator(":focus")).waitFor();
});

test("DESK-47, DESK-80: who goes from the bar to a text, and types there, keeps the keys, whatever comes late of what was said", async () => {
  const here = await editing(slow(await seat()), "1440 dark");
  const { content, desk, home, page, text } = here;
  const bar = desk.getByRole("combobox");
  const whileItComes = async (said: string, asked: string, came: Locator) => {
    const free = await hold(page, asked);
    await say(here, said);
    await content.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("a");
    await free();
    await came.waitFor();
    await page.keyboard.type(" b ");
  };
  await whileItComes("go back to event 1", '"events"', desk.getByRole("button", { name: "Go back", disabled: false }));
  await eventually(text).toBe("a b ");
  expect(await typesIn(home)).not.toContain("undo");
  await whileItComes("open nonsense", '"find"', desk.getByText("There is no file, folder or app “nonsense”."));
  await eventually(() => bar.inputValue()).toBe("open nonsense");

  const held = Promise.withResolvers<void>();
  await page.route("**/file/workspace/a.txt*", (route) => held.promise.then(() => route.continue()));
  await bar.fill("");
  await bar.dispatchEvent("drop", { dataTransfer: await fileIn(page, "a.txt", "mine") });
  await content.click();
  held.resolve();
  await eventually(() => bar.inputValue()).toBe("@workspace/a.txt ");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("c ");
  await eventually(text).toBe("a b a b c ");

  await bar.fill("");
  await choir(home, ["write", "other.md"], "theirs");
  await whileItComes("open other.md", '"find"', desk.getByText("theirs", { exact: true }));
  await eventually(text).toBe("a b a b c a b ");
  const other = await inEditor(here, "other.md");
  for (const key of ["Control+Backquote", "Control+Backquote"]) await page.keyboard.press(key); // away from it, and back
  await page.keyboard.type("not ");
  await eventually(other.text).toBe("not theirs");
});

test("DESK-80: what is being composed in the bar while a document is made stays there, whole", async () => {
  const here = await openDesk(await seat(), "1024 light");
  const { desk, page } = here;
  const session = await page.context().newCDPSession(page);
  await say(here, "new doc letter");
  for (const text of ["n", "に"])
    await session.send("Input.imeSetComposition", { text, selectionStart: 1, selectionEnd: 1 });
  const window = await windowOf(here, "letter.md");
  await window.locator(".cm-content").waitFor();
  await session.send("Input.insertText", { text: "日本" });
  await eventually(() => desk.getByRole("combobox").inputValue()).toBe("日本");
  expect(await window.locator(".cm-content").textContent()).toBe("");
});

test("DESK-22: a desk is dark whatever the system is, until it is told to be as the system", async () => {
  const here = await openDesk(await seat(), "1024 dark");
  for (const [words, colorScheme, worn] of [
    [undefined, "light", "dark"],
    ["theme system", "light", "light"],
    [undefined, "dark", "dark"],
    [undefined, "light", "light"],
    ["theme dark", "light", "dark"],
  ] as const) {
    await here.page.emulateMedia({ colorScheme });
    if (words !== undefined) await say(here, words);
    await eventually(() => themeOf(here)).toBe(worn);
  }
});

test("CONSOLE-39: what is the console's to do is asked for in its bar, and done by a press there: an export, and the end of the session", async () => {
  const here = await openDesk(await seat(), "1024 light");
  const { home } = here;
  const held = Promise.withResolvers<void>();
  await here.page.route("**/export", async (route) => {
    await held.promise;
    await route.continue();
  });
  await say(here, "export");
  const coming = here.page.waitForEvent("download");
  await here.page.getByRole("button", { name: "Export", exact: true }).click();
  await say(here, "sign out"); // while the export takes its time
  await here.page.getByText("End this session?").waitFor();
  held.resolve();
  const download = await coming;
  expect(download.suggestedFilename()).toBe(`${home.user}.choir`);
  expect(
    readFileSync(await download.path())
      .subarray(0, 15)
      .toString(),
  ).toBe("SQLite format 3");
  await here.page.getByRole("button", { name: "No, thank you" }).click();
  await here.page.getByText("End this session?").waitFor({ state: "detached" });
  await here.page.getByRole("button", { name: "Time machine" }).focus();
  await here.page.keyboard.press("Control+k"); // from the console
  await here.desk.getByRole("combobox").and(here.desk.locator(":focus")).waitFor();
  await here.page.keyboard.type("sign out");
  await here.page.keyboard.press("Enter");
  await here.page.getByRole("button", { name: "Sign out", exact: true }).click();
  await here.page.getByText("You were signed out.").waitFor();
});

test("DESK-100: what a line writes is shown as it comes, from its beginning, also on a page that came later, which can stop it", async () => {
  const here = await openDesk(await seat(), "390 light");
  const { desk, page } = here;
  await say(here, "run seq 1 100; sleep 300");
  await desk.getByText("“seq 1 100; sleep 300” is running").waitFor();
  await desk.locator(".notice-detail").getByText("100").waitFor();
  await desk.getByRole("button", { name: "Show", exact: true }).click();
  const output = (await windowOf(here, "Timeline")).getByRole("region", { name: "Output" });
  await eventually(() => output.locator("pre").textContent()).toMatch(/^1\n2\n3\n(?:\d+\n)+100$/);
  await output.getByRole("button", { name: "Copy" }).click();
  await desk.getByText("Output copied").waitFor();
  await page.reload();
  await desk.getByRole("button", { name: "Going on: “seq 1 100; sleep 300” is running" }).click();
  expect(await desk.locator(".toast").count()).toBe(0);
  const runs = desk.getByRole("region", { name: "What isn't over" });
  await runs.locator(".notice-detail").getByText("100").waitFor();
  await runs.getByRole("button", { name: "Stop", exact: true }).click();
  await desk.getByText("“seq 1 100; sleep 300” was stopped").waitFor();
  await runs.waitFor({ state: "detached" });
});

test("DESK-33: on a phone one notice is in sight, in two lines at most, and what goes on leaves the screen to what is to be pressed", async () => {
  const here = await openDesk(await seat(), "390 dark");
  const { desk } = here;
  await say(here, "new folder letters");
  await desk.getByText("letters is made").waitFor();
  await say(here, "run printf 'one\\ntwo\\nthree and much more than a phone has room for in a line\\n'; sleep 300");
  const toast = desk.locator(".toast");
  await toast.getByText("three").waitFor();
  expect(await toast.count()).toBe(1);
  expect(await toast.locator(".notice-detail").textContent()).toMatch(/^three/);
  expect((await boxOf(toast)).height).toBeLessThan(100);
  await toast.waitFor({ state: "detached" });
  await desk.getByRole("button", { name: /^Going on: / }).click();
  const runs = desk.getByRole("region", { name: "What isn't over" });
  await runs.getByRole("button", { name: "Stop", exact: true }).click();
  await toast.getByText(/was stopped$/).waitFor();
  await desk.getByRole("button", { name: /^Going on: / }).waitFor({ state: "detached" });
});
