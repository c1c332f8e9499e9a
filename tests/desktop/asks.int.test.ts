import { expect, test } from "vitest";
import { agentSeats } from "./agent-seat.ts";
import { anotherDesk, eventually, frameOf, openDesk, say, windowOf } from "./desk.ts";
import { AUDITED, faultsAt } from "./look.ts";
import { asksOf, openAsk, Playing } from "./playing.ts";
import { hold, slow } from "./slow.ts";

const seat = agentSeats();

test("ASKS-2, ASKS-4: an ask is watched from its plan to its answer, and is the same after a reload", async () => {
  const at = await seat();
  await at.computer.write("workspace/site/feed.ts", Buffer.from("export const feed = [];\n"));
  const here = await openDesk(at, "1440 dark");
  const agent = await Playing.begun(at, "Add an RSS feed and test it");
  await here.desk.locator(".chip").click(); // the only one
  const window = await windowOf(here, "Add an RSS feed and test it");
  for (const file of ["site/posts.ts", "site/index.html"]) await agent.read(file);
  await window.getByText("Looked at site/posts.ts").waitFor();
  const task = await agent.plan("Write the feed and its test", {
    acceptance_criteria: ["it validates"],
    verify: ["npm test"],
  });
  for (const words of [
    "edits site",
    "runs commands",
    "no network",
    "up to $0.50",
    "up to 5 minutes",
    "Done when it validates",
  ])
    await window.getByText(words, { exact: true }).waitFor();
  await agent.start(task);
  agent.say("First the feed itself.");
  await window.getByText("First the feed itself.").waitFor();
  await agent.edit("site/feed.ts", "export const feed = posts.map(toItem);\n");
  const edit = window.getByRole("article", { name: "edit site/feed.ts" });
  await edit.getByText("export const feed = posts.map(toItem);").waitFor();
  await edit.getByText("+1", { exact: true }).waitFor();
  const call = await agent.run("npm test");
  const command = window.getByRole("article", { name: "command npm test" });
  await command.getByText("Nothing written yet.").waitFor();
  await agent.end(call, { exit: 1, status: "failed", text: "1 failed" });
  await command.getByText("exit 1").waitFor();
  await command.getByText("1 failed").waitFor();
  await agent.append("receipt.check", { command: "npm test", exit: 0 });
  await agent.pay(0.0412);
  await agent.finish();
  await agent.answer("It is there, and **tested**.", ["workspace/site/feed.ts"]);
  const shown = async () => {
    await window.getByRole("region", { name: "Answer" }).getByText("tested").waitFor();
    await window.getByText("passed").waitFor();
    await window.getByText("$0.04").waitFor();
    await window.getByText("1 file changed").waitFor();
    return (await window.locator(".course-steps").innerText()).replaceAll(/\s+/g, " ");
  };
  const before = await shown();
  await here.page.reload();
  await window.getByText("export const feed = posts.map(toItem);").waitFor();
  await command.getByText("1 failed").waitFor();
  expect(await shown()).toBe(before);
  await window.getByRole("button", { name: "site/feed.ts", exact: true }).click();
  await windowOf(here, "feed.ts");
});

test("ASKS-3: a question is answered by a choice or in words, what runs can be told more, and what is said afterwards goes on in the same window", async () => {
  const at = await seat();
  const here = await openDesk(at, "390 light");
  const agent = await Playing.begun(at, "Write to the queen");
  await openAsk(here, "Write to the queen");
  const window = here.desk.locator(".window[data-front=true]");
  await agent.append("ask.wondered", { choices: ["In English", "In French"], question: "In which language?" });
  await window.getByRole("button", { name: "In French" }).dblclick();
  await eventually(async () => (await asksOf(at)).length).toBe(2);
  const [, choice = ""] = await asksOf(at);
  await agent.append("ask.steered", { into: agent.ask }, { ask: choice, conversation: agent.ask });
  await window.getByText("You said In French").waitFor();
  await window.getByText("running", { exact: true }).waitFor();

  const field = window.getByRole("textbox", { name: "Tell it something" });
  await field.fill("And be brief");
  await field.press("Enter");
  await eventually(async () => (await asksOf(at)).length).toBe(3);
  const events = await Array.fromAsync(at.computer.log.read());
  const said = events.flatMap(({ payload, type }) => (type === "message" ? payload.text : []));
  expect(said).toEqual(["Write to the queen", "In French", "And be brief"]); // each once
  await agent.append("ask.steered", { into: agent.ask }, { ask: (await asksOf(at))[2] ?? "", conversation: agent.ask });
  await window.getByText("You said And be brief").waitFor();
  await agent.answer("Dear queen");

  const more = window.getByRole("textbox", { name: "Ask for more" });
  await more.fill("Now to the king");
  await window.getByRole("button", { name: "Send" }).click();
  await window.getByRole("heading", { name: "Now to the king", level: 3 }).waitFor();
  const earlier = window.getByRole("region", { name: "Earlier: Write to the queen" });
  await earlier.getByText("Dear queen").waitFor();
  await window.getByText("No model is chosen").waitFor();
  await earlier.getByRole("button", { name: "show all of it" }).click();
  await window.getByText("You said And be brief").waitFor();
});

