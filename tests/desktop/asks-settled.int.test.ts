import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { agentSeats } from "./agent-seat.ts";
import { eventually, frameOf, type OpenDesk, openDesk, say } from "./desk.ts";
import { asksOf, openAsk, Playing } from "./playing.ts";
import { hold, slow } from "./slow.ts";

const seat = agentSeats();

test.for(["1440 dark", "390 light"] as const)(
  "ASKS-5: what undoing all of it would do is shown from its beginning at %s, and what is taken back says so, until it is done again",
  async (look) => {
    const at = await seat();
    const here = await openDesk(at, look);
    const agent = await Playing.begun(at, "Write long files");
    const lines = Array.from({ length: 60 }, (_, i) => `line ${i}\n`).join("");
    const task = await agent.plan("Write them");
    await agent.start(task);
    for (const name of ["a.md", "b.md"]) await agent.edit(name, lines);
    await agent.finish();
    await agent.answer("Both are there.", ["workspace/a.md"]);
    await openAsk(here, "Write long files");
    const window = here.desk.locator(".window[data-front=true]");
    await window.getByText("2 files changed").waitFor();
    await window.getByText("Where to look").waitFor();
    const undoAll = window.getByRole("button", { name: "Undo all of it" });
    const preview = window.getByRole("region", { name: "Undo all of it" });
    await undoAll.click();
    await preview.getByRole("region", { name: "gone b.md" }).waitFor();
    const confirm = preview.getByRole("button", { name: "Take back 2 changes" });
    await eventually(() => isInSight(confirm)).toBe(true);
    await preview.getByRole("button", { name: "Cancel" }).and(window.locator(":focus")).waitFor();
    await here.page.keyboard.press("Escape");
    await preview.waitFor({ state: "detached" });
    expect(await window.locator(":focus").count()).toBe(1); // the keys stay in the window
    await undoAll.click();
    await confirm.click();

    await window.locator(".course-facts").getByText("taken back", { exact: true }).waitFor();
    await undoAll.waitFor({ state: "detached" });
    expect(await window.getByRole("button", { name: /undo (task|step)/ }).count()).toBe(0);
    expect(await window.getByText("Where to look").count()).toBe(0);
    await at.computer.write("workspace/a.md", Buffer.from("mine\n"));
    expect(await window.getByRole("button", { name: /redo (task|step)/ }).count()).toBe(0); // they went with all of it
    await at.computer.undo({ seq: await at.computer.log.head().then(({ seq }) => seq) });
    await window.getByRole("button", { name: "Redo", exact: true }).click();
    await window.getByRole("button", { name: "Do 2 changes again" }).click();
    await window.getByText("2 files changed").waitFor();
    await window.getByText("done", { exact: true }).first().waitFor();
    expect(await at.computer.read("workspace/b.md")).toBeDefined();

    const step = window.getByRole("article", { name: "edit b.md" });
    await step.getByRole("button", { name: "undo step" }).click();
    await window.getByRole("button", { name: "Take back 1 change" }).click();
    await step.getByText("taken back").waitFor();
    await window.getByText("1 file changed").waitFor();
    await say(here, "asks");
    await here.desk.getByText("done", { exact: true }).first().waitFor();
    await at.computer.undo({ task });
    await at.computer.undo({ since: 1 }); // that closes the windows, too
    await eventually(() => here.desk.locator(".window").count()).toBe(0);
    await say(here, "asks");
    await here.desk.locator(".asks-sub").getByText("taken back").waitFor();
  },
);

/** Whether all of it is within the window that shows it. */
async function isInSight(control: Locator): Promise<boolean> {
  return control.evaluate((element) => {
    const box = element.getBoundingClientRect();
    const place = element.closest(".course-body")?.getBoundingClientRect();
    return place !== undefined && box.top >= place.top && box.bottom <= place.bottom;
  });
}

test("ASKS-5: why an ask stopped is in sight, below a task that doesn't run any more; and a double click on Stop doesn't resume it, nor one on Resume stop it or take it back", async () => {
  const at = await seat();
  const here = await openDesk(at, "1440 dark");
  const agent = await Playing.begun(at, "Write on");
  const window = await openAsk(here, "Write on");
  await agent.start(await agent.plan("Write them", { verify: ["npm test", "npm run check", "true", "false"] }));
  for (const name of ["a.md", "b.md"]) await agent.edit(name, "a line\n".repeat(30));
  let stop = () => agent.pause("stopped", "You stopped it.");
  at.signals.listen((signal) => {
    if (signal.type !== "ask.stop") return;
    void stop();
    stop = async () => {};
  });
  await window.getByRole("button", { name: "Stop", exact: true }).dblclick();
  await window.getByRole("button", { name: "Resume", disabled: false }).waitFor();
  const why = window.getByText("You stopped it.");
  await eventually(() => isInSight(why)).toBe(true);
  expect(await window.locator(".task[data-status=running]").count()).toBe(0);
  await here.page.reload();
  await why.waitFor();
  await eventually(() => isInSight(why)).toBe(true);
  const types = (await Array.fromAsync(at.computer.log.read({ cause: { ask: agent.ask } }))).map(({ type }) => type);
  expect(types).not.toContain("ask.resumed");

  const resume = window.getByRole("button", { name: "Resume", disabled: false });
  const waits = await isDisabledAsItComes(here, "Take back");
  await resume.click();
  expect(await waits()).toBe(true);
  await agent.append("ask.started", { attempt: 2 }, agent.cause);
  await agent.pause("stopped");
  await resume.waitFor();
  const runs = await isDisabledAsItComes(here, "Stop");
  await agent.append("ask.started", { attempt: 3 }, agent.cause);
  expect(await runs()).toBe(true);
  await window.getByRole("button", { name: "Stop", exact: true, disabled: false }).waitFor();
});

