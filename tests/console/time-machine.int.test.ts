import { statSync } from "node:fs";
import type { Computer } from "@choiros/computer";
import type { Browser, Locator, Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Home } from "./home.ts";
import { longHistory } from "./long-history.ts";
import { launch, openTimeMachine } from "./served.ts";
import { choir, live, signedIn, startServer, tempHome } from "./stage.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const text = (words: string) => Buffer.from(`${words}\n`);

/** Events 2 to 7. */
async function someHistory(computer: Computer): Promise<void> {
  await computer.write("workspace/notes.md", text("buy milk"));
  await computer.write("workspace/site/index.html", text("<h1>Hello</h1>"));
  await computer.write("workspace/notes.md", text("buy bread"));
  await computer.remove("workspace/site/index.html");
  await computer.undo({ seq: 4 });
  await computer.write("workspace/notes.md", text("buy cheese"));
}

test("CONSOLE-5: at each moment there is what changed, the tree as it was, and the difference from now", async () => {
  const home = tempHome();
  await live(home, someHistory);
  const page = await signedIn(browser, await startServer(home));
  const { slider, tree } = await openTimeMachine(page);

  await slider.fill("3");
  await page.getByRole("region", { name: "new site/index.html" }).getByText("+<h1>Hello</h1>").waitFor();
  await tree.getByRole("treeitem", { name: /^site/ }).click();
  await tree.getByRole("treeitem", { name: /^index\.html\s*gone since/ }).waitFor();
  await tree.getByRole("treeitem", { name: /^notes\.md\s*changed since/ }).click();
  await page.getByRole("radio", { name: "Diff with now" }).check();
  await page.getByText("-buy milk").waitFor();
  await page.getByText("+buy cheese").waitFor();

  await page.getByRole("button", { name: "Mark after" }).click();
  expect(await slider.inputValue()).toBe("6"); // the undo
  await slider.fill("5");
  await tree.getByRole("treeitem", { name: /^index\.html/ }).waitFor({ state: "detached" });

  await slider.press("ArrowLeft"); // all of it without a mouse
  expect(await slider.getAttribute("aria-valuetext")).toMatch(/^Event 4 of 7, .*, notes\.md$/);
  await page.getByRole("listbox").focus();
  await page.keyboard.press("Home");
  expect(await slider.inputValue()).toBe("7");
});

test("CONSOLE-6: a file is brought back, one thing is undone with a conflict settled, and all goes back", async () => {
  const home = tempHome();
  await live(home, someHistory);
  const page = await signedIn(browser, await startServer(home));
  const { slider, tree } = await openTimeMachine(page);

  await slider.fill("4");
  await tree.getByRole("treeitem", { name: /^site/ }).click();
  await tree.getByRole("treeitem", { name: /^index\.html/ }).click();
  await page.getByRole("button", { name: "Bring this file back" }).click();
  await page.getByText("site/index.html is back as it was at event 4.").waitFor();

  await slider.fill("2");
  await page.getByRole("button", { name: "Undo just this" }).click();
  const doIt = page.getByRole("button", { name: /^Take (it )?back/ });
  const conflict = page.getByRole("group", { name: "notes.md" });
  await conflict.waitFor();
  expect(await doIt.isDisabled()).toBe(true);
  await conflict.getByRole("radio", { name: "Take the older version" }).check();
  await page.getByRole("region", { name: "gone notes.md" }).waitFor();
  const done = Promise.withResolvers<void>();
  await page.route("**/undo", (route) => done.promise.then(() => route.continue()));
  await doIt.click();
  await slider.fill("3"); // whoever goes on elsewhere stays there
  done.resolve();
  await page.getByText("Done: 1 change, as event 9.").waitFor();
  expect(await slider.inputValue()).toBe("3");
  expect(await slider.evaluate((it) => it === document.activeElement)).toBe(true);

  await page.getByRole("button", { name: "Go back to here" }).click();
  await page.getByRole("region", { name: "new notes.md" }).getByText("+buy milk").waitFor();
  await page.getByRole("button", { name: "Take back 1 change" }).click();
  await page.getByText("as event 10.").waitFor();
  await tree.getByRole("treeitem", { name: /^notes\.md/ }).waitFor();
});

