import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rootOf } from "../console/home.ts";
import { choir, live, tempHome } from "../console/stage.ts";
import { boxOf, eventually, openDesk, say, windowOf } from "./desk.ts";
import { filesWindow, putFiles, showFiles } from "./files-window.ts";
import { seats } from "./seat.ts";
import { hold, slow } from "./slow.ts";

const seat = seats();

const FEW = { "a.md": "# A\n", "b.txt": "b", "c.txt": "c", "d.txt": "d", "docs/x.md": "x" };
const UPLOADED = { mimeType: "text/plain", buffer: Buffer.from("uploaded") };

test("FILES-3: a click on a column sorts by it, and again turns it around; a grid shows the same, and is sorted by its menu", async () => {
  const { desk, window, names } = await filesWindow(await seat(), "1024 dark", {
    "big.txt": "x".repeat(5000),
    "small.txt": "x",
    "d/x": "x",
  });
  await eventually(names).toEqual(["d", "big.txt", "small.txt"]);
  await window.getByRole("button", { name: "Size", exact: true }).click();
  await window.getByRole("button", { name: "Size, downwards" }).click();
  await eventually(names).toEqual(["d", "small.txt", "big.txt"]);
  await window.getByRole("button", { name: "Show as a grid" }).click();
  await window.locator(".files-tile").first().waitFor();
  await eventually(names).toEqual(["d", "small.txt", "big.txt"]);
  await window.getByRole("button", { name: "What can be done" }).click();
  await desk.getByRole("menuitem", { name: "Sort by size, downwards" }).click();
  await eventually(names).toEqual(["d", "big.txt", "small.txt"]);
});

test("FILES-4: things are chosen by click, Ctrl, Shift and a frame", async () => {
  const { page, item, chosen, list } = await filesWindow(await seat(), "1440 light", FEW);
  await item("b.txt").click();
  await item("d.txt").click({ modifiers: ["Shift"] });
  expect(await chosen()).toEqual(["b.txt", "c.txt", "d.txt"]);
  await item("c.txt").click({ modifiers: ["ControlOrMeta"] });
  expect(await chosen()).toEqual(["b.txt", "d.txt"]);
  const [top, bottom] = [await boxOf(item("a.md")), await boxOf(item("c.txt"))];
  await page.mouse.move(top.x + 300, top.y + 5);
  await page.mouse.down();
  await page.mouse.move(top.x + 340, top.y + 40, { steps: 4 });
  await page.mouse.move(bottom.x + 360, bottom.y + 5, { steps: 4 });
  expect(await chosen()).toEqual(["a.md", "b.txt", "c.txt"]);
  await page.mouse.up();
  expect(await chosen()).toEqual(["a.md", "b.txt", "c.txt"]);
  const all = await boxOf(list);
  await page.mouse.click(all.x + 200, all.y + all.height - 10);
  expect(await chosen()).toEqual([]);
});

