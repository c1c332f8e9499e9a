import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { answer, finish, gate, plan, run, write, writesFile } from "../agent/scripts.ts";
import { choir } from "../console/stage.ts";
import { lastToolOutput, lastUserText } from "../model/received.ts";
import { eventually, type OpenDesk, openDesk, say, windowOf } from "./desk.ts";
import { ask, eventsOf, openAsk, scriptedSeats, toasts } from "./scripted-seat.ts";

const seat = scriptedSeats();

test("AGENT-1, ASKS-2: a document is asked for, seen as it is planned and written, and opened from the answer", async () => {
  const { at, scripted } = await seat();
  const here = await openDesk(at, "1440 light");
  const [watched, planned, written] = [gate(), gate(), gate()];
  const text = "# Bread\n\nFlour, water, salt.\n";
  scripted.play([
    [
      { until: watched.opened },
      "One task will do. ",
      { until: planned.opened },
      plan({ instruction: "Write bread.md.", paths: ["bread.md"], verify: ["grep -q salt bread.md"] }),
    ],
    ["First the list. ", { until: written.opened }, write("bread.md", text)],
    [finish("Wrote bread.md.")],
    [answer("It is in **bread.md**.", { look: ["bread.md"] })],
  ]);
  const window = await ask(here, "Write down how to bake bread");
  watched.open();
  await window.getByText("One task will do.").waitFor();
  await here.desk.getByRole("button", { name: "1 ask, running: Write down how to bake bread" }).waitFor();
  planned.open();
  for (const words of ["Write bread.md.", "edits bread.md", "runs commands", "no network"])
    await window.getByText(words, { exact: true }).waitFor();
  await window.getByText("First the list.").waitFor();
  written.open();
  await window.getByRole("article", { name: "edit bread.md" }).getByText("Flour, water, salt.").waitFor();
  await window.getByText("passed").waitFor();
  await window.getByRole("region", { name: "Answer" }).getByText("bread.md").waitFor();
  await window.getByText("1 file changed").waitFor();
  await window.getByText("cost unknown").waitFor();
  await here.desk.locator(".chip").waitFor({ state: "detached" });
  await window.getByRole("button", { name: "bread.md", exact: true }).last().click();
  const editor = await windowOf(here, "bread.md");
  await editor.locator(".cm-content").getByText("Flour, water, salt.").waitFor();
  expect(await choir(at.home, ["cat", "bread.md"])).toBe(text);
  const types = (await eventsOf(at.home)).filter(({ cause }) => cause?.ask !== undefined).map(({ type }) => type);
  expect(types.filter((type) => !/^(?:model|tool)\./.test(type))).toEqual([
    ...["message", "ask.started", "task.planned", "task.approved", "task.started"],
    ...["file.write", "receipt.check", "task.finished", "ask.answered"],
  ]);
});

test("AGENT-1, ASKS-4: ten files are changed and tests are run until they are green, each step live in the window", async () => {
  const { at, scripted } = await seat();
  const here = await openDesk(at, "1440 dark");
  const names = Array.from({ length: 10 }, (_, i) => `part${i}.txt`);
  const command = "for f in part?.txt; do grep -q good $f || { echo $f is bad; exit 1; }; done; echo all good";
  const [watched, looked] = [gate(), gate()];
  scripted.play([
    [{ until: watched.opened }, plan({ instruction: "Make all ten good.", verify: [command] })],
    names.map((name) => write(name, name === "part7.txt" ? "bad\n" : "good\n")),
    [run(command)],
    [{ until: looked.opened }, { tool: "read_file", input: { path: "part7.txt" } }],
    [{ tool: "edit_file", input: { path: "part7.txt", edits: [{ old: "bad", new: "good" }] } }],
    [run(command)],
    [finish()],
    [answer("All ten are **good**.")],
  ]);
  const window = await ask(here, "Make all parts good");
  watched.open();
  const commands = window.getByRole("article", { name: `command ${command}` });
  await commands.first().getByText("part7.txt is bad", { exact: true }).waitFor();
  await commands
    .first()
    .getByText(/^exit 1 · /)
    .waitFor();
  await window.getByText("10 files changed").waitFor();
  looked.open();
  const mended = window.getByRole("article", { name: "edit part7.txt" }).last();
  await commands.nth(1).waitFor();
  await mended.getByRole("button", { expanded: false }).click();
  await mended.getByText("-bad").waitFor();
  await mended.getByText("+good").waitFor();
  await window.getByText("passed").waitFor();
  await window.getByRole("region", { name: "Answer" }).getByText("good").waitFor();
  const [finished] = await eventsOf(at.home, "task.finished");
  const ends = [1, 0].map((exit) => ({ command, exit }));
  expect(finished?.payload).toMatchObject({ commands_run: ends, status: "ok", verify: [{ command, exit: 0 }] });
  for (const name of names) expect(await choir(at.home, ["cat", name])).toBe("good\n");
});