test("ASKS-5, DESK-80: an ask is stopped, goes on, is left, and a step of it is taken back once it was shown; the keys stay in its window, whichever button goes", async () => {
  const at = await seat();
  const here = await openDesk(slow(at), "1024 light");
  const agent = await Playing.begun(at, "Tidy up");
  const window = await openAsk(here, "Tidy up");
  const heard = Promise.withResolvers<unknown>();
  at.signals.listen((signal) => signal.type === "ask.stop" && heard.resolve(signal));
  const task = await agent.plan("Tidy the notes");
  await agent.start(task);
  await agent.edit("a.md", "a\n");
  await agent.edit("b.md", "b\n");
  await window.getByRole("button", { name: "Stop", exact: true }).click();
  expect(await heard.promise).toMatchObject({ cause: { ask: agent.ask }, type: "ask.stop" });
  await agent.pause("stopped");
  await window.getByText("It was stopped.").waitFor();
  const keys = window.locator(".course-body:focus");
  await keys.waitFor();
  const resumed = await hold(here.page, '"resume-ask"');
  await window.getByRole("button", { name: "Resume" }).dblclick(); // it is said once
  await resumed();
  await window.getByText("You let it go on.").waitFor();
  await keys.waitFor();
  await agent.append("ask.started", { attempt: 2 }, agent.cause);
  await window.getByRole("button", { name: "Stop", exact: true }).waitFor();
  await agent.pause("limit", "20 steps are done. Raise the limit in policy.toml, and resume.");
  await window.getByText("Raise the limit in policy.toml").waitFor();

  const step = window.getByRole("article", { name: "edit b.md" });
  await step.getByRole("button", { name: "undo step" }).click();
  const preview = window.getByRole("region", { name: "Undo this step" });
  await preview.getByRole("region", { name: "gone b.md" }).waitFor();
  await preview.getByRole("button", { name: "Take back 1 change" }).click();
  await preview.waitFor({ state: "detached" });
  expect(await at.computer.read("workspace/b.md")).toBeUndefined();
  expect(await at.computer.read("workspace/a.md")).toBeDefined();
  await window.getByRole("button", { name: "Leave it" }).click();
  await window.getByText("left as it is", { exact: true }).waitFor();
  await keys.waitFor();
  expect(await here.desk.getByText("that ask isn't paused").count()).toBe(0);
});

test("ASKS-5: all of an ask is taken back after the user changed one of its files: both versions are shown, and one is picked; whoever types on meanwhile keeps the keys", async () => {
  const at = await seat();
  const here = await openDesk(slow(at), "1440 light");
  const agent = await Playing.begun(at, "Write ten files");
  const window = await openAsk(here, "Write ten files");
  await agent.start(await agent.plan("Write them"));
  for (let i = 0; i < 10; i++) await agent.edit(`n${i}.md`, `number ${i}\n`);
  await agent.finish();
  await agent.answer("All ten are there.");
  await window.getByText("10 files changed").waitFor();
  await at.computer.write("workspace/n3.md", Buffer.from("my own words\n"));
  await window.getByRole("button", { name: "Undo all of it" }).click();
  const preview = window.getByRole("region", { name: "Undo all of it" });
  await preview.getByText("1 path changed since: pick what shall stand.").waitFor();
  const conflict = preview.getByRole("group", { name: "n3.md" });
  await conflict.getByText("-my own words").waitFor();
  expect(await preview.getByRole("button", { name: /^Take/ }).isDisabled()).toBe(true);
  await conflict.getByText("Keep what is there now").click();
  const done = await hold(here.page, '"undo"');
  await preview.getByRole("button", { name: "Take back 9 changes" }).click();
  const more = window.getByRole("textbox", { name: "Ask for more" });
  await more.click();
  await here.page.keyboard.type("No");
  await done();
  await preview.waitFor({ state: "detached" });
  await here.page.keyboard.type("w");
  expect(await more.inputValue()).toBe("Now");
  expect(await at.computer.read("workspace/n2.md")).toBeUndefined();
  expect(await at.computer.read("workspace/n3.md")).toBeDefined();
});

