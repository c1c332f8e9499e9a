import { expect, test } from "vitest";
import { choir } from "../console/stage.ts";
import { boxOf, eventually, openDesk, say, windowOf } from "./desk.ts";
import { seats } from "./seat.ts";

const seat = seats();

test("FIRST-1, FIRST-2: a new computer begins with a welcome, whose samples are written, counted and taken back", async () => {
  const here = await openDesk(await seat(), "1024 light", { welcome: true });
  const { home } = here;
  const window = await windowOf(here, "Welcome");
  await window.getByRole("button", { name: "Make them, and open one" }).click();
  const editor = await windowOf(here, "Read me.md");
  expect(await choir(home, ["files"])).toContain("Welcome/names.txt");
  expect(await window.getByRole("heading", { name: "Write (done)" }).count()).toBe(0);
  await editor.locator(".cm-content").click();
  await here.page.keyboard.type("Mine. ");
  await here.page.keyboard.press("Control+s");
  await window.getByRole("heading", { name: "Write (done)" }).waitFor();
  await choir(home, ["write", "Welcome/own.txt"], "mine");

  await here.desk.getByRole("navigation", { name: "Windows" }).getByRole("button", { name: "Welcome" }).click();
  await window.getByRole("button", { name: "Count the words" }).click();
  await window.getByText("Welcome/names.txt").waitFor();
  await window.getByRole("heading", { name: "Run (done)" }).waitFor();

  await window.getByRole("button", { name: "Take the files back" }).click();
  await window.getByRole("heading", { name: "Undo (done)" }).waitFor();
  await here.desk.getByText("The files are taken back; what you put there yourself stays").waitFor();
  const left = await choir(home, ["files"]);
  for (const name of ["Read me.md", "names.txt", "numbers.csv"]) expect(left).not.toContain(name);
  expect(left).toContain("Welcome/own.txt");
  await here.desk.getByRole("button", { name: "Undo", exact: true }).click();
  await eventually(() => choir(home, ["cat", "Welcome/Read me.md"])).toContain("Mine. ");
  await window.getByRole("button", { name: "Take the files back" }).click();
  await eventually(() => choir(home, ["files"])).not.toContain("names.txt");
  await say(here, "redo");
  await eventually(() => choir(home, ["cat", "Welcome/Read me.md"])).toContain("Mine. ");

  await window.getByRole("button", { name: "Close Welcome" }).click();
  await window.waitFor({ state: "detached" });
  await here.page.reload();
  await here.desk.locator("main[aria-busy=false]").waitFor();
  expect(await window.count()).toBe(0);
  await say(here, "open welcome");
  await windowOf(here, "Welcome");
  await window.getByRole("button", { name: "Take the files back" }).waitFor(); // the log has who made them
});

test("FIRST-1, FIRST-2: whoever begins with the command has the samples made that it counts", async () => {
  const here = await openDesk(await seat(), "390 light", { welcome: true });
  const window = await windowOf(here, "Welcome");
  await window.getByRole("button", { name: "Count the words" }).click();
  await window.getByText("Welcome/names.txt").waitFor();
  await window.getByRole("button", { name: "Take the files back" }).waitFor();
  expect(await window.getByRole("heading", { name: "Write (done)" }).count()).toBe(0);
  await choir(here.home, ["rm", "Welcome/names.txt"]);
  await window.getByRole("button", { name: "Count the words" }).click();
  await eventually(() => window.getByRole("status").innerText()).not.toContain("names.txt");
  expect(await choir(here.home, ["files"])).not.toContain("names.txt");
});

test.each(["1440 dark", "1024 light", "390 light"] as const)(
  "FIRST-1: the four things stand in one order, each below the one before: %s",
  async (look) => {
    const window = await windowOf(await openDesk(await seat(), look, { welcome: true }), "Welcome");
    const titles = window.getByRole("listitem").getByRole("heading");
    await eventually(() => titles.allInnerTexts()).toEqual(["Write", "Run", "Undo", "Ask"]);
    const tops = await titles.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(tops).toEqual([...new Set(tops)].sort((one, two) => one - two));
  },
);

test.each(["1440 light", "390 dark"] as const)(
  "FIRST-3: the tour leads from part to part, beside what it tells of, and can be left and found again: %s",
  async (look) => {
    const here = await openDesk(await seat(), look, { welcome: true });
    const window = await windowOf(here, "Welcome");
    const begin = window.getByRole("button", { name: "Look around" });
    await begin.click();
    const tour = here.desk.getByRole("region", { name: "Tour" });
    for (const title of ["The bar", "All the words", "The desktop", "Windows", "What is going on"]) {
      await tour.getByRole("heading", { name: title }).waitFor();
      const [card, ring] = await Promise.all([boxOf(tour), boxOf(here.desk.locator(".tour-ring"))]);
      const isApart =
        card.y + card.height <= ring.y ||
        ring.y + ring.height <= card.y ||
        card.x + card.width <= ring.x ||
        ring.x + ring.width <= card.x;
      expect(isApart, title).toBe(true);
      expect(await tour.textContent()).not.toMatch(look === "390 dark" ? /Ctrl|⌘|Drag/ : /The line puts/);
      await here.page.keyboard.press("Enter");
    }
    await tour.waitFor({ state: "detached" });
    await begin.click();
    await tour.getByText("1 of 5").waitFor();
    await here.page.keyboard.press("Escape");
    await here.desk.locator(".tour-ring").waitFor({ state: "detached" });
    await begin.click();
    await tour.getByRole("button", { name: "Leave" }).click();
    await begin.and(here.desk.locator(":focus")).waitFor();
  },
);

test("HELP-1: the guide is found by words, its links lead to its pages, and the bar's words are in it", async () => {
  const here = await openDesk(await seat(), "1024 dark");
  await say(here, "help undo");
  const window = await windowOf(here, "Help");
  const first = window.getByRole("list", { name: "Found" }).getByRole("button").first();
  await eventually(() => first.innerText()).toMatch(/^Going back\n.*undo/s);
  await window.getByRole("article", { name: "Going back" }).waitFor(); // what was found first is shown
  const field = window.getByRole("searchbox");
  expect(await field.inputValue()).toBe("undo");
  await field.fill("no such words at all");
  await window.getByText("The guide says nothing about that.").waitFor();
  await field.fill("");
  await window.getByRole("button", { name: "The time machine" }).click();
  await window.getByRole("img", { name: /^The time machine at a moment/ }).waitFor();
  await window.getByRole("button", { name: "Going back" }).last().click();
  await window.getByRole("article", { name: "Going back" }).waitFor();
  await window.getByRole("button", { name: "What can be said in the bar" }).click();
  await window.getByRole("cell", { name: "new folder NAME" }).waitFor();
});