test("AGENT-2, AGENT-3: a check that fails is shown with what it said, and what isn't done is told so", async () => {
  const { at, scripted } = await seat();
  const here = await openDesk(at, "390 dark");
  const check = "echo wanted: two; grep -q two a.txt";
  scripted.play([
    [plan({ instruction: "Write two.", verify: [check] })],
    [write("a.txt", "one\n")],
    [finish("All is well.")],
    (request) => [answer(lastToolOutput(request).includes("wanted: two") ? "It is **still one**." : "No reason.")],
  ]);
  await say(here, "ask Write two into a.txt");
  await toasts(here).getByText("“Write two into a.txt” couldn't be done, and says why").waitFor();
  await toasts(here).getByRole("button", { name: "Show" }).click();
  const window = await windowOf(here, "Write two into a.txt");
  const shown = window.locator(".check");
  await shown.getByText("wanted: two", { exact: true }).waitFor();
  await shown.getByText("exit 1", { exact: true }).waitFor();
  expect(await window.getByRole("article", { name: "command" }).count()).toBe(0); // it is shown once
  await window.getByText(/^failed · /).waitFor();
  await window.getByText("gave up", { exact: true }).waitFor();
  await window.getByRole("region", { name: "Answer" }).getByText("still one").waitFor();
  expect(await eventsOf(at.home, "receipt.check", "task.finished", "ask.answered")).toMatchObject([
    { type: "receipt.check", payload: { command: check, exit: 1 } },
    { type: "task.finished", payload: { status: "failed" } },
    { type: "ask.answered", payload: { status: "given-up" } },
  ]);
});

test("ASK-4, ASKS-3: a question is told wherever the user is, answered by a choice, and the ask goes on with it", async () => {
  const { at, scripted } = await seat();
  const here = await openDesk(at, "390 light");
  scripted.play([
    [{ tool: "ask_user", input: { choices: ["In red", "In blue"], question: "Which colour?" } }],
    (request) => [answer(`So: ${lastUserText(request)}`)],
  ]);
  await say(here, "ask Paint the door");
  await toasts(here).getByText("Which colour?").waitFor();
  await toasts(here).getByRole("button", { name: "Answer" }).click();
  const window = await windowOf(here, "Paint the door");
  await window.getByRole("textbox", { name: "Answer it" }).and(here.desk.locator(":focus")).waitFor();
  const question = window.getByRole("region", { name: "A question for you" });
  await here.page.getByText("has a question").waitFor({ state: "attached" });
  await question.getByRole("button", { name: "In blue" }).click();
  await window.getByRole("region", { name: "Answer" }).getByText("So: The user says: In blue").waitFor();
  await window.getByText("Asked you").locator("..").getByText("Which colour?").waitFor();
  await window.getByText("You said In blue").waitFor();
  const types = (await eventsOf(at.home, "ask.wondered", "ask.steered", "ask.answered")).map(({ type }) => type);
  expect(types).toEqual(["ask.wondered", "ask.steered", "ask.answered"]);
});

test("AGENT-10, ASKS-7: a lease that wants the network is denied in the bell, and nothing of its task is done", async () => {
  const { at, scripted } = await seat();
  const here = await openDesk(at, "1024 light");
  scripted.play([
    [plan({ instruction: "Fetch the page.", egress: ["example.org"] })],
    (request) => [answer(lastToolOutput(request))],
  ]);
  const window = await ask(here, "Fetch the page of the day");
  await window.getByText("Needs your approval: network example.org").waitFor();
  await window.getByText("network: example.org", { exact: true }).waitFor();
  await here.desk.getByRole("button", { name: "1 ask, needs your approval: Fetch the page of the day" }).waitFor();
  expect(await toasts(here).getByText("Needs your approval, in the bar above").count()).toBe(0); // its window says so
  await here.page.getByText("Agent · waits for your approval").waitFor();
  await here.page.getByRole("button", { name: "Approvals: 1 waiting" }).click();
  await here.page.getByText("network example.org").waitFor();
  await here.page.getByText("for “Fetch the page of the day”").waitFor();
  expect(await here.page.getByRole("button", { name: "Allow once" }).count()).toBe(0); // there is no step yet
  await here.page.getByRole("button", { name: "Deny" }).click();
  await here.page.getByText("Nothing waits for you.").waitFor();
  await window.getByText("You didn't allow it.").waitFor();
  await window.getByText("not allowed", { exact: true }).waitFor();
  await window.getByRole("region", { name: "Answer" }).getByText("the user denied: network example.org").waitFor();
  const types = (await eventsOf(at.home)).map(({ type }) => type);
  expect(types).toContain("task.denied");
  expect(types).not.toContain("task.started");
});

