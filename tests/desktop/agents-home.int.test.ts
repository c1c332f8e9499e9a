import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEMO_ASK } from "@choiros/contract";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectHome } from "../agent/headless.ts";
import { answer, finish, gate, plan, run, write, writesFile } from "../agent/scripts.ts";
import { launch } from "../console/served.ts";
import { choir, deskIn, startServer, tempHome } from "../console/stage.ts";
import { CUT_OFF, openDesk, say, windowOf } from "./desk.ts";
import { ask, eventsOf, newScript, openAsk, toasts } from "./scripted-seat.ts";
import { seatAt } from "./seat.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

test("ASK-13: an ask that reaches a limit says what was reached and how to go on, and resumed it goes on", async () => {
  const [home, scripted] = [tempHome(), await newScript()];
  connectHome(home.path, scripted);
  writeFileSync(join(home.path, "policy.toml"), "[limits.ask]\nsteps = 2\n");
  const here = await openDesk(seatAt(browser, await startServer(home), home), "1024 dark");
  scripted.play([[plan({ instruction: "Write two files." })], [write("a.txt", "A\n")]]);
  await say(here, "ask Write two files");
  await toasts(here).getByText("“Write two files” reached a limit").waitFor();
  await here.desk.getByRole("button", { name: "1 ask, reached a limit: Write two files" }).waitFor();
  await toasts(here).getByRole("button", { name: "Show" }).click();
  const window = await windowOf(here, "Write two files");
  const words =
    "The ask reached its limit of 2 steps. What it did by then stands. Resume it to go on with as much again, or raise the limit in policy.toml.";
  await window.getByText(words).waitFor();
  expect(await choir(home, ["cat", "a.txt"])).toBe("A\n");
  scripted.play([[finish()], [answer("Only one was needed.")]]);
  await window.getByRole("button", { name: "Resume" }).click();
  await window.getByRole("region", { name: "Answer" }).getByText("Only one was needed.").waitFor();
  await here.desk.locator(".chip").waitFor({ state: "detached" });
  expect(await eventsOf(home, "ask.paused", "ask.resumed", "ask.answered")).toMatchObject([
    { type: "ask.paused", payload: { why: "limit" } },
    { type: "ask.resumed", source: "user" },
    { type: "ask.answered", payload: { status: "done" } },
  ]);
  expect(await eventsOf(home, "tool.call")).toHaveLength(1);
});

test("ASKS-7: that an ask was interrupted by the server's end is told by a desk that was open by then", async () => {
  const [home, scripted] = [tempHome(), await newScript()];
  connectHome(home.path, scripted);
  const first = await startServer(home);
  const here = await openDesk(seatAt(browser, first, home), "1440 light", { expectErrors: CUT_OFF });
  scripted.play([[plan({ instruction: "Work." })], [run("echo working; sleep 1000")]]);
  const window = await ask(here, "Work for long");
  await window.getByRole("log", { name: "Output so far" }).getByText("working").waitFor();
  await here.desk.getByRole("button", { name: "Minimise Work for long" }).click();
  process.kill(first.pid, "SIGKILL");
  await here.page.getByText("The server can't be reached.").waitFor({ state: "attached" });
  const second = await startServer(home); // elsewhere: it has told so before the desk is back
  await expect.poll(() => eventsOf(home, "ask.paused"), { timeout: 20_000 }).toHaveLength(1);
  await second.stop();
  await startServer(home, { port: first.port });
  await toasts(here).getByText("“Work for long” was interrupted").waitFor();
});

test("ASK-12: the server is killed while an ask's command runs; started again, the ask is resumed, and nothing is done twice", async () => {
  const [home, scripted] = [tempHome(), await newScript()];
  connectHome(home.path, scripted);
  const first = await startServer(home);
  const here = await openDesk(seatAt(browser, first, home), "1440 light", { expectErrors: CUT_OFF });
  const watched = gate();
  scripted.play([
    [{ until: watched.opened }, plan({ instruction: "Write both." })],
    [write("a.txt", "A\n"), run("cat a.txt >> log.txt")],
    [run("echo half > half.txt; echo working; sleep 1000")],
  ]);
  const window = await ask(here, "Write both, and log it");
  watched.open();
  await window.getByRole("log", { name: "Output so far" }).getByText("working").waitFor();
  process.kill(first.pid, "SIGKILL");
  await here.page.getByText("The server can't be reached.").waitFor({ state: "attached" });
  await startServer(home, { port: first.port });
  await window.locator(".course-facts").getByText("was interrupted", { exact: true }).waitFor();
  await here.desk.getByRole("button", { name: "1 ask, was interrupted: Write both, and log it" }).waitFor();
  await window
    .getByRole("article", { name: /sleep 1000/ })
    .getByText("nothing of it was kept")
    .waitFor();
  for (const name of ["Leave it", "Undo all of it"]) await window.getByRole("button", { name }).waitFor();
  expect(await choir(home, ["files"])).not.toContain("half.txt");
  const closed = (await eventsOf(home, "tool.result")).at(-1);
  expect(closed?.payload).toMatchObject({ status: "interrupted" });
  const [asked, calls] = [scripted.requests.length, await eventsOf(home, "tool.call")];
  scripted.play([[write("b.txt", "B\n")], [finish()], [answer("Both are there.")]]);
  await window.getByRole("button", { name: "Resume" }).click();
  await window.getByRole("region", { name: "Answer" }).getByText("Both are there.").waitFor();
  expect(scripted.requests).toHaveLength(asked + 3);
  expect(await eventsOf(home, "tool.call")).toHaveLength(calls.length + 1);
  for (const [name, text] of Object.entries({ "a.txt": "A\n", "b.txt": "B\n", "log.txt": "A\n" }))
    expect(await choir(home, ["cat", name])).toBe(text);
});

