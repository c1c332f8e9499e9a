import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rootOf } from "../console/home.ts";
import { choir } from "../console/stage.ts";
import { anotherDesk, eventually, frameOf, say, typesIn, windowOf } from "./desk.ts";
import {
  draftHas,
  editing,
  fileIn,
  gapToNumbers,
  inEditor,
  kill,
  versionsOf,
  withoutMemory,
  withProfile,
} from "./editor-window.ts";
import { AUDITED, faultsAt } from "./look.ts";
import { seats } from "./seat.ts";
import { hold, slow } from "./slow.ts";

const seat = seats();

test("EDIT-8: under the page's own policy the text has its styles, and a question mark is a letter", async () => {
  const { content, page, home, text } = await editing(await seat(), "1024 light", { bytes: "# Is it\n" });
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
  const { content, home, page, window } = await editing(await seat(), "390 dark", {
    name: "a.md",
    bytes: "# Title\n\n[page](https://example.org/x)\n",
  });
  await window.locator(".cm-content span").first().waitFor(); // coloured
  await content.press("Control+a");
  await page.keyboard.type("# [page](https://example.org/x)");
  await window.getByRole("button", { name: "Preview", exact: true }).click();
  await window.locator(".md").getByRole("button", { name: "page" }).click();
  await page.getByText("example.org/x", { exact: true }).waitFor();
  await page.getByRole("button", { name: "No, thank you" }).click();
  await eventually(() => page.evaluate(() => document.activeElement?.tagName)).toBe("IFRAME");
  await choir(home, ["write", "wild.md"], "[a](".repeat(16_000));
  await page.keyboard.press("Control+k");
  await page.keyboard.type("open wild.md");
  await page.keyboard.press("Enter");
  await windowOf({ desk: page.frameLocator("iframe"), page }, "wild.md");
});

test("EDIT-7: a version is made by Ctrl-S, when the window is left, and after a pause; and none without a change", async () => {
  const { content, page, home, status, desk } = await editing(await seat(), "1440 light");
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
  const { content, page, home, text } = await editing(await seat(), "390 light", { bytes: "one\ntwo\nthree\n" });
  await content.press("Control+End");
  await page.keyboard.insertText("mine"); // at once: what was typed with pauses is taken back in pieces
  await choir(home, ["write", "notes.md"], "zero\none\ntwo\nthree\n");
  await eventually(text).toBe("zero\none\ntwo\nthree\nmine");
  await page.keyboard.insertText(" too");
  expect(await text()).toBe("zero\none\ntwo\nthree\nmine too");
  await content.press("Control+z");
  await content.press("Control+z");
  expect(await text()).toBe("zero\none\ntwo\nthree\n");
  await content.press("Control+y");
  await content.press("Control+s");
  await eventually(() => fileIn(home, "notes.md")).toMatch(/^zero\none\ntwo\nthree\nmine/);
});

test("EDIT-2, DESK-18: where both changed the same line both are shown, and nothing is saved until one chose, also where the window is closed elsewhere meanwhile", async () => {
  const { content, page, home, text, window, status, desk } = await editing(await seat(), "1024 dark", {
    bytes: "one\ntwo\nthree\n",
  });
  await content.press("Control+Home");
  await content.press("End");
  await page.keyboard.type(" is mine");
  await choir(home, ["write", "notes.md"], "one is theirs\ntwo\nthree\n");
  const theirs = window.getByRole("group", { name: "Changed elsewhere in the same lines" });
  await theirs.getByText("one is theirs").waitFor();
  await content.press("Control+s");
  await eventually(status).toBe("Kept in this browser");
  expect(await fileIn(home, "notes.md")).toBe("one is theirs\ntwo\nthree\n");
  const opened = (await choir(home, ["events", "--type", "window.open", "--json"])).trim().split("\n").at(-1) ?? "";
  await choir(home, ["undo", `${JSON.parse(opened).seq}`, "--take-theirs"]);
  await desk.getByText("“notes.md” stays open here").waitFor();
  await theirs.getByRole("button", { name: "Keep both" }).click();
  await eventually(() => fileIn(home, "notes.md")).toBe("one is mine\none is theirs\ntwo\nthree\n");
  expect(await text()).toBe("one is mine\none is theirs\ntwo\nthree\n");
});