test("CONSOLE-6: what would be done is counted as what was done, also where something moved", async () => {
  const home = tempHome();
  await live(home, async (computer) => {
    await computer.write("workspace/a.txt", text("one"));
    await computer.move("workspace/a.txt", "workspace/b.txt");
  });
  const page = await signedIn(browser, await startServer(home));
  const { slider } = await openTimeMachine(page);
  await slider.fill("2");
  await page.getByRole("button", { name: "Go back to here" }).click();
  await page.getByRole("region", { name: "moved a.txt" }).waitFor();
  await page.getByRole("button", { name: "Take back 2 changes" }).click();
  await page.getByText("Done: 2 changes, as event 4.").waitFor();
});

test("CONSOLE-40: a folder differs from now where anything in it does", async () => {
  const home = tempHome();
  await live(home, someHistory);
  const page = await signedIn(browser, await startServer(home));
  const { slider, tree } = await openTimeMachine(page);
  await slider.fill("3");
  await tree.getByRole("treeitem", { name: /^site\s*changed since/ }).click(); // closed, it says so itself
  await tree.getByRole("treeitem", { name: "site", exact: true }).waitFor();
  const folder = page.getByRole("region", { name: "site at event 3" });
  await folder.getByRole("region", { name: "gone site/index.html" }).getByText("-<h1>Hello</h1>").waitFor();
  await tree.getByRole("treeitem", { name: /^workspace/ }).click();
  await page.getByRole("region", { name: "changed notes.md" }).getByText("+buy cheese").waitFor();
  await slider.fill("6");
  await tree.getByRole("treeitem", { name: /^workspace/ }).click(); // it was closed by the first click
  await tree.getByRole("treeitem", { name: /^site/ }).click();
  await page.getByRole("region", { name: "site at event 6" }).getByText("It is now as it was then.").waitFor();
  expect(await page.getByRole("button", { name: "Bring this folder back" }).isDisabled()).toBe(true);
});

test("CONSOLE-41: of a conflict both versions are shown before one is picked, and where all is kept nothing is done", async () => {
  const home = tempHome();
  await live(home, async (computer) => {
    for (const words of ["one", "two", "three"]) await computer.write("workspace/notes.md", text(words));
  });
  const page = await signedIn(browser, await startServer(home));
  const { slider } = await openTimeMachine(page);
  await slider.fill("3");
  await page.getByRole("button", { name: "Undo just this" }).click();
  const conflict = page.getByRole("group", { name: "notes.md" });
  await conflict.getByText("-three").waitFor();
  await conflict.getByText("+one").waitFor();
  expect(await conflict.getByRole("radio", { checked: true }).count()).toBe(0);
  const doIt = page.getByRole("button", { name: /^Take (it )?back/ });
  await conflict.getByRole("radio", { name: "Take the older version" }).check();
  await doIt.and(page.locator(":enabled")).waitFor();
  const looked = Promise.withResolvers<void>();
  await page.route("**/preview", (route) => looked.promise.then(() => route.continue()));
  await conflict.getByRole("radio", { name: "Keep what is there now" }).check();
  expect(await doIt.isDisabled()).toBe(true); // what is shown isn't this
  looked.resolve();
  await page.getByText("Nothing would change: what is there now is kept.").waitFor();
  expect(await doIt.isDisabled()).toBe(true);
});

