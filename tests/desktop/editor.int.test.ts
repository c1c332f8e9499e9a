import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { faultsOf } from "../console/audit.ts";
import { launch } from "../console/served.ts";
import { choir } from "../console/stage.ts";
import { anotherDesk, eventually, say, typesIn, windowOf } from "./desk.ts";
import { draftHas, editing, fileIn, inEditor, kill, versionsOf, withoutMemory, withProfile } from "./editor-window.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

test("EDIT-8: under the page's own policy the text has its styles, and a question mark is a letter", async () => {
  const { content, page, home, text } = await editing(browser, { bytes: "# Is it\n" });
  await page.keyboard.press("End"); // who opens a file is in its text
  await page.keyboard.type(" so?");
  expect(await text()).toBe("# Is it so?\n");
  const gutters = content
    .page()
    .frames()
    .find((one) => one.url().includes("-desk."));
  const display = await gutters?.evaluate(() => {
    const found = document.querySelector(".ed-code")?.shadowRoot?.querySelector(".cm-gutters");
    return found && [getComputedStyle(found).display, document.querySelectorAll("style").length];
  });
  expect(display).toEqual(["flex", 0]);
  await content.press("Control+s");
  await eventually(() => fileIn(home, "notes.md")).toBe("# Is it so?\n");
});

test("EDIT-8, DESK-62, CONSOLE-39: coloured text is typed over without a complaint, text that can't be read in any time is only text, and a page is opened by the console", async () => {
  const { content, home, page, window } = await editing(browser, {
    name: "a.md",
    bytes: "# Title\n\n[page](https://example.org/x)\n",
  });
  await window.locator(".cm-content span").first().waitFor(); // coloured
  await content.press("Control+a");
  await page.keyboard.type("# [page](https://example.org/x)");
  await window.getByRole("button", { name: "Preview", exact: true }).click();
  await window.locator(".md").getByRole("button", { name: "page" }).click();
  await page.getByText("https://example.org/x", { exact: true }).waitFor();
  await page.getByRole("button", { name: "No, thank you" }).click();
  await choir(home, ["write", "wild.md"], "[a](".repeat(16_000));
  await page.keyboard.press("Control+k");
  await page.keyboard.type("open wild.md");
  await page.keyboard.press("Enter");
  await windowOf({ desk: page.frameLocator("iframe"), page }, "wild.md");
});

test("EDIT-7: a version is made by Ctrl-S, when the window is left, and after a pause; and none without a change", async () => {
  const { content, page, home, status, desk } = await editing(browser);
  await page.clock.install();
  const versions = async () => (await typesIn(home)).filter((type) => type === "file.write").length;
  await content.focus();
  await page.keyboard.type("one");
  await content.press("Control+s");
  await eventually(status).toBe("Saved");
  expect([await fileIn(home, "notes.md"), await versions()]).toEqual(["one", 2]);
  await content.press("Control+s");
  await page.keyboard.type(" two");
  await desk.getByRole("combobox").focus();
  await eventually(() => fileIn(home, "notes.md")).toBe("one two");
  await content.focus();
  await page.keyboard.type(" three");
  await page.clock.fastForward(10_000);
  expect(await fileIn(home, "notes.md")).toBe("one two");
  await page.clock.fastForward(25_000);
  await eventually(() => fileIn(home, "notes.md")).toBe("one two three");
  expect(await versions()).toBe(4);
});

test("EDIT-1: what a command changes meanwhile appears; what was typed, the cursor and the undo stay", async () => {
  const { content, page, home, text } = await editing(browser, { bytes: "one\ntwo\nthree\n" });
  await content.press("Control+End");
  await page.keyboard.type("mine");
  await choir(home, ["write", "notes.md"], "zero\none\ntwo\nthree\n");
  await eventually(text).toBe("zero\none\ntwo\nthree\nmine");
  await page.keyboard.type(" too");
  expect(await text()).toBe("zero\none\ntwo\nthree\nmine too");
  await content.press("Control+z");
  await content.press("Control+z");
  expect(await text()).toBe("zero\none\ntwo\nthree\n");
  await content.press("Control+y");
  await content.press("Control+s");
  await eventually(() => fileIn(home, "notes.md")).toMatch(/^zero\none\ntwo\nthree\nmine/);
});

test("EDIT-2: where both changed the same line both are shown, and nothing is saved until one chose", async () => {
  const { content, page, home, text, window, status } = await editing(browser, { bytes: "one\ntwo\nthree\n" });
  await content.press("Control+Home");
  await content.press("End");
  await page.keyboard.type(" is mine");
  await choir(home, ["write", "notes.md"], "one is theirs\ntwo\nthree\n");
  const theirs = window.getByRole("group", { name: "Changed elsewhere in the same lines" });
  await theirs.getByText("one is theirs").waitFor();
  await content.press("Control+s");
  await eventually(status).toBe("Kept in this browser");
  expect(await fileIn(home, "notes.md")).toBe("one is theirs\ntwo\nthree\n");
  await theirs.getByRole("button", { name: "Keep both" }).click();
  await eventually(() => fileIn(home, "notes.md")).toBe("one is mine\none is theirs\ntwo\nthree\n");
  expect(await text()).toBe("one is mine\none is theirs\ntwo\nthree\n");
});