test("ASK-5, CONSOLE-49, MODEL-33: who asks before a model is connected is led to connect one, by a key that is never seen again, and is answered", async () => {
  const [home, scripted] = [tempHome(), await newScript()];
  const here = await openDesk(seatAt(browser, await startServer(home), home), "1440 dark");
  const { page } = here;
  const { key } = scripted.connection("openai-compatible") as { key: string }; // that kind has one
  await say(here, "ask Write a haiku");
  await toasts(here).getByRole("button", { name: "Connect a model" }).click();
  await page.getByRole("button", { name: "Choose one" }).click();
  const panel = page.getByRole("complementary", { name: "Agents" });
  await panel.getByLabel("Provider", { exact: true }).selectOption("openai-compatible");
  await panel.getByLabel("Address, up to and with /v1").fill(`${scripted.url}/v1`);
  const name = panel.getByLabel("Name for it here");
  await name.fill("My workshop");
  expect(await name.evaluate((field) => field.matches(":invalid"))).toBe(true);
  await name.fill("workshop");
  await panel.getByLabel("Key, where it needs one").fill(key);
  await panel.getByLabel("Key, where it needs one").press("Enter");
  await panel.getByText("Connected. Choose above what it does, and test it.").waitFor();
  await panel.getByText(`key …${key.slice(-4)}`).waitFor();
  scripted.play(["OK", ...writesFile("haiku.md", "Bread in the morning\n")]);
  for (const role of ["Director", "Associate"]) {
    const fields = panel.getByRole("group", { name: role });
    await fields.getByLabel(`Provider of the ${role}`).selectOption("workshop");
    await fields.getByLabel(`Model of the ${role}`).fill("scripted-one");
    if (role === "Director") {
      await fields.getByRole("button", { name: "Test" }).click();
      await fields.getByText(/^scripted-one answered in /).waitFor();
    }
    await fields.getByRole("button", { name: "Use" }).click();
    await fields.getByText(`scripted-one is the ${role} now.`).waitFor();
  }
  const shown = await page.evaluate(() => {
    const fields = [...document.querySelectorAll("input, textarea")].map((field) => "value" in field && field.value);
    return [document.documentElement.outerHTML, ...fields].join("\n");
  });
  expect(shown).not.toContain(key.slice(0, -4));
  await panel.getByRole("button", { name: "Close Agents" }).click();
  await deskIn(page); // it wasn't there meanwhile
  const window = await openAsk(here, "Write a haiku");
  await window.getByRole("region", { name: "Answer" }).getByText("I wrote haiku.md.").waitFor();
  expect(await choir(home, ["cat", "haiku.md"])).toBe("Bread in the morning\n");
  expect(readFileSync(join(home.path, "models.toml"), "utf8")).not.toContain(key);
  expect(await choir(home, ["events", "--json"])).not.toContain(key);
});

test("AGENT-40, FIRST-1: whoever has no model sees the scripted demo from Welcome planned, done, checked and taken back", async () => {
  const home = tempHome();
  const here = await openDesk(seatAt(browser, await startServer(home), home), "390 light", { welcome: true });
  const welcome = await windowOf(here, "Welcome");
  await welcome.getByRole("button", { name: "Watch the scripted demo" }).click();
  const window = await windowOf(here, DEMO_ASK);
  await window.getByRole("heading", { name: DEMO_ASK, level: 3 }).waitFor();
  await window.getByText("edits demo", { exact: true }).waitFor();
  await here.page.getByText("Scripted demo · ").first().waitFor({ state: "attached" });
  await window.getByText("passed").waitFor();
  const told = window.getByRole("region", { name: "Answer" });
  await told.getByText("Scripted demo.").waitFor();
  expect(await choir(home, ["cat", "demo/index.html"])).toContain("Open from seven.");
  await say(here, "open demo");
  const files = await windowOf(here, "demo");
  await files.getByText("index.html").click();
  await files.getByRole("button", { name: "Versions" }).click();
  await files.getByText("the scripted demo").first().waitFor();
  expect(await files.getByText("an agent").count()).toBe(0);
  await say(here, "asks");
  await (await windowOf(here, "Asks")).getByRole("button", { name: DEMO_ASK }).click();
  await window.getByRole("button", { name: "Undo all of it" }).click();
  const preview = window.getByRole("region", { name: "Undo all of it" });
  await preview.getByRole("button", { name: /^Take back \d+ changes$/ }).waitFor();
  expect(await preview.getByText("This can't be taken back").count()).toBe(0);
  await preview.getByRole("button", { name: /^Take back \d+ changes$/ }).click();
  await preview.waitFor({ state: "detached" });
  await toasts(here)
    .getByText(/^Taken back: /)
    .waitFor();
  expect(await choir(home, ["files"])).not.toContain("demo");
  const calls = await eventsOf(home, "model.call");
  expect(calls.length).toBeGreaterThan(3);
  for (const { payload } of calls) expect(payload).toMatchObject({ cost_usd: 0 });
  await say(here, "asks");
  await (await windowOf(here, "Asks")).getByRole("button", { name: DEMO_ASK }).waitFor();
  await here.page.getByRole("button", { name: "Time machine" }).click();
  const moments = here.page.getByRole("listbox", { name: "Moments, the newest first" });
  await moments.getByText("scripted demo").first().waitFor();
  expect(await moments.getByText("agent", { exact: true }).count()).toBe(0);
});