test("CONSOLE-42: what is to be pressed is covered by nothing, however much was said at that moment", async () => {
  const home = tempHome();
  const ask = "please ".repeat(110);
  await live(home, async (computer) => {
    await computer.log.append({ source: "user", type: "message", payload: { text: ask } });
    await computer.write("workspace/notes.md", text("one"));
  });
  const page = await signedIn(browser, await startServer(home));
  const { slider } = await openTimeMachine(page);
  await slider.fill("2");
  await page.getByText("All of it", { exact: true }).click();
  await page.locator("details").getByText(ask.trim(), { exact: true }).waitFor();
  expect((await slider.getAttribute("aria-valuetext"))?.length).toBeLessThan(250);
  for (const size of [
    { width: 1280, height: 500 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    if (size.width === 390) await page.getByRole("radio", { name: "Changes" }).check();
    await page.getByRole("button", { name: "Go back to here" }).click({ timeout: 10_000 });
    await page.getByRole("region", { name: "gone notes.md" }).waitFor();
    await page.getByRole("button", { name: "Go back to here" }).click({ timeout: 10_000, trial: true });
    await page.getByRole("button", { name: "Cancel" }).click({ timeout: 10_000 });
  }
});

test("CONSOLE-43: what fails is told as that, and leaves the moment that was looked at", async () => {
  const home = tempHome();
  await live(home, someHistory);
  const page = await signedIn(browser, await startServer(home));
  const { slider, tree } = await openTimeMachine(page);
  await slider.fill("4");
  await tree.getByRole("treeitem", { name: /^notes\.md\s*changed since/ }).click();
  await page.route("**/restore", (route) => route.abort());
  await page.getByRole("button", { name: "Bring this file back" }).click();
  await page.locator(".time").getByRole("alert").getByText("The server can't be reached.").waitFor();
  expect(await slider.inputValue()).toBe("4");
  await page.unroute("**/restore");
  await page.getByRole("button", { name: "Bring this file back" }).click();
  await page.getByRole("status").getByText("notes.md is back as it was at event 4.").waitFor();
});

test("CONSOLE-43: a preview that failed while the server was away is made anew when it is back", async () => {
  const home = tempHome();
  await live(home, someHistory);
  const started = await startServer(home);
  const page = await signedIn(browser, started);
  const { slider } = await openTimeMachine(page);
  await slider.fill("6");
  await started.stop();
  await page.getByRole("button", { name: "Go back to here" }).click();
  const preview = page.getByRole("region", { name: "Go back to event 6" });
  const failed = preview.getByRole("alert").getByText("The server can't be reached.");
  await failed.waitFor();
  await startServer(home, { port: started.port });
  await page.getByRole("button", { name: "Take back 1 change" }).waitFor();
  await failed.waitFor({ state: "detached" });
});

test("CONSOLE-43: how a moment differs from now is nothing of another moment while the server is away, and known when it is back", async () => {
  const home = tempHome();
  await live(home, someHistory);
  const started = await startServer(home);
  const page = await signedIn(browser, started);
  const broken: string[] = [];
  page.on("pageerror", ({ message }) => broken.push(message));
  const { slider, tree } = await openTimeMachine(page);
  await page.locator('.tree[aria-busy="false"]').waitFor();
  await slider.fill("4");
  const changed = tree.getByRole("treeitem", { name: /^notes\.md\s*changed since/ });
  await changed.click();
  await started.stop();
  await slider.fill("2");
  await page.getByRole("alert").getByText("What became of these since isn't known.").waitFor();
  await changed.waitFor({ state: "detached" });
  expect(await page.getByRole("button", { name: "Bring this file back" }).isDisabled()).toBe(true);
  await startServer(home, { port: started.port });
  await changed.waitFor();
  expect(broken).toEqual([]);
});

test("CONSOLE-45: what is no text, is empty, or is long is told so, and can be had whole", async () => {
  const home = tempHome();
  await live(home, async (computer) => {
    await computer.write("workspace/photo.png", Buffer.alloc(12_000, "\0a"));
    await computer.write("workspace/photo.png", Buffer.alloc(14_000, "\0b"));
    await computer.write("workspace/none.txt", Buffer.of());
    await computer.write("workspace/long.txt", Buffer.alloc(1_100_000, "ä"));
  });
  const page = await signedIn(browser, await startServer(home));
  const { slider, tree } = await openTimeMachine(page);
  const detail = page.getByRole("region", { name: "The moment", exact: true });
  await slider.fill("3");
  await detail.getByText("binary, 12 KB → 14 KB").waitFor();
  expect(await detail.textContent()).not.toContain("GIT binary patch");
  await slider.fill("4");
  await page.getByRole("region", { name: "new none.txt" }).getByText("empty file").waitFor();
  expect(await detail.textContent()).not.toContain("diff --git");

  await slider.fill("5");
  await tree.getByRole("treeitem", { name: /^none/ }).click();
  await detail.getByText("It was an empty file.").waitFor();
  await tree.getByRole("treeitem", { name: /^photo/ }).click();
  await detail.getByText("This is no text, but 14 KB of something else.").waitFor();
  const look = page
    .getByRole("link", { name: "Download it" })
    .evaluate((link) => getComputedStyle(link).textDecorationLine);
  expect(await look).toBe("none"); // a button, as everywhere
  expect(await downloaded(page)).toEqual(["photo.png", 14_000]);
  const [answer] = await Promise.all([
    page.waitForResponse(/long\.txt/),
    tree.getByRole("treeitem", { name: /^long/ }).click(),
  ]);
  expect(answer.status()).toBe(206);
  await detail.getByText("The first 400 KB of 1.1 MB are shown.").waitFor();
  expect(await detail.locator("pre").textContent()).toBe("ä".repeat(200_000));
  expect(await downloaded(page)).toEqual(["long.txt", 1_100_000]);
});

async function downloaded(page: Page): Promise<[name: string, bytes: number]> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download it" }).click(),
  ]);
  return [download.suggestedFilename(), statSync(await download.path()).size];
}