test("FILES-4, FILES-6: all of it works by keyboard alone: choose, type ahead, open, go up, come back; words for Find stay behind", async () => {
  const here = await filesWindow(await seat(), "1024 light", FEW);
  const { page, desk, chosen, list, window } = here;
  await eventually(() => list.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.press("ArrowDown");
  expect(await chosen()).toEqual(["docs"]);
  await page.keyboard.press("Shift+ArrowDown");
  expect(await chosen()).toEqual(["docs", "a.md"]);
  await page.keyboard.press("Control+a");
  expect((await chosen()).length).toBe(5);
  await page.keyboard.press("Escape");
  await page.keyboard.type("c");
  expect(await chosen()).toEqual(["c.txt"]);
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await windowOf(here, "docs");
  await desk.getByRole("option", { name: /^x\.md/ }).waitFor();
  await page.keyboard.press("Backspace");
  await eventually(chosen).toEqual(["docs"]);
  await page.keyboard.press("Alt+ArrowLeft");
  await desk.getByRole("option", { name: /^x\.md/ }).waitFor();
  const find = window.getByRole("searchbox", { name: "Find files" });
  await find.fill("b");
  await window.getByRole("button", { name: "workspace", exact: true }).click();
  await eventually(() => find.inputValue()).toBe("");
});

test("DESK-80: while a folder is still read its window has the keys, and they go on to its files", async () => {
  const at = slow(await seat());
  await putFiles(at.home, { ...FEW, "docs/old/x.md": "x" });
  const { page, desk, window, list, chosen } = await showFiles(await openDesk(at, "1440 dark"), "docs/old");
  await list.and(desk.locator(":focus")).waitFor();
  const free = await hold(page, '"files"');
  const isAt = (name: string) => window.locator("[aria-current=page]").getByText(name, { exact: true }).waitFor();
  await page.keyboard.press("Backspace");
  await isAt("docs");
  await page.keyboard.press("Backspace");
  await isAt("workspace");
  await free();
  await eventually(chosen).toEqual(["docs"]);
  await page.keyboard.press("ArrowDown");
  await eventually(chosen).toEqual(["a.md"]);
});

test("DESK-80: who leaves a folder that is gone for an empty one has the keys there", async () => {
  const at = await seat();
  await putFiles(at.home, { "docs/x.md": "x" });
  const { page, desk, window } = await showFiles(await openDesk(at, "1024 dark"), "docs");
  await choir(at.home, ["rm", "docs"]);
  await window.getByRole("button", { name: "Go to" }).press("Enter");
  await window.getByText("This folder is empty.").waitFor();
  await window.locator(".files-room").and(desk.locator(":focus")).waitFor();
  await page.keyboard.press("Alt+ArrowLeft");
  await window.getByText("isn't there").waitFor();
});

test("FILES-4: more than a desk has room for isn't opened at once, and that is said", async () => {
  const many = Object.fromEntries(Array.from({ length: 13 }, (_, i) => [`${i}.txt`, "x"]));
  const { page, desk, item, chosen } = await filesWindow(await seat(), "1440 dark", many);
  await item("0.txt").click();
  await page.keyboard.press("Control+a");
  await eventually(async () => (await chosen()).length).toBe(13);
  await page.keyboard.press("Enter");
  await desk.getByText("13 are chosen, and 12 at most are opened at once.").waitFor();
  expect(await desk.getByRole("region", { name: /\.txt$/ }).count()).toBe(0);
});

test("FILES-5, FILES-14: a name is changed in its place, wrong ones are refused as they are typed, and Ctrl-Z brings the old one back, also after a reload", async () => {
  const { page, window, item, names, chosen } = await filesWindow(await seat(), "390 dark", FEW);
  await item("a.md").click();
  await page.keyboard.press("F2");
  const field = window.getByRole("textbox", { name: "New name" });
  await field.waitFor();
  await page.keyboard.type("b.txt/");
  await window.getByText("can't have a slash").waitFor();
  await field.fill("b.txt");
  await window.getByText("“b.txt” is here already.").waitFor();
  await page.keyboard.press("Enter");
  expect(await field.isVisible()).toBe(true);
  await field.fill("z.md");
  await page.keyboard.press("Enter");
  await eventually(names).toEqual(["docs", "b.txt", "c.txt", "d.txt", "z.md"]);
  await page.keyboard.press("Control+z");
  await eventually(names).toEqual(["docs", "a.md", "b.txt", "c.txt", "d.txt"]);
  expect(await chosen()).toEqual(["a.md"]);
  await page.keyboard.press("Control+Shift+z");
  await eventually(names).toContain("z.md");
  await page.reload();
  await item("z.md").click();
  await page.keyboard.press("Control+z");
  await eventually(names).toEqual(["docs", "a.md", "b.txt", "c.txt", "d.txt"]);
});

test("FILES-14: what was taken back elsewhere is passed over by Ctrl-Z, its notice goes, and what was done before it is taken back", async () => {
  const here = await filesWindow(await seat(), "1440 dark", FEW);
  const { desk, item, list, names, page } = here;
  await item("b.txt").click();
  await page.keyboard.press("F2");
  await page.keyboard.type("z");
  await page.keyboard.press("Enter");
  await eventually(names).toEqual(["docs", "a.md", "c.txt", "d.txt", "z.txt"]);
  await item("a.md").click();
  await page.keyboard.press("Delete");
  const deleted = desk.locator(".toast", { hasText: "Deleted a.md" });
  await deleted.getByRole("button", { name: "Undo" }).waitFor();
  await say(here, "undo");
  await eventually(names).toEqual(["docs", "a.md", "c.txt", "d.txt", "z.txt"]);
  await list.focus();
  await page.keyboard.press("Control+z");
  await eventually(names).toEqual(["docs", "a.md", "b.txt", "c.txt", "d.txt"]);
  await desk.getByText("Taken back: Renamed b.txt to z.txt").waitFor();
  await desk.locator(".toast").getByText("Deleted a.md", { exact: true }).waitFor({ state: "detached" });
});

test("FILES-4: the keys for a menu open that of what is chosen, below it, and it stays chosen", async () => {
  const { page, desk, item, chosen } = await filesWindow(await seat(), "1440 light", FEW);
  await item("b.txt").click();
  await page.keyboard.press("ArrowDown");
  for (const key of ["Shift+F10", "ContextMenu"]) {
    await page.keyboard.press(key);
    await desk.getByRole("menuitem", { name: "Rename" }).waitFor();
    const [menu, cell] = [await boxOf(desk.getByRole("menu")), await boxOf(item("c.txt"))];
    expect([menu.x - cell.x, menu.y - cell.y - cell.height]).toEqual([24, -4]);
    await page.keyboard.press("Escape");
    await desk.getByRole("menu").waitFor({ state: "detached" });
    expect(await chosen()).toEqual(["c.txt"]);
  }
  await item("a.md").click({ button: "right" });
  expect(await chosen()).toEqual(["a.md"]);
});

test("FILES-4, FILES-5: what goes away while it is renamed is told of, the keys stay near it, and nothing waits for it to come back", async () => {
  const { home, page, desk, window, item, chosen, names } = await filesWindow(await seat(), "1440 dark", FEW);
  const field = window.getByRole("textbox", { name: "New name" });
  await item("c.txt").click();
  await page.keyboard.press("F2");
  await field.waitFor();
  await page.keyboard.type("zz");
  await choir(home, ["rm", "c.txt"]);
  await desk.getByText("c.txt went away while it was being renamed.").waitFor();
  expect(await field.count()).toBe(0);
  await eventually(chosen).toEqual(["d.txt"]);
  await page.keyboard.press("ArrowUp");
  await eventually(chosen).toEqual(["b.txt"]);
  await choir(home, ["write", "c.txt"], "again");
  await eventually(names).toEqual(["docs", "a.md", "b.txt", "c.txt", "d.txt"]);
  expect(await field.count()).toBe(0);

  await page.keyboard.press("F2");
  await field.waitFor();
  await choir(home, ["rm", "a.md"]);
  await eventually(names).toEqual(["docs", "b.txt", "c.txt", "d.txt"]);
  await page.keyboard.type("y");
  await page.keyboard.press("Enter");
  await eventually(names).toEqual(["docs", "c.txt", "d.txt", "y.txt"]);
});

test("FILES-7, FILES-14: what is cut or copied is pasted elsewhere under a name that is free, and one undo takes it back", async () => {
  const { page, desk, item, names, window } = await filesWindow(await seat(), "1024 dark", {
    ...FEW,
    "docs/b.txt": "other",
  });
  await item("b.txt").click();
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Control+v");
  await eventually(names).toContain("b copy.txt");
  await item("c.txt").click();
  await item("b.txt").click({ modifiers: ["ControlOrMeta"] });
  await page.keyboard.press("Control+x");
  await item("docs").dblclick();
  await item("x.md").waitFor();
  await page.keyboard.press("Control+v");
  await eventually(names).toEqual(["b 2.txt", "b.txt", "c.txt", "x.md"]);
  await desk.getByText("Moved 2 items to docs").waitFor();
  await desk.locator(".toast", { hasText: "Moved 2 items" }).getByRole("button", { name: "Undo" }).click();
  await eventually(names).toEqual(["b.txt", "x.md"]);
  await window.getByRole("button", { name: "workspace" }).click();
  await eventually(names).toContain("c.txt");
});

test("FILES-7: what is made, pasted or uploaded in a folder that is still read gets a name that is free in it", async () => {
  const at = slow(await seat());
  await putFiles(at.home, { ...FEW, "docs/c.txt": "other", "docs/New folder/x": "x" });
  const { page, desk, item, names, window } = await showFiles(await openDesk(at, "1024 dark"));
  await item("c.txt").click();
  await page.keyboard.press("Control+c");
  const free = await hold(page, '"files"');
  await item("docs").dblclick();
  await window.locator("[aria-current=page]").getByText("docs").waitFor();
  await page.keyboard.press("Control+v");
  await window
    .locator("input[type=file]")
    .first()
    .setInputFiles({ ...UPLOADED, name: "x.md" });
  await window.getByRole("button", { name: "New", exact: true }).click();
  await desk.getByRole("menuitem", { name: "New folder" }).click();
  await free();
  await eventually(names).toEqual(["New folder", "New folder 2", "c 2.txt", "c.txt", "x 2.md", "x.md"]);
});

test("FILES-5: what is made is named at once: what is typed right after is its name, whenever it is made", async () => {
  const { home, page, desk, window, names } = await filesWindow(await seat(), "1024 dark", { "report.md": "x" });
  const make = async (what: string, name: string) => {
    await window.getByRole("button", { name: "New", exact: true }).focus();
    await page.keyboard.press("Enter");
    await desk.getByRole("menuitem", { name: what }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
  };
  await make("New folder", "reports");
  await make("New file", "rows");
  await eventually(names).toEqual(["reports", "report.md", "rows.md"]);
  await eventually(() => choir(home, ["files"])).toMatch(/reports\/\n.*rows\.md/s);
  await window.getByRole("listbox").and(desk.locator(":focus")).waitFor();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await eventually(names).toEqual(["reports", "report.md"]);
});

test("DESK-14: the keys of the desk work, too, where words or a name are typed in Files", async () => {
  const { page, desk, window, item } = await filesWindow(await seat(), "1024 light", FEW);
  await page.keyboard.press("Control+f");
  await window.getByRole("searchbox", { name: "Find files" }).and(desk.locator(":focus")).waitFor();
  await page.keyboard.press("F6");
  await window.and(desk.locator(":focus")).waitFor();
  await page.keyboard.press("Control+f");
  await page.keyboard.press("Control+k");
  await desk.getByRole("combobox").and(desk.locator(":focus")).waitFor();
  await item("a.md").click();
  await page.keyboard.press("F2");
  await window.getByRole("textbox", { name: "New name" }).and(desk.locator(":focus")).waitFor();
  await page.keyboard.press("Control+Alt+ArrowLeft");
  await eventually(() => window.getAttribute("data-state")).toBe("left");
});

test("FILES-3, FILES-9: files and folders are made, named and deleted, and what others do is seen as it happens, with who it was", async () => {
  const { home, page, desk, item, window, names } = await filesWindow(await seat(), "390 light", {});
  await window.getByText("This folder is empty").waitFor();
  await window.getByRole("button", { name: "New", exact: true }).click();
  await desk.getByRole("menuitem", { name: "New folder" }).click();
  await window.getByRole("textbox", { name: "New name" }).waitFor();
  await page.keyboard.type("letters");
  await page.keyboard.press("Enter");
  await eventually(names).toEqual(["letters"]);
  writeFileSync(join(rootOf(home), "workspace", "from-outside.md"), "hello");
  await eventually(names).toEqual(["letters", "from-outside.md"]);
  await item("from-outside.md").getByText("outside", { exact: true }).waitFor();
  await page.keyboard.press("Delete");
  await eventually(names).toEqual(["from-outside.md"]);
  await desk.getByText("Deleted letters").first().waitFor(); // what is hoped for is shown before it is done
  expect(await choir(home, ["files"])).not.toContain("letters");
  await page.keyboard.press("Control+z");
  await eventually(names).toEqual(["letters", "from-outside.md"]);
});

test("FILES-1: a name that would deceive is shown written out, in the list and in the way to it", async () => {
  const { window, names, item } = await filesWindow(await seat(), "1440 light", { "d\u202e/gnp.\u202eexe": "x" });
  await eventually(names).toEqual(["d\\u{202e}"]);
  await item("d\\u{202e}").dblclick();
  await eventually(names).toEqual(["gnp.\\u{202e}exe"]);
  await window.getByRole("button", { name: "d\\u{202e}", exact: true }).waitFor();
});

test("FILES-12: text, Markdown and pictures are shown beside the list, and of all else what it is", async () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAAEUlEQVR4nGP8z8Dwn4GBgQEADwMCALeCxfIAAAAASUVORK5CYII=",
    "base64",
  );
  const { page, window, item } = await filesWindow(await seat(), "1024 light", {
    ...{
      "a.md": "# Bread\n\nis *good*",
      "b.ts": "const b = 1;\r\nlet c;\r\n",
      "c.png": png,
      "d.bin": Uint8Array.of(0, 1, 2),
    },
  });
  const pane = window.getByRole("complementary");
  await item("b.ts").click();
  await page.keyboard.press("Space");
  await pane.getByText("const b = 1;").waitFor();
  expect(await pane.locator("pre").textContent()).toBe("const b = 1;\nlet c;\n");
  await item("a.md").click();
  await pane.getByRole("heading", { name: "Bread" }).waitFor();
  await item("c.png").click();
  await pane.getByText("2 × 3").waitFor();
  await item("d.bin").click();
  await pane.getByText("3 B that are no text").waitFor();
});