test("EDIT-2: a window that is closed without a choice leaves what was typed as a file beside", async () => {
  const { content, page, home, window, desk } = await editing(browser, { bytes: "one\n" });
  await content.press("Control+Home");
  await page.keyboard.type("my ");
  await choir(home, ["write", "notes.md"], "their one\n");
  await window.getByRole("group", { name: "Changed elsewhere in the same lines" }).waitFor();
  await desk.getByRole("button", { name: "Close notes.md" }).click();
  await window.waitFor({ state: "detached" });
  expect(await fileIn(home, "notes.md")).toBe("their one\n");
  const [, beside = ""] = /^.*?(notes[^/\n]*other version[^\n]*\.md)$/m.exec(await choir(home, ["files"])) ?? [];
  expect(await fileIn(home, beside)).toBe("my one\n");
});

test("EDIT-4: a file that is taken away leaves what is shown, and is a file again by wish", async () => {
  const { home, window, text, status } = await editing(browser, { bytes: "still here\n" });
  await choir(home, ["rm", "notes.md"]);
  await window.getByText(/The file was taken away/).waitFor();
  expect(await text()).toBe("still here\n");
  await window.getByRole("button", { name: "Save it again" }).click();
  await eventually(status).toBe("Saved");
  expect(await fileIn(home, "notes.md")).toBe("still here\n");
});

test("EDIT-4: a file that is moved is followed", async () => {
  const { home, desk, page } = await editing(browser, { bytes: "moving\n" });
  await choir(home, ["mv", "notes.md", "letters.md"]);
  const there = await inEditor({ desk, page }, home, "letters.md");
  await there.content.press("Control+End");
  await page.keyboard.type("on");
  await there.content.press("Control+s");
  await eventually(() => fileIn(home, "letters.md")).toBe("moving\non");
});