test("AGENT-12, ASKS-7: what is outside the lease is allowed once: that is done, and the next such step asks again", async () => {
  const { at, scripted } = await seat();
  const here = await openDesk(at, "1024 dark");
  scripted.play([
    [plan({ instruction: "Write a.txt.", paths: ["a.txt"] })],
    [write("b.txt", "first\n")],
    [write("b.txt", "second\n")],
    (request) => [finish(lastToolOutput(request), "failed")],
    [answer("Half of it.", { status: "given-up" })],
  ]);
  const window = await ask(here, "Write beside it");
  const { page } = here;
  await page.getByRole("button", { name: "Approvals: 1 waiting" }).click();
  await page.getByText("edit b.txt").waitFor();
  await page.getByText("To write a file").waitFor();
  await page.getByText("Task: Write a.txt.").waitFor();
  await page.getByRole("button", { name: "Allow once" }).click();
  await window.getByText("You allowed it once.").waitFor();
  await page.getByRole("button", { name: "Deny" }).click();
  await window.getByText("You didn't allow it.").waitFor();
  await window.getByRole("region", { name: "Answer" }).getByText("Half of it.").waitFor();
  expect(await choir(at.home, ["cat", "b.txt"])).toBe("first\n");
  const given = (await eventsOf(at.home, "approval.given")).map(({ source, payload }) => [source, payload]);
  expect(given).toMatchObject([
    ["user", { decision: "once" }],
    ["user", { decision: "denied" }],
  ]);
});

test("ASK-8, ASKS-2, ASKS-5: an ask is stopped while its command runs, which a page that comes later sees as well, leaves nothing half done, and goes on when told", async () => {
  const { at, scripted } = await seat();
  const here = await openDesk(at, "1440 dark");
  const watched = gate();
  scripted.play([
    [{ until: watched.opened }, plan({ instruction: "Count." })],
    [write("kept.txt", "kept\n")],
    [run("echo half > half.txt; echo counting; sleep 1000")],
  ]);
  const window = await ask(here, "Count to a thousand");
  watched.open();
  const written = window.getByRole("log", { name: "Output so far" }).getByText("counting", { exact: true });
  await written.waitFor();
  await here.page.reload();
  await written.waitFor();
  await window.getByRole("button", { name: "Stop", exact: true }).click();
  await window.locator(".course-facts").getByText("stopped", { exact: true }).waitFor();
  await here.desk.getByRole("button", { name: "1 ask, stopped: Count to a thousand" }).waitFor();
  expect(await choir(at.home, ["files"])).not.toContain("half.txt");
  expect(await choir(at.home, ["cat", "kept.txt"])).toBe("kept\n");
  const [calls, results] = [await eventsOf(at.home, "tool.call"), await eventsOf(at.home, "tool.result")];
  expect(results).toHaveLength(calls.length);
  scripted.play([[finish()], [answer("Up to ten, then.")]]);
  await window.getByRole("button", { name: "Resume" }).click();
  await window.getByRole("region", { name: "Answer" }).getByText("Up to ten, then.").waitFor();
  expect(await eventsOf(at.home, "tool.call")).toHaveLength(calls.length);
  expect((await eventsOf(at.home, "ask.paused")).map(({ payload }) => payload)).toMatchObject([{ why: "stopped" }]);
});

test("ASK-1, ASKS-1: two asks queue: the second waits for its turn, and is done after the first", async () => {
  const { at, scripted } = await seat();
  const here = await openDesk(at, "1024 light");
  const held = gate();
  scripted.play([[{ until: held.opened }, "The first is **told**."], ...writesFile("b.txt", "B\n")]);
  await say(here, "ask Tell me the first");
  await here.desk.getByRole("button", { name: "1 ask, running: Tell me the first" }).waitFor();
  const second = await ask(here, "Write the second");
  await second.getByText("Waits for its turn.").waitFor();
  await here.desk.getByRole("button", { name: "2 asks, running: Tell me the first" }).click();
  const list = here.desk.getByRole("region", { name: "Asks that aren't over" });
  expect(await list.getByRole("button", { name: "Take back" }).count()).toBe(1);
  await here.page.keyboard.press("Escape");
  held.open();
  await toasts(here).getByText("“Tell me the first” is done").waitFor();
  await second.getByRole("region", { name: "Answer" }).getByText("I wrote b.txt.").waitFor();
  const [one, two] = (await eventsOf(at.home, "message")).map(({ cause }) => cause?.ask);
  const order = (await eventsOf(at.home, "ask.started", "ask.answered")).map(({ cause }) => cause?.ask);
  expect(order).toEqual([one, one, two, two]);
  await (await openAsk(here, "Tell me the first")).getByText("told").waitFor();
});

