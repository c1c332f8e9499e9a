import { crc32, deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { choir } from "../console/stage.ts";
import { boxOf, eventually, frameOf, openDesk, say, windowOf } from "./desk.ts";
import { editing, fileIn, inEditor } from "./editor-window.ts";
import { faultsAt } from "./look.ts";
import { seats } from "./seat.ts";

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
