import { expect, test } from "vitest";
import { choir } from "../console/stage.ts";
import { eventually, openDesk, say, windowOf } from "./desk.ts";
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

  await window.getByRole("button", { name: "Close Welcome" }).click();
  await window.waitFor({ state: "detached" });
  await here.page.reload();
  await here.desk.locator("main[aria-busy=false]").waitFor();
  expect(await window.count()).toBe(0);
  await say(here, "open welcome");
  await windowOf(here, "Welcome");
});

test("FIRST-3: the tour leads from part to part, and can be left and found again", async () => {
  const here = await openDesk(await seat(), "1440 light", { welcome: true });
  const window = await windowOf(here, "Welcome");
  const begin = window.getByRole("button", { name: "Look around" });
  await begin.click();
  await window.getByRole("heading", { name: "The bar" }).waitFor();
  await here.desk.locator(".tour-ring").waitFor();
  await here.page.keyboard.press("Enter");
  await window.getByRole("heading", { name: "All the words" }).waitFor();
  await window.getByRole("button", { name: "Leave" }).click();
  await here.desk.locator(".tour-ring").waitFor({ state: "detached" });
  await begin.click();
  await window.getByText("1 of 5").waitFor();
});

test("HELP-1: the guide is found by words, its links lead to its pages, and the bar's words are in it", async () => {
  const here = await openDesk(await seat(), "1024 dark");
  await say(here, "help undo");
  const window = await windowOf(here, "Help");
  await window.getByRole("list", { name: "Found" }).getByRole("button").first().waitFor();
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