test("FILES-13, FILES-15: every version of a file is listed with what it changed, and can be brought back and that undone; also when it is deleted", async () => {
  const { home, page, desk, window, item } = await filesWindow(await seat(), "1440 dark", { "a.md": "one\n" });
  await choir(home, ["write", "a.md"], "two\r\n");
  await choir(home, ["write", "a.md"], "three\r\n");
  await item("a.md").click();
  await window.getByRole("button", { name: "a.md has 3 versions" }).click();
  const pane = window.getByRole("complementary");
  await pane.getByText("-two").waitFor();
  const lines = () => pane.locator(".diff-lines > span:not(.hunk)").allTextContents();
  expect(await lines()).toEqual(["-two", "+three"]);
  const versions = pane.getByRole("list", { name: "Versions of a.md" }).getByRole("button");
  await versions.nth(2).click();
  await pane.getByText("+one").waitFor();
  await pane.getByRole("button", { name: "What came since" }).click();
  await pane.getByText("+three").waitFor();
  expect(await lines()).toEqual(["-oneLF", "+threeCRLF"]);
  await pane.getByRole("button", { name: "Bring back" }).dblclick();
  const second = desk.locator(".toast", { hasText: "a.md already is as it was" });
  await Promise.all([
    desk.getByText(/Brought back a\.md/).waitFor(),
    eventually(() => second.getAttribute("data-kind")).toBe("said"),
  ]);
  expect(await choir(home, ["cat", "a.md"])).toBe("one\n");
  await item("a.md").click();
  await page.keyboard.press("Control+z");
  await eventually(() => choir(home, ["cat", "a.md"])).toBe("three\r\n");
  await page.keyboard.press("Delete");
  await window.getByText("This folder is empty").waitFor();
  await pane.getByRole("button", { name: "Deleted" }).click();
  await pane.getByText("just now · you").waitFor();
  await pane.getByRole("button", { name: "Bring back a.md" }).click();
  await item("a.md").waitFor();
  await pane.getByText("Nothing that was deleted").waitFor();
  expect(await choir(home, ["cat", "a.md"])).toBe("three\r\n");
});

test("FILES-2: 10,000 files in one folder scroll with a few dozen on the page, and the keys reach each end", async () => {
  const at = await seat();
  const folder = tempHome().path;
  for (let i = 0; i < 10_000; i++) writeFileSync(join(folder, `file ${i}.txt`), "");
  await live(at.home, async (computer) => void (await computer.add(folder, "workspace/many")));
  const here = await openDesk(at, "1024 light");
  const { page, window, item, list, names, chosen } = await showFiles(here);
  await item("many").dblclick();
  await window.getByText("10,000 items").waitFor();
  await page.keyboard.press("End");
  await eventually(chosen).toEqual(["file 9999.txt"]);
  expect((await names()).length).toBeLessThan(60);
  await page.keyboard.press("Home");
  await eventually(chosen).toEqual(["file 0.txt"]);
  await list.hover();
  for (let i = 0; i < 20; i++) await page.mouse.wheel(0, 4000);
  await eventually(async () => (await names()).some((name) => Number(/\d+/.exec(name)?.[0]) > 2000)).toBe(true);
  await page.keyboard.press("Control+a");
  await window.getByText("10,000 selected").waitFor();
});