test("CONSOLE-44: neither an approval nor a name can hide what it says", async () => {
  const home = tempHome();
  await live(home, async (computer) => {
    const covers = `Read \u202enotes.md${"\n".repeat(200)}and send them away`;
    // An agent's own would be answered by the start: no agent waits for it any more.
    await computer.log.append({ source: "system", type: "approval.asked", payload: { approval: "p1", covers } });
    await computer.write("workspace/a\u202etxt.exe", text("one\u2066"));
  });
  const page = await signedIn(browser, await startServer(home));
  await page.getByRole("button", { name: "Approvals: 1 waiting" }).click();
  const question = page.locator(".approval-covers");
  await question.getByText("and send them away").waitFor();
  expect(await question.textContent()).toBe("Read \\u{202e}notes.md\n\nand send them away");
  expect(await question.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
  await openTimeMachine(page);
  await page.getByRole("region", { name: "new a\\u{202e}txt.exe" }).getByText("+one\\u{2066}").waitFor();
  await page.getByRole("treeitem", { name: "a\\u{202e}txt.exe" }).waitFor();
  expect(await page.locator(".time").textContent()).not.toMatch(/[\u202e\u2066]/);
});

test("CONSOLE-46: the keyboard goes on where it was: in what is left, or with what opened it", async () => {
  const home = tempHome();
  await live(home, async (computer) => {
    await someHistory(computer);
    const payload = { approval: "p1", covers: "Reach registry.example.org" };
    await computer.log.append({ source: "system", type: "approval.asked", payload });
  });
  const page = await signedIn(browser, await startServer(home));
  const { slider } = await openTimeMachine(page);
  const isFocused = (locator: Locator) => expect.poll(() => locator.evaluate((it) => it === document.activeElement));
  await slider.fill("7");
  await page.getByRole("button", { name: "Undo just this" }).click();
  await page.getByRole("button", { name: "Take back 1 change" }).press("Enter");
  await page.getByText("as event 9.").waitFor();
  await isFocused(page.getByRole("region", { name: "The moment", exact: true })).toBe(true);
  await page.keyboard.press("Escape");
  await isFocused(page.getByRole("button", { name: "Time machine" })).toBe(true);
  await page.getByRole("button", { name: "Approvals: 1 waiting" }).press("Enter");
  await page.getByRole("button", { name: "Deny", disabled: false }).press("Enter");
  await page.getByText("Nothing waits for you.").waitFor();
  await isFocused(page.locator(".approvals")).toBe(true);
});

test("CONSOLE-47: in the tree Right goes into a folder, Left goes to the folder, Space picks, and each says which it is of its folder; a move is told with where it went", async () => {
  const home = tempHome();
  await live(home, async (computer) => {
    for (const name of ["a", "b"]) await computer.write(`workspace/src/${name}.txt`, text(name));
    await computer.move("workspace/src/b.txt", "workspace/src/c.txt");
  });
  const page = await signedIn(browser, await startServer(home));
  const { slider, tree } = await openTimeMachine(page);
  await expect.poll(() => slider.getAttribute("aria-valuetext")).toContain("src/b.txt → src/c.txt");
  const active = () => tree.locator('[aria-selected="true"]');
  await tree.focus();
  for (const key of ["ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown", "Space"]) await page.keyboard.press(key);
  await page.getByRole("region", { name: "src/c.txt at event 4" }).waitFor();
  expect(await active().evaluate(({ ariaPosInSet, ariaSetSize }) => [ariaPosInSet, ariaSetSize])).toEqual(["2", "2"]);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => active().textContent()).toBe("src");
  expect(await active().getAttribute("aria-expanded")).toBe("true");
});