test("ASKS-5: a whole ask is taken back after the user changed one of its files: both versions are shown, and the user picks", async () => {
  const { at, scripted } = await seat();
  const here = await openDesk(at, "1440 light");
  const names = ["a.md", "b.md", "c.md"];
  scripted.play([
    [plan({ instruction: "Write three notes." })],
    names.map((name) => write(name, `${name} of the agent\n`)),
    [finish()],
    [answer("All three are there.", { look: names })],
  ]);
  const window = await ask(here, "Write three notes");
  await window.getByRole("region", { name: "Answer" }).waitFor();
  await window.getByRole("button", { name: "b.md", exact: true }).last().click();
  const editor = await windowOf(here, "b.md");
  await editor.locator(".cm-content").click();
  await here.page.keyboard.press("Control+Home");
  await here.page.keyboard.type("My own words. ");
  await here.page.keyboard.press("Control+s");
  await eventually(() => choir(at.home, ["cat", "b.md"])).toContain("My own words. ");
  await openAsk(here, "Write three notes");
  await window.getByRole("button", { name: "Undo all of it" }).click();
  const preview = window.getByRole("region", { name: "Undo all of it" });
  await preview.getByText("1 path changed since: pick what shall stand.").waitFor();
  const conflict = preview.getByRole("group", { name: "b.md" });
  await conflict.getByText("-My own words. b.md of the agent").waitFor();
  await conflict.getByText("Keep what is there now").click();
  await preview.getByRole("button", { name: "Take back 2 changes" }).click();
  await preview.waitFor({ state: "detached" });
  await toasts(here)
    .getByText(/^Taken back: /)
    .waitFor();
  expect(await choir(at.home, ["cat", "b.md"])).toBe("My own words. b.md of the agent\n");
  const files = await choir(at.home, ["files"]);
  for (const name of ["a.md", "c.md"]) expect(files).not.toContain(name);
  expect(await eventsOf(at.home, "undo")).toHaveLength(1);
  await sayWhatWasKept(here, window);
  await here.page.reload();
  await sayWhatWasKept(here, window);
  await say(here, "timeline");
  const lines = (await windowOf(here, "Timeline")).getByRole("treeitem");
  await lines.filter({ hasText: "Write three notes" }).getByText("taken back, but for b.md").waitFor();

  await openAsk(here, "Write three notes");
  const step = window.getByRole("article", { name: "edit b.md" });
  await step.getByRole("button", { name: "undo step" }).click();
  const one = window.getByRole("region", { name: "Undo this step" });
  await one.getByRole("group", { name: "b.md" }).getByText("Take the older version").click();
  await one.getByRole("button", { name: "Take back 1 change" }).click();
  await one.waitFor({ state: "detached" });
  await step.and(window.locator("[data-undone=true]")).waitFor();
  await window.locator(".course-facts").getByText("taken back", { exact: true }).waitFor();
  await window.locator(".course-changed").getByText("taken back", { exact: true }).waitFor();
  await window.getByRole("button", { name: "Redo", exact: true }).click();
  await window.getByRole("button", { name: "Do 2 changes again" }).click();
  await window.locator(".course-facts").getByText("done", { exact: true }).waitFor();
  expect(await choir(at.home, ["files"])).not.toContain("b.md"); // that was a step of its own
  expect(await choir(at.home, ["cat", "a.md"])).toBe("a.md of the agent\n");
});

/** The whole is told as taken back but for b.md, everywhere; b.md's own step is as it was. */
async function sayWhatWasKept(here: OpenDesk, window: Locator): Promise<void> {
  const words = "taken back, but for b.md";
  for (const place of [".course-facts", ".course-changed", ".task-head"])
    await window.locator(place).getByText(words, { exact: true }).waitFor();
  for (const name of ["Undo all of it", "Redo", "undo task"])
    await window.getByRole("button", { name, exact: true }).waitFor();
  for (const [name, undone, buttons] of [
    ["a.md", "true", []],
    ["b.md", "false", ["open", "undo step"]],
    ["c.md", "true", []],
  ] as const) {
    const step = window.getByRole("article", { name: `edit ${name}` });
    expect(await step.getAttribute("data-undone")).toBe(undone);
    expect(await step.locator(".word").allTextContents()).toEqual(buttons);
  }
  await window.getByRole("button", { name: "b.md", exact: true }).last().waitFor(); // where to look
  await say(here, "asks");
  const line = (await windowOf(here, "Asks")).getByRole("button", { name: "Write three notes" });
  await line.getByText(words, { exact: true }).waitFor();
}