test("EDIT-2: a window that is closed without a choice leaves what was typed as a file beside", async () => {
  const { content, page, home, window, desk } = await editing(await seat(), "390 light", { bytes: "one\n" });
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

test("EDIT-4, DESK-18: a file that is taken away leaves what is shown, and is a file again by wish; its window stays where something was typed, and there alone", async () => {
  const one = await editing(await seat(), "1440 light", { bytes: "still here\n" });
  const { home, window, text, status, content, page, desk } = one;
  await choir(home, ["rm", "notes.md"]);
  await window.getByText(/The file was taken away/).waitFor();
  expect(await text()).toBe("still here\n");
  await window.getByRole("button", { name: "Save it again" }).click();
  await eventually(status).toBe("Saved");
  expect(await fileIn(home, "notes.md")).toBe("still here\n");

  const two = await inEditor(await anotherDesk(one), "notes.md");
  await content.press("Control+End");
  await page.keyboard.type("typed");
  await say(two, "go back to event 1");
  await two.desk.getByRole("button", { name: "Go back" }).and(two.desk.locator(":focus")).waitFor();
  await two.page.keyboard.press("Enter");
  await two.window.waitFor({ state: "detached" });
  await desk.getByText("“notes.md” stays open here").waitFor();
  await window.getByText(/The file was taken away/).waitFor();
  expect(await text()).toBe("still here\ntyped");
  await desk.getByRole("button", { name: "Close notes.md" }).click();
  await window.waitFor({ state: "detached" });
  const said = desk.locator(".toast", { hasText: "notes.md was gone; what you typed made it again" });
  expect(await fileIn(home, "notes.md")).toBe("still here\ntyped");
  await said.getByRole("button", { name: "Undo" }).click();
  await eventually(() => choir(home, ["files"])).not.toContain("notes.md");
  expect(await two.window.count()).toBe(0);
});

test("EDIT-4: a file that is moved is followed", async () => {
  const here = await editing(await seat(), "390 dark", { bytes: "moving\n" });
  const { home, page } = here;
  await choir(home, ["mv", "notes.md", "letters.md"]);
  const there = await inEditor(here, "letters.md");
  await there.content.press("Control+End");
  await page.keyboard.type("on");
  await there.content.press("Control+s");
  await eventually(() => fileIn(home, "letters.md")).toBe("moving\non");
});

test("EDIT-5: what was typed before the browser died is there again, also where the file has another name by then, merged with what stands in the file by then, and made no versions meanwhile", async () => {
  const here = await editing({ ...(await seat()), browser: withProfile() }, "1024 dark", {
    bytes: "one\ntwo\nthree\n",
  });
  const { content, page, home } = here;
  await content.press("Control+End");
  await page.keyboard.type("precious", { delay: 300 });
  await eventually(() => draftHas(page, "precious")).toBe(true);
  await kill(page);
  expect([await fileIn(home, "notes.md"), await versionsOf(home, "notes.md")]).toEqual(["one\ntwo\nthree\n", 1]);
  await choir(home, ["write", "notes.md"], "ONE\ntwo\nthree\n");
  await choir(home, ["mv", "notes.md", "letter.md"]);
  const later = await anotherDesk(here);
  const again = await inEditor(later, "letter.md");
  await again.window.getByText(/wasn't saved is here again/).waitFor();
  expect(await again.text()).toBe("ONE\ntwo\nthree\nprecious");
  await again.window.getByRole("button", { name: "Save it" }).click();
  await eventually(() => fileIn(home, "letter.md")).toBe("ONE\ntwo\nthree\nprecious");
  await eventually(() => draftHas(later.page, "precious")).toBe(false);
});

test("EDIT-5: in a browser that keeps nothing, what was typed is a version of the file within a second or two", async () => {
  const at = await seat();
  const { content, page, home } = await editing({ ...at, browser: withoutMemory(at.browser) }, "1440 light");
  await content.focus();
  await page.keyboard.type("kept elsewhere");
  await eventually(() => fileIn(home, "notes.md")).toBe("kept elsewhere");
});

test("EDIT-6: what is typed without a connection is kept, and saved when there is one again", async () => {
  const { content, page, home, status } = await editing(await seat(), "390 light", {
    bytes: "one\n",
    expectErrors: /net::ERR_INTERNET_DISCONNECTED$/,
  });
  await page.context().setOffline(true);
  await content.press("Control+End");
  await page.keyboard.type("two");
  await content.press("Control+s");
  await eventually(status).toBe("Kept in this browser, without a connection");
  await page.keyboard.type(" three");
  await choir(home, ["write", "notes.md"], "zero\none\n");
  await page.context().setOffline(false);
  await content.press("Control+s");
  await eventually(() => fileIn(home, "notes.md")).toBe("zero\none\ntwo three");
});

test("EDIT-2, EDIT-6: two browsers at one file see each other's versions; where both change one line both are shown, and not also written beside, nothing is lost, and who chose goes on typing", async () => {
  const one = await editing(await seat(), "1024 light", { bytes: "one\ntwo\nthree\n" });
  const two = await inEditor(await anotherDesk(one), "notes.md");
  await one.content.press("Control+Home");
  await one.page.keyboard.type("first ");
  await two.content.press("Control+End");
  await two.page.keyboard.type("last");
  await one.content.press("Control+s");
  await two.content.press("Control+s");
  for (const each of [one, two]) await eventually(each.text).toBe("first one\ntwo\nthree\nlast");
  await eventually(() => fileIn(one.home, "notes.md")).toBe("first one\ntwo\nthree\nlast");
  for (const [{ content, page }, word] of [
    [two, " theirs"],
    [one, " mine"],
  ] as const) {
    await content.press("Control+Home");
    await content.press("End");
    await page.keyboard.type(word);
  }
  await one.content.press("Control+s");
  const other = two.window.getByRole("group", { name: "Changed elsewhere in the same lines" });
  await other.getByText("first one mine").waitFor();
  await other.getByRole("button", { name: "Keep both" }).click();
  await eventually(two.status).toBe("Saved");
  const both = "first one theirs\nfirst one mine\ntwo\nthree\nlast";
  expect(await fileIn(one.home, "notes.md")).toBe(both);
  await two.page.keyboard.type(", both");
  await two.page.keyboard.press("Control+s");
  for (const each of [one, two]) await eventually(each.text).toBe(both.replace(" mine", " mine, both"));

  for (const [{ content, page }, word] of [
    [two, ", not least"],
    [one, ", at last"],
  ] as const) {
    await content.press("Control+End");
    await page.keyboard.type(word);
  }
  await Promise.all([one, two].map(({ page }) => page.keyboard.press("Control+s")));
  const another = one.window.getByRole("group", { name: "Changed elsewhere in the same lines" });
  const asked = async () => ((await other.isVisible()) ? two : (await another.isVisible()) ? one : undefined);
  await eventually(asked).toBeDefined();
  const late = (await asked()) ?? one;
  await late.window.getByRole("button", { name: "Take this" }).press("Enter");
  await late.page.keyboard.type("!");
  await late.page.keyboard.press("Control+s");
  await eventually(() => fileIn(one.home, "notes.md")).toMatch(/three\nlast, (not least|at last)!$/);
  expect(await choir(one.home, ["files"])).not.toContain("other version");
});

test("EDIT-13: versions are listed with who made them; an earlier one is held against what is shown, and brought back piece by piece and whole", async () => {
  const { home, page, window, text } = await editing(await seat(), "390 dark", { bytes: "old\nsame\nold too\n" });
  const beside = join(home.path, "notes.md"); // moved there: one that is being written may be seen half written
  writeFileSync(beside, "new\nsame\nnew too\n");
  renameSync(beside, join(rootOf(home), "workspace", "notes.md"));
  await eventually(text).toBe("new\nsame\nnew too\n");
  await window.getByRole("button", { name: "Versions" }).click();
  const versions = window.getByRole("region", { name: "Versions" });
  await eventually(() => versions.locator(".ed-who").allTextContents()).toEqual(["outside", "you"]);
  await versions.getByRole("listitem").nth(1).getByRole("button").click();
  await window.locator(".cm-deletedChunk").first().getByText("old").waitFor();
  await window.getByRole("button", { name: "Bring back", exact: true }).first().click();
  await eventually(text).toBe("old\nsame\nnew too\n");
  await window.getByRole("button", { name: "Bring back all of it" }).click();
  await eventually(text).toBe("old\nsame\nold too\n");
  await eventually(() => versions.getByRole("listitem").count()).toBe(4);
  expect(await fileIn(home, "notes.md")).toBe("old\nsame\nold too\n");
  await page.keyboard.press("Control+z");
  expect(await text()).toBe("old\nsame\nnew too\n");
  await page.keyboard.press("Control+z");
  expect(await text()).toBe("new\nsame\nnew too\n");
  await page.keyboard.press("Control+y");
  await page.keyboard.press("Control+y");
  await page.keyboard.press("Control+s");
  await eventually(() => fileIn(home, "notes.md")).toBe("old\nsame\nold too\n");
});

test("EDIT-13: all of an earlier version is brought back once it is there, and has the keys at once, also while what was typed before is being saved", async () => {
  const { home, page, window, text } = await editing(await seat(), "1024 dark", { bytes: "one\n" });
  await choir(home, ["write", "notes.md"], "two\n");
  await eventually(text).toBe("two\n");
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("my ");
  const [read, saved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route("**/file/**", (route) =>
    (route.request().method() === "GET" ? read : saved).promise.then(() => route.continue()),
  );
  await window.getByRole("button", { name: "Versions" }).click();
  const versions = window.getByRole("region", { name: "Versions" });
  await versions.getByRole("listitem").nth(1).getByRole("button").click();
  await window.getByText(/^Reading the version of /).waitFor();
  const all = window.getByRole("button", { name: "Bring back all of it" });
  expect(await all.count()).toBe(0);
  read.resolve();
  await all.click();
  await page.keyboard.press("Control+z");
  expect(await text()).toBe("my two\n");
  await page.keyboard.press("Control+y");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("on");
  expect(await text()).toBe("one\non");
  saved.resolve();
  await eventually(() => fileIn(home, "notes.md")).toBe("one\non");
  expect(await versionsOf(home, "notes.md")).toBe(4);
});

test("EDIT-13: a version whose lines end in another way, or whose file is gone, is brought back as the file it was, once, with its undo", async () => {
  const at = slow(await seat());
  const { content, desk, home, page, window, text } = await editing(at, "1440 light", { bytes: "one\r\ntwo\r\n" });
  await choir(home, ["write", "notes.md"], "one\nthree\n"); // at once: from outside it may be seen half written, as a version more
  await eventually(text).toBe("one\nthree\n");
  await window.getByRole("button", { name: "Versions" }).click();
  const version = async (nth: number) => {
    const versions = window.getByRole("region", { name: "Versions" }).getByRole("listitem");
    await versions.nth(nth).getByRole("button").click();
    await window.locator(".cm-deletedChunk").first().waitFor();
    await window.getByRole("button", { name: "Bring back all of it" }).click();
  };
  const free = await hold(page, '"restore"');
  await version(1);
  await content.and(desk.locator(":focus")).waitFor();
  expect(await window.getByRole("button", { name: "Bring back all of it" }).count()).toBe(0);
  await free();
  await eventually(() => fileIn(home, "notes.md")).toBe("one\r\ntwo\r\n");
  await desk.locator(".toast", { hasText: "notes.md is as it was" }).getByRole("button", { name: "Undo" }).click();
  await eventually(() => fileIn(home, "notes.md")).toBe("one\nthree\n");
  await eventually(text).toBe("one\nthree\n"); // what is shown stays, when its file goes
  await choir(home, ["rm", "notes.md"]);
  await window.getByText("The file was taken away.").waitFor();
  await version(4);
  await eventually(() => fileIn(home, "notes.md")).toBe("one\r\ntwo\r\n");
});

test("EDIT-14: what is found is replaced, one or all of it, and the preview beside it follows what is typed", async () => {
  const { content, page, text, window } = await editing(await seat(), "1024 light", {
    bytes: "# Red\n\nred, red and [green](a.md)\n",
  });
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
  const bytes = line.repeat(Math.floor((20_000_000 - 10) / line.length));
  const here = await editing(await seat(), "1440 light", { name: "long.txt", bytes });
  const { content, page, home, text, status, desk } = here;
  await content.press("Control+Home");
  await page.keyboard.type("begin ");
  expect((await text()).startsWith("begin a line")).toBe(true);
  await eventually(() => draftHas(page, "begin ")).toBe(true);
  await content.press("Control+End"); // a draft of it has all that lies between
  await page.keyboard.type("and an end", { delay: 300 });
  await eventually(() => draftHas(page, "and an end")).toBe(true);
  expect(await gapToNumbers(here)).toBeLessThan(1);
  expect(await versionsOf(home, "long.txt")).toBe(1);
  await content.press("Control+s");
  await eventually(status).toBe("Saved");
  expect(await versionsOf(home, "long.txt")).toBe(2);
  expect(await choir(home, ["exec", "--", "tail", "-c", "10", "long.txt"])).toBe("and an end");
  await choir(home, ["write", "in/longer.txt"], bytes + line.repeat(2));
  await say({ page, desk }, "open in/longer.txt");
  const longer = await windowOf({ page, desk }, "longer.txt");
  await longer.getByText("It has 20 MB. Text of up to 20 MB can be edited here").waitFor();
  await longer.getByText("run head in/longer.txt").waitFor();
});

test("EDIT-11: a file that is no text says what it is", async () => {
  const { home, page, desk } = await editing(await seat(), "390 light");
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

test.each(AUDITED)(
  "DESK-50: in a browser as at %s, all of the Editor can be read, has a name, and is within reach, in both themes",
  async (look, widths) => {
    const bytes = "# Title\n\n- [ ] one\n\n`code`\n";
    const { page, window, content } = await editing(await seat(), look, { bytes });
    const faults: string[] = [];
    const note = async (part: string) =>
      faults.push(...(await faultsAt(page, frameOf(page), widths)).map((fault) => `${part}, ${fault}`));
    await note("a text");
    await window.getByRole("button", { name: "Preview" }).click();
    await window.getByRole("heading", { name: "Title" }).waitFor();
    await note("its preview");
    await window.getByRole("button", { name: "Versions" }).click();
    await window.getByRole("region", { name: "Versions" }).getByRole("button").nth(1).click();
    await note("its versions");
    await content.focus();
    await page.keyboard.press("Control+f");
    await window.getByPlaceholder("Replace").waitFor();
    await note("find and replace");
    expect(faults).toEqual([]);
  },
);