test("ASKS-1: asks that queue are listed in every browser, what wants the user first, and are found by their words", async () => {
  const at = await seat();
  const here = await openDesk(at, "1024 dark");
  const there = await anotherDesk(here);
  const first = await Playing.begun(at, "Count the stars");
  await at.computer.say("Count the waves of the sea");
  for (const { desk } of [here, there])
    await desk.getByRole("button", { name: "2 asks, running: Count the stars" }).waitFor();
  await first.append("ask.wondered", { question: "All of them?" });
  await there.desk.getByRole("button", { name: "2 asks, has a question: Count the stars" }).waitFor();
  await say(here, "asks");
  const list = await windowOf(here, "Asks");
  await list.getByText("has a question: All of them?").waitFor();
  const names = () => list.locator(".asks-name").allTextContents();
  expect(await names()).toEqual(["Count the stars", "Count the waves of the sea"]);
  await first.answer("Enough.");
  await eventually(names).toEqual(["Count the waves of the sea", "Count the stars"]);
  await list.getByRole("searchbox", { name: "Find among asks" }).fill("stars");
  await eventually(names).toEqual(["Count the stars"]);
  await list.getByRole("searchbox").press("ArrowDown");
  await here.page.keyboard.press("Enter");
  await (await windowOf(here, "Count the stars")).getByText("Enough.").waitFor();
});

test("ASKS-7: that an ask is done is told with the way there, and what needs an approval is answered in the console", async () => {
  const at = await seat();
  const here = await openDesk(at, "1440 dark");
  const agent = await Playing.begun(at, "Validate the feed");
  await agent.append("approval.asked", { approval: "p1", covers: "network w3.org", why: "For its schema." });
  const toasts = here.desk.getByRole("region", { name: "Notifications", exact: true });
  await toasts.getByText("Needs your approval, in the bar above: “Validate the feed”").waitFor();
  await toasts.getByRole("button", { name: "Show" }).click();
  const window = await windowOf(here, "Validate the feed");
  await window.getByText("Needs your approval: network w3.org").waitFor();
  await here.page.getByRole("button", { name: "Approvals: 1 waiting" }).click();
  await here.page.getByRole("button", { name: "Deny" }).click();
  await window.getByText("You didn't allow it.").waitFor();
  await here.page.keyboard.press("Escape");
  await window.getByRole("button", { name: "Close Validate the feed" }).click();
  await window.waitFor({ state: "detached" });
  await agent.append("note.observed", { content: await agent.content("x"), title: "The feed has 3 posts" });
  await toasts.getByText("The feed has 3 posts").waitFor();
  await agent.answer("Not without the network.", [], "given-up");
  await toasts.getByText("“Validate the feed” couldn't be done, and says why").waitFor();
  await toasts.getByRole("button", { name: "Show" }).last().click();
  await (await windowOf(here, "Validate the feed")).getByText("Not without the network.").waitFor();
});

test("ASKS-6: an ask begins with a file, a folder, lines of a text, or an event", async () => {
  const at = await seat();
  await at.computer.write("workspace/my notes.md", Buffer.from("one\ntwo\nthree\n"));
  const here = await openDesk(at, "1440 light");
  const { desk, page } = here;
  const bar = desk.getByRole("combobox");
  const begins = async (words: string) => {
    await eventually(() => bar.inputValue()).toBe(words);
    await bar.and(desk.locator(":focus")).waitFor();
  };
  await say(here, "files");
  const files = await windowOf(here, "workspace");
  await files.getByText("my notes.md").click({ button: "right" });
  await desk.getByRole("menuitem", { name: "Ask about this" }).click();
  await begins('ask about @"workspace/my notes.md" ');
  await page.keyboard.type("what is it?");
  await page.keyboard.press("Enter");
  await desk.getByRole("button", { name: "1 ask, waits: my notes.md what is it?" }).waitFor();
  const [message] = await Array.fromAsync(at.computer.log.read({ types: ["message"] }));
  expect(message?.payload).toMatchObject({ paths: ["workspace/my notes.md"] });
  await files.getByRole("listbox").click({ button: "right", position: { x: 200, y: 250 } });
  await desk.getByRole("menuitem", { name: "Ask about this folder" }).click();
  await begins("ask about @workspace ");
  await page.keyboard.press("Escape");

  await say(here, "open my notes.md");
  const editor = await windowOf(here, "my notes.md");
  await editor.locator(".cm-content:focus").waitFor();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+End");
  await editor.getByRole("button", { name: "Ask about this" }).click();
  await begins('ask about “one” in lines 1 to 2 of @"workspace/my notes.md" ');
  await say(here, "timeline");
  const timeline = await windowOf(here, "Timeline");
  await timeline.getByText("my notes.md", { exact: true }).click();
  await timeline.getByRole("button", { name: "Ask about this" }).click();
  await begins("ask about event 2, “my notes.md”: ");
});

