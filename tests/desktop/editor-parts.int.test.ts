import { crc32, deflateSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { choir } from "../console/stage.ts";
import { boxOf, CUT_OFF, eventually, frameOf, fileIn as hostFile, openDesk, say, windowOf } from "./desk.ts";
import { draftHas, editing, fileIn, inEditor } from "./editor-window.ts";
import { faultsAt } from "./look.ts";
import { seats } from "./seat.ts";
import { hold, slow } from "./slow.ts";

const seat = seats();

test("DESK-16, DESK-50: whoever opens a long file, or comes back to it, types into it, and nothing frames its text", async () => {
  const here = await editing(await seat(), "1440 light", { name: "tall.ts", bytes: "let x = 1;\n".repeat(200) });
  const { desk, home, page } = here;
  await page.keyboard.type("one ");
  await say(here, "about");
  await windowOf(here, "About this computer");
  await desk.getByRole("button", { name: "tall.ts", exact: true }).click();
  await page.keyboard.type("two ");
  await page.keyboard.press("Control+s");
  await eventually(() => fileIn(home, "tall.ts")).toMatch(/^one two let/);
  const has = await frameOf(page).evaluate(() => {
    const focused = document.querySelector(".ed-code")?.shadowRoot?.activeElement;
    return focused && [focused.className.split(" ")[0], getComputedStyle(focused).outlineStyle];
  });
  expect(has).toEqual(["cm-content", "none"]);
  expect(await faultsAt(page, frameOf(page), [1440])).toEqual([]);

  await say(here, `new doc prose.md`);
  const prose = await inEditor(here, "prose.md");
  await prose.content.fill(`${"so many words ".repeat(30)}\n`.repeat(40));
  await page.keyboard.press("Control+s");
  await eventually(prose.status).toBe("Saved");
  await desk.getByRole("button", { name: "Close prose.md" }).click();
  await prose.window.waitFor({ state: "detached" });
  await say(here, "open prose.md");
  await inEditor(here, "prose.md");
  await page.keyboard.type("three ");
  await page.keyboard.press("Control+s");
  await eventually(() => fileIn(home, "prose.md")).toMatch(/^three so/);
});

test("DESK-80, EDIT-6: what is typed before a document is there is in its text; before one is opened, all of it in the bar", async () => {
  const here = await openDesk(await seat(), "1440 dark");
  const { desk, page } = here;
  const chunks = `${here.seat.desk}/assets/app-*.js`;
  const held = Promise.withResolvers<void>();
  await page.route(chunks, (route) => held.promise.then(() => route.continue()));
  await say(here, "new doc early");
  await desk.getByRole("region", { name: "Editor" }).and(desk.locator(":focus")).waitFor();
  await page.keyboard.type("Dear Bob?");
  for (const key of ["Backspace", "Enter", "H"]) await page.keyboard.press(key);
  held.resolve();
  const early = await inEditor(here, "early.md");
  await early.content.and(desk.locator(":focus")).waitFor();
  await page.keyboard.type("!");
  await eventually(early.text).toBe("Dear Bob\nH!");
  await page.keyboard.press("Control+s");
  await eventually(() => fileIn(here.home, "early.md")).toBe("Dear Bob\nH!");

  const bar = desk.getByRole("combobox");
  const begun: string[] = [];
  for (const name of ["one", "two", "three"]) {
    await say(here, `new doc ${name}`);
    await page.keyboard.type("to whom it may concern", { delay: 20 });
    const { text } = await inEditor(here, `${name}.md`);
    // In the bar where the server took so long that it isn't about the document any more.
    await eventually(async () => [await bar.inputValue(), await text()].sort()).toEqual(["", "to whom it may concern"]);
    begun.push(await text());
  }
  expect(begun).toContain("to whom it may concern");
  await desk.getByRole("button", { name: "Close one.md" }).click();
  await say(here, "open one.md");
  await page.keyboard.type("theme light");
  const { text } = await inEditor(here, "one.md");
  const typed = async () => [await bar.inputValue(), (await text()).replace("to whom it may concern", "")].sort();
  await eventually(typed).toEqual(["", "theme light"]);
});

test("DESK-80: what is typed before the Editor's start page is there is looked for there; what is typed once one is chosen is in its text", async () => {
  const at = await seat();
  await choir(at.home, ["write", "report.md"], "mine\n");
  const here = await openDesk(at, "390 light");
  const { desk, page } = here;
  const held = Promise.withResolvers<void>();
  await page.route(`${at.desk}/assets/app-*.js`, (route) => held.promise.then(() => route.continue()));
  await say(here, "editor");
  const window = desk.getByRole("region", { name: "Editor" });
  await window.and(desk.locator(":focus")).waitFor();
  await page.keyboard.type("rep");
  held.resolve();
  await window.getByRole("searchbox").and(desk.locator(":focus")).waitFor();
  await page.keyboard.type("ort");
  expect(await window.getByRole("searchbox").inputValue()).toBe("report");
  await window.getByRole("heading", { name: "Found" }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("it is ");
  const { content, text } = await inEditor(here, "report.md");
  await content.and(desk.locator(":focus")).waitFor();
  await page.keyboard.type("not ");
  expect(await text()).toBe("it is not mine\n");
});

test("DESK-80: on the Editor's start page Enter opens what is found by the words that are there, also where that takes its time; what is typed before a new document is made is in its text, also where another file is chosen meanwhile", async () => {
  const at = slow(await seat());
  await choir(at.home, ["write", "report.md"], "the report\n");
  await choir(at.home, ["write", "last.md"], "the last\n");
  const here = await openDesk(at, "1440 dark");
  const { desk, home, page } = here;
  const begun = async () => {
    await say(here, "editor");
    const window = desk.getByRole("region", { name: "Editor", exact: true });
    await window.getByRole("searchbox").and(desk.locator(":focus")).waitFor();
    return { window, last: window.getByRole("button", { name: /^last/ }) };
  };
  const { last } = await begun();
  await last.waitFor();
  const find = await hold(page, '"find"');
  await page.keyboard.type("report");
  await page.keyboard.press("Enter");
  await page.keyboard.type("so ");
  await find();
  const report = await inEditor(here, "report.md");
  await eventually(report.text).toBe("so the report\n");

  const none = await begun();
  const nothing = await hold(page, '"find"');
  await page.keyboard.type("nowhere");
  await page.keyboard.press("Enter");
  await page.keyboard.type(" else");
  await nothing();
  await none.window.getByText("No file has these words in its name.").waitFor();
  await none.window.getByRole("searchbox").and(desk.locator(":focus")).waitFor();
  expect(await none.window.getByRole("searchbox").inputValue()).toBe("nowhere else");
  await page.keyboard.press("Control+Alt+w");
  await none.window.waitFor({ state: "detached" });

  const again = await begun();
  const make = await hold(page, '"arrange"');
  await again.window.getByRole("button", { name: "New document" }).dblclick();
  await page.keyboard.type("hi there");
  await again.last.click();
  const other = await inEditor(here, "last.md");
  await other.content.and(desk.locator(":focus")).waitFor();
  await make();
  const made = await inEditor(here, "Untitled.md");
  await eventually(made.text).toBe("hi there");
  expect(await other.text()).toBe("the last\n");
  await made.content.press("Control+s");
  await eventually(() => fileIn(home, "Untitled.md")).toBe("hi there");
  expect(await desk.locator(".toast").allTextContents()).toEqual([]);
});

test("DESK-80: a button that goes with what it does leaves the keys to the text", async () => {
  const at = await seat();
  await choir(at.home, ["write", "notes.md"], "a line\n");
  const here = await openDesk(at, "1440 dark", { expectErrors: CUT_OFF });
  const { home, page } = here;
  let refused: string | undefined = "GET";
  const read = Promise.withResolvers<void>();
  await page.route("**/file/**", async (route) => {
    if (route.request().method() === refused) return route.fulfill({ status: 500, body: "" });
    await read.promise;
    await route.continue();
  });
  await say(here, "open notes.md");
  const window = await windowOf(here, "notes.md");
  const press = async (name: string, words: string) => {
    await window.getByRole("button", { name, exact: true }).click();
    await page.keyboard.type(words);
  };
  await window.getByRole("button", { name: "Try again" }).waitFor();
  refused = undefined;
  await press("Try again", "one ");
  read.resolve();
  const { text } = await inEditor(here, "notes.md");
  const begins = (words: string) => eventually(async () => (await text()).split("a line")[0]).toBe(words);
  await begins("one ");
  await window.getByRole("button", { name: "Versions" }).click();
  await press("Close versions", "two ");
  await begins("one two ");
  refused = "PUT";
  await page.keyboard.press("Control+s");
  await window.getByRole("button", { name: "Try again" }).waitFor();
  refused = undefined;
  await press("Try again", "three ");
  await begins("one two three ");
  await page.keyboard.press("Control+s");
  await eventually(() => fileIn(home, "notes.md")).toMatch(/^one two three /);
  await choir(home, ["rm", "notes.md"]);
  await press("Save it again", "four ");
  await begins("one two three four ");
  await page.keyboard.press("Control+s");
  await eventually(() => fileIn(home, "notes.md")).toMatch(/^one two three four /);
});

test("DESK-80: a button that goes with what it says of another life leaves the keys to the text", async () => {
  const { page, text, window } = await editing(await seat(), "1440 dark", { bytes: "a line\n" });
  for (const [typed, name, then] of [
    ["one ", "Leave it at that", "two "],
    ["three ", "Discard it", "four "],
  ] as const) {
    await refuseToSave(page);
    await page.keyboard.type(typed);
    await eventually(() => draftHas(page, typed)).toBe(true);
    await page.reload();
    await window.getByRole("button", { name, exact: true }).click();
    await page.keyboard.type(then);
    await eventually(text).toContain(then);
  }
  expect(await text()).toBe("four a line\n");
});

/** Until it is loaded anew. What a page sends as it goes is past its routes by then. */
function refuseToSave(page: Page): Promise<void> {
  return frameOf(page).evaluate(() => {
    const { fetch } = globalThis;
    globalThis.fetch = async (what, how) =>
      how?.method === "PUT" ? new Response("", { status: 500 }) : fetch(what, how);
  });
}

test("EDIT-2, DESK-50: a place to choose that opens where one types is in sight, and the others are one press away, by pointer and by key", async () => {
  const lines = Array.from({ length: 120 }, (_, i) => `const line${i + 1} = ${i + 1};`);
  const here = await editing(await seat(), "1440 light", { name: "long.ts", bytes: lines.join("\n") });
  const { content, home, page, window } = here;
  const typeAt = async (keys: readonly string[]) => {
    for (const key of [...keys, "End"]) await content.press(key);
    await page.keyboard.type(" // mine");
  };
  await typeAt(["Control+End"]);
  await typeAt(["Control+Home"]);
  await typeAt(Array.from({ length: 20 }, () => "ArrowDown")); // the last that is in sight
  await choir(
    home,
    ["write", "long.ts"],
    lines.map((line, i) => ([0, 20, 119].includes(i) ? `${line} // theirs` : line)).join("\n"),
  );
  const inSight = async (number: number) => {
    const sight = await boxOf(window.locator(".cm-scroller"));
    const mine = window.locator(".mine").filter({ hasText: `const line${number} ` });
    const theirs = window.getByRole("group").filter({ hasText: `const line${number} ` });
    if ((await theirs.count()) === 0) return false;
    const boxes = [await boxOf(mine), await boxOf(theirs)];
    return boxes.every(({ y, height }) => y >= sight.y && y + height <= sight.y + sight.height);
  };
  await window.getByText("at 3 places").waitFor();
  await eventually(() => inSight(21)).toBe(true);
  await page.keyboard.type("!");
  await window.getByRole("button", { name: "Next" }).click();
  await eventually(() => inSight(120)).toBe(true);
  await page.keyboard.press("F8");
  await eventually(() => inSight(1)).toBe(true);
  await page.keyboard.press("Shift+F8");
  await eventually(() => inSight(120)).toBe(true);
  expect(await faultsAt(page, frameOf(page), [1440])).toEqual([]);
  await page.keyboard.type("!"); // still for the text
  await page.keyboard.press("Shift+F8");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter"); // "Keep mine"
  await window.getByText("at 2 places").waitFor();
  await page.keyboard.press("F8");
  for (const key of ["Tab", "Tab", "Enter"]) await page.keyboard.press(key); // "Take this"
  await window.getByRole("button", { name: "Show", exact: true }).click();
  for (const key of ["Tab", "Enter"]) await page.keyboard.press(key);
  const changed = { 1: " // mine", 21: " // mine!", 120: " // theirs" } as Readonly<Record<number, string>>; // by its number
  const chosen = lines.map((line, i) => `${line}${changed[i + 1] ?? ""}`).join("\n");
  await eventually(() => fileIn(home, "long.ts")).toBe(chosen);
});

test("EDIT-2: where the preview has the place of the text, showing a place to choose gives it back", async () => {
  const { content, home, page, window } = await editing(await seat(), "390 dark", { bytes: "one\n" });
  await content.press("Control+Home");
  await page.keyboard.type("my ");
  await window.getByRole("button", { name: "Preview" }).click();
  await window.getByRole("region", { name: "Preview" }).waitFor();
  await choir(home, ["write", "notes.md"], "their one\n");
  await window.getByRole("button", { name: "Show", exact: true }).click();
  await window.getByRole("button", { name: "Take this" }).click();
  await eventually(() => fileIn(home, "notes.md")).toBe("their one\n");
});

test("DESK-31: a file that is dropped over a document comes in, and none of it gets into the text", async () => {
  const here = await editing(await seat(), "1440 dark", { bytes: "mine\n" });
  await here.content.dispatchEvent("drop", { dataTransfer: await hostFile(here.page, "theirs.txt", "theirs") });
  await here.desk.getByText("theirs.txt is in workspace").waitFor();
  expect(await fileIn(here.home, "theirs.txt")).toBe("theirs");
  expect(await here.text()).toBe("mine\n");
});

test("EDIT-10, DESK-50: mixed ends of lines are said, made one kind by one press, and mixed again by undo", async () => {
  const bytes = "one\r\ntwo\r\nthree\nfour";
  const { content, home, page, window, status, text } = await editing(await seat(), "390 light", { bytes });
  await window.getByText("Mixed ends").waitFor();
  const { x, width } = await boxOf(window.getByRole("button", { name: "Make all CRLF" }));
  expect([x + width < 390, await faultsAt(page, frameOf(page), [390])]).toEqual([true, []]);
  await window.getByRole("button", { name: "Make all CRLF" }).click();
  await eventually(() => fileIn(home, "notes.md")).toBe("one\r\ntwo\r\nthree\r\nfour");
  await eventually(status).toBe("Saved");
  expect([await text(), await window.getByText("Mixed ends").count()]).toEqual(["one\ntwo\nthree\nfour", 0]);
  await content.press("Control+z");
  await content.press("Control+s");
  await eventually(() => fileIn(home, "notes.md")).toBe(bytes);
  await window.getByText("Mixed ends").waitFor();
});

test("EDIT-5: what was typed right before the page is loaded anew is there again, in the file, and nobody is asked", async () => {
  const here = await editing(await seat(), "1024 dark", { bytes: "one\n" });
  const { home, page } = here;
  for (const word of ["abcdefghijkl", "mnopqrstuvwx"]) {
    await page.keyboard.press("Control+End");
    await page.keyboard.type(word, { delay: 25 });
    await page.reload();
    const again = await inEditor(here, "notes.md");
    await eventually(again.text).toContain(word);
    await again.content.focus();
  }
  await eventually(() => fileIn(home, "notes.md")).toBe("one\nabcdefghijklmnopqrstuvwx");
  expect(await here.window.getByRole("group", { name: "Changed elsewhere in the same lines" }).count()).toBe(0);
});

test("EDIT-14, DESK-50: find says what it found, or why nothing, also beside a preview and versions, where all of it is within reach", async () => {
  const here = await editing(await seat(), "1024 light", { bytes: "red, red\n" });
  const { content, page, window } = here;
  for (const part of ["Preview", "Versions"]) await window.getByRole("button", { name: part }).click();
  await content.focus();
  await page.keyboard.press("Control+f");
  await page.keyboard.type("red");
  await window.getByText("2 found").waitFor();
  await page.keyboard.press("Enter");
  await window.getByText("1 of 2").waitFor();
  await window.getByLabel("Pattern").check();
  await window.getByPlaceholder("Find").fill("[");
  await page.keyboard.press("Shift");
  await window.getByText("Not a pattern").waitFor();
  const { x, width } = await boxOf(window.locator(".cm-search"));
  for (const one of await window.locator(".cm-search :is(input, button, label, span)").all()) {
    const box = await boxOf(one);
    expect(box.x >= x && box.x + box.width <= x + width, await one.evaluate((it) => it.outerHTML)).toBe(true);
  }
});

test("EDIT-14: without “Pattern” what is searched for and what takes its place are taken as they are; with it, both are a pattern's", async () => {
  const bytes = 'puts("hi\\n");\npath = "C:\\new";\nNEW newer\n';
  const { content, home, page, window, status } = await editing(await seat(), "1440 dark", { name: "code.c", bytes });
  const [find, replace] = [window.getByPlaceholder("Find"), window.getByPlaceholder("Replace")];
  const found = window.locator(".cm-found");
  const search = async (text: string) => {
    await find.fill(text);
    await find.press("Shift"); // the panel hears keys
  };
  const all = async (text: string) => {
    await replace.fill(text);
    await window.getByRole("button", { name: "Replace all" }).click();
  };
  for (const key of ["Control+Home", "Shift+Control+End", "Control+f"]) await content.press(key);
  expect(await find.inputValue()).toBe(""); // several lines are no words to look for
  await search("hi\\n");
  await eventually(() => found.textContent()).toBe("1 found");
  await search("C:\\new");
  await eventually(() => found.textContent()).toBe("1 found");
  await all("C:\\temp\\new");
  await search("new");
  await eventually(() => found.textContent()).toBe("3 found");
  await window.getByLabel("Whole words").check();
  await eventually(() => found.textContent()).toBe("2 found");
  await window.getByLabel("Match case").check();
  await eventually(() => found.textContent()).toBe("1 found");
  await window.getByLabel("Whole words").uncheck();
  await window.getByLabel("Pattern").check();
  await search("(new)er$");
  await all("\\n$1");
  await page.keyboard.press("Control+s");
  await eventually(status).toBe("Saved");
  expect(await fileIn(home, "code.c")).toBe('puts("hi\\n");\npath = "C:\\temp\\new";\nNEW \nnew\n');
});

test("EDIT-14: where there is room for the preview or the versions only, one gives way to the other", async () => {
  const here = await editing(await seat(), "390 light", { bytes: "# Title\n" });
  const { window } = here;
  const [preview, versions] = ["Preview", "Versions"].map((name) => window.getByRole("button", { name, exact: true }));
  if (preview === undefined || versions === undefined) throw new Error("there are two");
  const pressed = async () => [await preview.getAttribute("aria-pressed"), await versions.getAttribute("aria-pressed")];
  await versions.click();
  await window.getByRole("region", { name: "Versions" }).waitFor();
  await preview.click();
  await window.getByRole("heading", { name: "Title" }).waitFor();
  expect(await pressed()).toEqual(["true", "false"]);
  await versions.click();
  await window.getByRole("region", { name: "Versions" }).waitFor();
  await eventually(pressed).toEqual(["false", "true"]);
});

test("EDIT-4: a file that isn't text any more is told as that, and its text takes its place by wish", async () => {
  const here = await editing(await seat(), "1024 dark", { bytes: "words\n" });
  const { home, window } = here;
  await choir(home, ["write", "notes.md"], "\u0000\u0001\u0002\u0003");
  await window.getByText(/isn't text any more: Binary data\./).waitFor();
  await window.getByRole("button", { name: "Save it again" }).click();
  await eventually(() => choir(home, ["cat", "notes.md"])).toBe("words\n");
  await window.getByText(/isn't text any more/).waitFor({ state: "detached" });
});

test("EDIT-11, DESK-60: a folder that a document links to is told as that, and leads to Files", async () => {
  const seated = await seat();
  await choir(seated.home, ["write", "docs/one.md"], "one\n");
  const here = await editing(seated, "1440 light", { name: "read.md", bytes: "[the docs](docs/)\n" });
  await here.window.getByRole("button", { name: "Preview", exact: true }).click();
  await here.window.getByRole("button", { name: "the docs" }).click();
  const docs = await windowOf(here, "docs");
  await docs.getByText("This is a folder.").waitFor();
  expect(await docs.getByRole("textbox").count()).toBe(0);
  await docs.getByRole("button", { name: "Show in Files" }).click();
  await here.desk.getByRole("option", { name: "one.md" }).waitFor();
});

test("EDIT-11: a picture is shown, within its window and with what it is, and follows its file", async () => {
  const here = await openDesk(await seat(), "1024 light");
  const paint = (width: number) =>
    choir(here.home, ["exec", "--", "sh", "-c", `echo ${pngOf(width, 2000)} | base64 -d > map.png`]);
  await paint(3000);
  await say(here, "open map.png");
  const window = await windowOf(here, "map.png");
  const picture = window.getByRole("img", { name: "map.png" });
  await window.getByText("PNG picture, 3000 × 2000").waitFor();
  const [outer, inner] = [await boxOf(window), await boxOf(picture)];
  expect(inner.width / inner.height).toBeCloseTo(1.5, 1);
  expect(inner.width < outer.width && inner.height < outer.height).toBe(true);
  await paint(1000);
  await window.getByText("PNG picture, 1000 × 2000").waitFor();
});

/** A black picture, in base 64. */
function pngOf(width: number, height: number): string {
  const part = (type: string, bytes: Buffer) => {
    const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    const body = Buffer.concat([Buffer.from(type), bytes]);
    size.writeUInt32BE(bytes.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, check]);
  };
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]); // one bit for each place
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height));
  const parts = [part("IHDR", head), part("IDAT", rows), part("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]).toString("base64");
}