/** From now on looks out for a button of this name; gives what tells how it came. */
async function isDisabledAsItComes({ page }: OpenDesk, name: string): Promise<() => Promise<boolean>> {
  const watch = await frameOf(page).evaluateHandle((name) => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const watcher = new MutationObserver(() => {
      const button = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name);
      if (button === undefined) return;
      watcher.disconnect();
      resolve(button.disabled);
    });
    watcher.observe(document.body, { childList: true, subtree: true });
    return { seen: promise };
  }, name);
  return () => watch.evaluate(({ seen }) => seen);
}

test("ASKS-5: all of one that runs is stopped once that is confirmed, and not before; what it did meanwhile is shown first", async () => {
  const at = await seat();
  const here = await openDesk(at, "1440 light");
  const agent = await Playing.begun(at, "Write on");
  const window = await openAsk(here, "Write on");
  await agent.start(await agent.plan("Write them"));
  await agent.edit("a.md", "a\n");
  const stops: string[] = [];
  at.signals.listen((signal) => signal.type === "ask.stop" && stops.push("stop"));
  const undoAll = window.getByRole("button", { name: "Undo all of it" });
  await undoAll.click();
  const preview = window.getByRole("region", { name: "Undo all of it" });
  await preview.getByText("It is stopped before anything is taken back.").waitFor();
  await preview.getByRole("region", { name: "gone a.md" }).waitFor();
  await preview.getByRole("button", { name: "Cancel" }).click();
  await window.getByText("running", { exact: true }).waitFor();
  expect(stops).toEqual([]);

  await undoAll.click();
  await preview.getByRole("button", { name: "Take back 1 change" }).click();
  await eventually(() => stops.length).toBe(1);
  await agent.edit("b.md", "b\n");
  await agent.pause("stopped");
  await preview.getByText("It did more until it was stopped").waitFor();
  expect(await at.computer.read("workspace/a.md")).toBeDefined();
  await preview.getByRole("button", { name: "Take back 2 changes" }).click();
  await preview.waitFor({ state: "detached" });
  expect(await at.computer.read("workspace/b.md")).toBeUndefined();
  await window.getByText("stopped, and taken back").waitFor();
});

test("ASKS-2: a tool that failed says why once, in its lines; a stopped command says that nothing of it was kept", async () => {
  const at = await seat();
  const here = await openDesk(at, "1440 dark");
  const agent = await Playing.begun(at, "Try it");
  const window = await openAsk(here, "Try it");
  await window.getByText("Thinking…").waitFor();
  const wrong = await agent.call("answer", { text: "One.\nTwo." });
  await agent.end(wrong, { status: "failed", reason: "there is no tool 'answer'", text: "there is no tool 'answer'" });
  await window.getByText("there is no tool 'answer'").waitFor();
  expect(await window.getByText("there is no tool 'answer'").count()).toBe(1);
  expect(await window.innerText()).not.toContain("\\u{a}");
  await agent.end(await agent.run("sleep 9"), { status: "stopped" });
  await window.getByText("Nothing that it changed was kept.").waitFor();
  await agent.end(await agent.run("true"), { exit: 0 });
  await window
    .getByRole("article", { name: "command true" })
    .getByText(/^exit 0 · \d s$/)
    .waitFor();
});

test("ASKS-1, ASKS-5: an ask that nobody takes up says why, also while another one waits for the user, and is taken back once, however often that is pressed", async () => {
  const at = await seat();
  const here = await openDesk(slow(at), "1440 dark");
  const first = await Playing.begun(at, "Count the stars");
  await first.append("ask.wondered", { question: "All of them?" });
  await say(here, "Count the waves of the sea");
  const toasts = here.desk.getByRole("region", { name: "Notifications", exact: true });
  await toasts.getByText("No model is chosen: connect one").waitFor();
  const window = await openAsk(here, "Count the waves of the sea");
  await window.getByText("No model is chosen: connect one in the console, under Agents.").waitFor();
  at.signals.send({
    type: "agent.wait",
    cause: { ask: (await asksOf(at)).at(-1) ?? "" },
    payload: { why: "the policy can't be read" },
  });
  await window.getByText("The policy can't be read. Your words are kept").waitFor();

  const done = await hold(here.page, '"change-settings"');
  await window.getByRole("button", { name: "Take back" }).dblclick();
  await done();
  await toasts.getByText("The ask is taken back").waitFor();
  await window.locator(".course-body:focus").waitFor();
  await openAsk(here, "Count the stars"); // what was pressed before is answered by then
  expect(await toasts.getByText("so already").count()).toBe(0);
});