test("EDIT-5: what was typed before the browser died is there again, merged with what stands in the file by then, and made no versions meanwhile", async () => {
  const profile = withProfile();
  const { content, page, home } = await editing(profile, { bytes: "one\ntwo\nthree\n" });
  await content.press("Control+End");
  await page.keyboard.type("precious", { delay: 300 });
  await eventually(() => draftHas(page, "precious")).toBe(true);
  await kill(page);
  expect([await fileIn(home, "notes.md"), await versionsOf(home, "notes.md")]).toEqual(["one\ntwo\nthree\n", 1]);
  await choir(home, ["write", "notes.md"], "ONE\ntwo\nthree\n");
  const later = await anotherDesk(profile, home);
  const again = await inEditor(later, home, "notes.md");
  await again.window.getByText(/wasn't saved is here again/).waitFor();
  expect(await again.text()).toBe("ONE\ntwo\nthree\nprecious");
  await again.window.getByRole("button", { name: "Save it" }).click();
  await eventually(() => fileIn(home, "notes.md")).toBe("ONE\ntwo\nthree\nprecious");
  await eventually(() => draftHas(later.page, "precious")).toBe(false);
});

test("EDIT-5: in a browser that keeps nothing, what was typed is a version of the file within a second or two", async () => {
  const { content, page, home } = await editing(withoutMemory(browser));
  await content.focus();
  await page.keyboard.type("kept elsewhere");
  await eventually(() => fileIn(home, "notes.md")).toBe("kept elsewhere");
});

test("EDIT-6: what is typed without a connection is kept, and saved when there is one again", async () => {
  const { content, page, home, status } = await editing(browser, {
    bytes: "one\n",
    expectErrors: /net::ERR_INTERNET_DISCONNECTED$/,
  });
  await page.context().setOffline(true);
  await content.press("Control+End");
  await page.keyboard.type("two");
  await content.press("Control+s");
  await eventually(status).toBe("Kept in this browser until the server is back");
  await page.keyboard.type(" three");
  await choir(home, ["write", "notes.md"], "zero\none\n");
  await page.context().setOffline(false);
  await content.press("Control+s");
  await eventually(() => fileIn(home, "notes.md")).toBe("zero\none\ntwo three");
});

test("EDIT-6: two browsers at one file see each other's versions, and lose nothing", async () => {
  const one = await editing(browser, { bytes: "one\ntwo\nthree\n" });
  const two = await inEditor(await anotherDesk(browser, one.home), one.home, "notes.md");
  await one.content.press("Control+Home");
  await one.page.keyboard.type("first ");
  await two.content.press("Control+End");
  await two.page.keyboard.type("last");
  await one.content.press("Control+s");
  await two.content.press("Control+s");
  for (const each of [one, two]) await eventually(each.text).toBe("first one\ntwo\nthree\nlast");
  await eventually(() => fileIn(one.home, "notes.md")).toBe("first one\ntwo\nthree\nlast");
});

test("EDIT-13: an earlier version is held against what is shown, and brought back piece by piece and whole", async () => {
  const { home, window, text } = await editing(browser, { bytes: "old\nsame\nold too\n" });
  await choir(home, ["write", "notes.md"], "new\nsame\nnew too\n");
  await eventually(text).toBe("new\nsame\nnew too\n");
  await window.getByRole("button", { name: "Versions" }).click();
  const versions = window.getByRole("region", { name: "Versions" });
  await versions.getByRole("listitem").nth(1).getByRole("button").click();
  await window.locator(".cm-deletedChunk").first().getByText("old").waitFor();
  await window.getByRole("button", { name: "Bring back", exact: true }).first().click();
  await eventually(text).toBe("old\nsame\nnew too\n");
  await window.getByRole("button", { name: "Bring back all of it" }).click();
  await eventually(text).toBe("old\nsame\nold too\n");
  await eventually(() => versions.getByRole("listitem").count()).toBe(4);
});

test("EDIT-14: what is found is replaced, one or all of it, and the preview beside it follows what is typed", async () => {
  const { content, page, text, window } = await editing(browser, { bytes: "# Red\n\nred, red and [green](a.md)\n" });
  await window.getByRole("button", { name: "Preview" }).click();
  const preview = window.getByRole("region", { name: "Preview" });
  await preview.getByRole("heading", { name: "Red" }).waitFor();
  await content.focus();
  await page.keyboard.press("Control+f");
  await page.keyboard.type("red");
  await page.keyboard.press("Enter");
  await window.getByPlaceholder("Replace").focus();
  await page.keyboard.type("blue");
  await page.keyboard.press("Enter");
  expect(await text()).toBe("# blue\n\nred, red and [green](a.md)\n");
  await window.getByRole("button", { name: "Replace all", exact: true }).click();
  expect(await text()).toBe("# blue\n\nblue, blue and [green](a.md)\n");
  await preview.getByText("blue, blue and green").waitFor();
  await page.keyboard.press("Escape");
  await content.press("Control+Home");
  await content.press("End");
  await page.keyboard.type(" sky");
  await preview.getByRole("heading", { name: "blue sky" }).waitFor();
});

test("EDIT-9: a text of 20 MB is edited like any other, and a larger file says so", async () => {
  const line = `${"a line of a long text ".repeat(4)}\n`;
  const bytes = line.repeat(Math.floor((20 * 1024 * 1024 - 10) / line.length));
  const { content, page, home, text, status, desk } = await editing(browser, { name: "long.txt", bytes });
  await content.press("Control+Home");
  await page.keyboard.type("begin ");
  expect((await text()).startsWith("begin a line")).toBe(true);
  await eventually(() => draftHas(page, "begin ")).toBe(true);
  await content.press("Control+End"); // a draft of it has all that lies between
  await page.keyboard.type("and an end", { delay: 300 });
  await eventually(() => draftHas(page, "and an end")).toBe(true);
  expect(await versionsOf(home, "long.txt")).toBe(1);
  await content.press("Control+s");
  await eventually(status).toBe("Saved");
  expect(await versionsOf(home, "long.txt")).toBe(2);
  expect(await choir(home, ["exec", "--", "tail", "-c", "10", "long.txt"])).toBe("and an end");
  await choir(home, ["write", "longer.txt"], bytes + line.repeat(2));
  await say({ page, desk }, "open longer.txt");
  const longer = await windowOf({ page, desk }, "longer.txt");
  await longer.getByText("Text of up to 20 MB can be edited here").waitFor();
});

test("EDIT-11: a file that is no text says what it is", async () => {
  const { home, page, desk } = await editing(browser);
  await choir(home, [
    "exec",
    "--",
    "sh",
    "-c",
    "printf '\\211PNG\\r\\n\\032\\n\\000\\000\\000\\rIHDR\\000\\000\\002\\200\\000\\000\\001\\340' > a.bin",
  ]);
  await say({ page, desk }, "open a.bin");
  const window = await windowOf({ page, desk }, "a.bin");
  await window.getByText("PNG picture, 640 × 480, 24 B").waitFor();
});

test.each([
  [1440, 900, "dark"],
  [390, 844, "light"],
] as const)(
  "DESK-50: the Editor at %i × %i, %s: all can be read, has a name, and is within reach",
  async (width, height, theme) => {
    const { page, window, content } = await editing(browser, {
      bytes: "# Title\n\n- [ ] one\n\n`code`\n",
      width,
      height,
      theme,
    });
    const frame = page.frames().find((one) => one.url().includes("-desk."));
    if (frame === undefined) throw new Error("there is no desk");
    const faults: string[] = [];
    const look = async (part: string) => faults.push(...(await faultsOf(frame)).map((fault) => `${part}: ${fault}`));
    await look("a text");
    await window.getByRole("button", { name: "Preview" }).click();
    await window.getByRole("heading", { name: "Title" }).waitFor();
    await look("its preview");
    await window.getByRole("button", { name: "Versions" }).click();
    await window.getByRole("region", { name: "Versions" }).getByRole("button").nth(1).click();
    await look("its versions");
    await content.focus();
    await page.keyboard.press("Control+f");
    await window.getByPlaceholder("Replace").waitFor();
    await look("find and replace");
    expect(faults).toEqual([]);
  },
);