const MANY = 10_000;

test("CONSOLE-7: of ten thousand moments each has its tree at once, and it is the one that `choir files --at` lists", async () => {
  const home = tempHome();
  await longHistory(home, MANY);
  const page = await signedIn(browser, await startServer(home));
  const { slider, tree } = await openTimeMachine(page);
  await page.locator('.tree[aria-busy="false"]').waitFor();
  const asked: string[] = [];
  page.on("request", (request) => request.frame() === page.mainFrame() && asked.push(request.url())); // the desk has its own
  for (const moment of [9_999, 1, 517, 5_000, 5_001]) {
    await slider.fill(String(moment));
    await page.locator(`.tree[data-at="${moment}"]`).waitFor();
    const rows = await tree.getByRole("treeitem").evaluateAll((items) =>
      items.map((item) => ({
        of: Number(item.ariaSetSize),
        place: item.ariaLevel === "1" ? 0 : Number(item.ariaPosInSet),
        text: [...item.querySelectorAll(".tree-name, .tree-size")].map((part) => part.textContent).join(" "),
      })),
    );
    const files = await filesAt(home, moment);
    const all = files.length === 0 ? [] : ["workspace", ...files];
    expect(rows.length > 0).toBe(all.length > 0);
    expect(rows).toEqual(rows.map(({ place }) => ({ of: place === 0 ? 1 : files.length, place, text: all[place] })));
  }
  expect(asked.filter((url) => /\/(files|histories|diff)\b/.test(url) && !isOfRest(url))).toEqual([]);
});

/** Also those that nobody wanted any more; Chromium says so of some whose body was read to its end. */
function whenOver(page: Page, heard: (request: Request) => unknown): void {
  page.on("requestfinished", heard);
  page.on("requestfailed", heard);
}

/** What is asked once the slider rests: what the event changed, and how all differs from now. */
function isOfRest(url: string): boolean {
  const { searchParams } = new URL(url);
  return searchParams.get("lines") === "true" || searchParams.get("to") === String(MANY);
}

async function filesAt(home: Home, moment: number): Promise<string[]> {
  const said = await choir(home, ["files", "--json", "--at", `${moment}`]);
  const lines = said.split("\n").filter((line) => line !== "");
  const files: { path: string; entry: { size: number } }[] = lines.map((line) => JSON.parse(line));
  return files.map(({ path, entry }) => `${path} ${entry.size} B`);
}

test("CONSOLE-7: where what stood at each path can't be had, moving the slider asks once at a time, and draws what is in sight", async () => {
  const home = tempHome();
  await longHistory(home, MANY);
  const page = await signedIn(browser, await startServer(home), async (page) => {
    await page.route("**/histories", (route) => route.abort());
  });
  const { slider } = await openTimeMachine(page);
  let [open, most, asked] = [0, 0, 0];
  const isStep = (request: Request) => /\/files\?|\/diff\?.*lines=false/.test(request.url());
  page.on("request", (request) => {
    if (!isStep(request)) return;
    asked++;
    most = Math.max(most, ++open);
  });
  whenOver(page, (request) => isStep(request) && open--);
  const steps = await slider.evaluate(async (input: HTMLInputElement, many) => {
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    const frames = 200;
    for (let frame = 0; frame < frames; frame++) {
      set?.call(input, String(1 + Math.round(((many - 1) * (frames - 1 - frame)) / frames)));
      input.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise(requestAnimationFrame);
    }
    return frames;
  }, MANY);
  await page.locator('.tree[data-at="1"]').waitFor();
  expect(asked).toBeLessThan(steps);
  expect(most).toBeLessThanOrEqual(2); // the tree's one, and what differs from now once it rests
  expect(await page.getByRole("option").count()).toBeLessThan(100);
});