test("ASKS-8: what agents write runs nothing and loads nothing, and what turns the writing around is written out", async () => {
  const at = await seat();
  const here = await openDesk(at, "390 dark");
  const asked: string[] = [];
  here.page.on("request", (request) => asked.push(request.url()));
  const agent = await Playing.begun(at, "Read the page");
  const window = await openAsk(here, "Read the page");
  const wrong = '<img src="http://evil.example/x.png" onerror="document.title=1"> ![x](http://evil.example/y.png)';
  await agent.start(await agent.plan(`${wrong} \u202egnp.exe`));
  await agent.append("approval.asked", { approval: "p1", covers: `network evil.example\u202emoc.elpmaxe` });
  await agent.end(await agent.run("cat page"), { exit: 0, text: wrong });
  await window.getByRole("article").getByText("evil.example").waitFor();
  await agent.finish("failed", wrong);
  await agent.answer(wrong);
  await window.getByRole("region", { name: "Answer" }).getByText("evil.example/x.png").waitFor();
  expect(await window.locator("img").count()).toBe(0);
  expect(await window.innerText()).not.toContain("\u202e");
  expect(asked.filter((url) => url.includes("evil"))).toEqual([]);
});

test.for(AUDITED)("DESK-50: asks can be read, have a name, and are within reach at %s", async ([look, widths]) => {
  const at = await seat();
  const here = await openDesk(at, look);
  const agent = await Playing.begun(at, "Add an RSS feed and test it");
  await agent.start(
    await agent.plan("Write the feed", { acceptance_criteria: ["it validates"], verify: ["npm test"] }),
  );
  await agent.read("site/a.ts");
  await agent.edit("site/feed.ts", "export const feed = [];\n");
  await agent.end(await agent.run("npm test"), { exit: 1, status: "failed", text: "1 failed" });
  const window = await openAsk(here, "Add an RSS feed and test it");
  await agent.append("approval.asked", { approval: "p1", covers: "network w3.org", why: "For its schema." });
  await window.getByText("1 failed").waitFor();
  const faults = async () => faultsAt(here.page, frameOf(here.page), widths);
  expect(await faults()).toEqual([]);
  await agent.append("approval.given", { approval: "p1", decision: "task" });
  const reason = "Nothing of it was kept: it changed site/a.ts, which its lease doesn't allow.";
  await agent.append("receipt.check", { command: "npm test", exit: 125, output: await agent.content("red"), reason });
  await window.locator(".check").getByText(reason, { exact: true }).waitFor();
  await agent.finish("failed", "It **isn't** done.");
  const no = "No, first say what of it would have to be paid for, and how much that would be, and ask again";
  await agent.append("ask.wondered", { choices: ["Yes", no], question: "Shall I go on?" });
  await window.getByRole("button", { name: "Yes" }).waitFor();
  expect(await faults()).toEqual([]);
  await agent.pause("interrupted", "The computer was closed.");
  await window.getByRole("button", { name: "Resume" }).waitFor();
  await at.computer.say("Another one");
  await here.desk.locator(".chip").filter({ hasText: "2" }).click();
  expect(await faults()).toEqual([]);
  await here.page.keyboard.press("Escape");
  await agent.answer("# Done\n\nAll of it.", ["workspace/site/feed.ts"]);
  await window.getByText("Where to look").waitFor();
  expect(await faults()).toEqual([]);
  await at.computer.undo({ ask: agent.ask });
  await window.getByRole("button", { name: "Redo", exact: true }).waitFor();
  expect(await faults()).toEqual([]);
  await say(here, "asks");
  await windowOf(here, "Asks");
  expect(await faults()).toEqual([]);
});
