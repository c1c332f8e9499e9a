import { type Cause, type Draft, newId, type Payload } from "@choiros/contract";
import { expect, test } from "vitest";
import type { Moment } from "../../desk/socket.ts";
import { blocksOf } from "./blocks.ts";
import { callWords, endWords, shownSteps } from "./call-words.ts";
import { courseOf } from "./course-of.ts";
import { filesIn } from "./edits.ts";

const CONTENT = { hash: "0".repeat(64), size: 3 };
const PLAN: Payload<"task.planned"> = {
  ...{ acceptance_criteria: [], allowed_tools: ["edit_file", "bash"], egress: "none", instruction: "Write it" },
  ...{ kind: "edit", paths: ["workspace/site"], task_id: "t1", time_budget_s: 300, verify: ["npm test"] },
};
const OF_CALL: Cause = { ask: "a", call: "c1" };
const OF_TASK: Cause = { ask: "a", task: "t1" };

/** Events one second after the other. */
function story(...drafts: [Draft["type"], object, Cause?, string?][]): Moment[] {
  return drafts.map(([type, payload, cause = { ask: "a" }, command], i) => ({
    ...(command !== undefined && { command }),
    event: {
      ...{ v: 1, id: newId(), seq: i + 1, ts: new Date(1000 * i).toISOString(), user_id: "ada", hash: "0".repeat(64) },
      ...{ source: type === "message" ? "user" : "agent", type, cause, payload },
    } as Moment["event"], // as the server sends it
  }));
}

const changed = (path: string) => ({
  changes: [{ path, before: null, after: { kind: "file", mode: 0o644, ...CONTENT } }],
});

const DAY = story(
  ["message", { text: "do it" }],
  ["ask.started", { attempt: 1 }],
  ["tool.call", { input: CONTENT, tool: "read_file" }, { ask: "a", call: "c1" }, "read_file a.ts"],
  ["tool.result", { status: "ok" }, { ask: "a", call: "c1" }],
  ["tool.call", { input: CONTENT, tool: "list_files" }, { ask: "a", call: "c2" }],
  ["tool.result", { status: "ok" }, { ask: "a", call: "c2" }],
  ["task.planned", PLAN],
  ["task.started", { attempt: 1 }, OF_TASK],
  ["tool.call", { input: CONTENT, tool: "edit_file" }, { ...OF_TASK, call: "c3" }, "edit_file site/a.ts"],
  ["file.write", changed("workspace/site/a.ts"), { ...OF_TASK, call: "c3" }],
  ["tool.result", { status: "ok" }, { ...OF_TASK, call: "c3" }],
  ["approval.asked", { approval: "p", covers: "network w3.org" }, OF_TASK],
  ["approval.given", { approval: "p", decision: "denied" }, OF_TASK],
  ["receipt.check", { command: "npm test", exit: 1 }, OF_TASK],
  ["ask.wondered", { question: "Which?" }],
);

test("ASKS-2: a course has the plan with its steps, what they changed, how approvals were answered, and what the Director looked at", () => {
  const course = courseOf(DAY);
  expect(course.items.map(({ is }) => is)).toEqual(["call", "call", "task", "question"]);
  const task = course.items[2];
  if (task?.is !== "task") throw new Error("the third is the task");
  expect(task).toMatchObject({ id: "t1", status: "running", worked: { ms: 6000 } });
  expect(task.steps).toMatchObject([
    { is: "call", id: "c3", edits: [{ event: { type: "file.write" } }], end: { payload: { status: "ok" } } },
    { is: "approval", decision: "denied" },
    { is: "check", command: "npm test", exit: 1 },
  ]);
  expect(filesIn(course.edits)).toBe(1);
});

test("ASKS-2: a check is shown once; a run of it that changed something, says why it was refused where the check does not, or passed with words has its card, too", () => {
  const [call, run] = [
    { ...OF_TASK, call: "c4-v0" },
    { ...OF_TASK, call: "c4-v0-1" },
  ];
  const kinds = (ended: object, checked: object, ...more: Parameters<typeof story>) => {
    const { items } = courseOf(
      story(
        ["task.planned", PLAN],
        ["tool.call", { input: CONTENT, tool: "exec" }, run],
        ...more,
        ["tool.result", { status: "ok", ...ended }, run],
        ["receipt.check", { command: "npm test", ...checked }, call],
      ),
    );
    return items.flatMap((item) => (item.is === "task" ? item.steps.map(({ is }) => is) : []));
  };
  const red = { exit: 1, output: CONTENT };
  expect(kinds(red, red)).toEqual(["check"]);
  expect(kinds({ exit: 0 }, { exit: 0 })).toEqual(["check"]);
  expect(kinds({ exit: 0 }, { exit: 0, output: CONTENT })).toEqual(["call", "check"]);
  expect(kinds(red, red, ["file.write", changed("workspace/a"), run])).toEqual(["call", "check"]);
  const denied = { reason: "Not allowed.", status: "denied" };
  expect(kinds(denied, { exit: 125 })).toEqual(["call", "check"]);
  expect(kinds(denied, { exit: 125, reason: denied.reason })).toEqual(["check"]);
});

test("ASKS-2: an approval that nobody answered is closed, and not denied by the user", () => {
  const asked = story(
    ["approval.asked", { approval: "p", covers: "network w3.org" }],
    ["approval.given", { approval: "p", decision: "denied" }],
  );
  const by = (source: Draft["source"]) =>
    courseOf(asked.map((moment) => ({ ...moment, event: { ...moment.event, source } }))).items;
  expect(by("user")).toMatchObject([{ is: "approval", decision: "denied" }]);
  expect(by("system")).toMatchObject([{ is: "approval", decision: "closed" }]);
});

test("ASKS-2: a check that failed without its command says why", () => {
  const failed = { command: "npm test", exit: 125, reason: "Nothing of it was kept: it changed site/a.ts." };
  expect(courseOf(story(["receipt.check", failed])).items).toMatchObject([{ is: "check", ...failed }]);
});

test("ASKS-4: time counts from when it was taken up until it paused, and again from when it went on", () => {
  const more = story(
    ["ask.started", { attempt: 1 }],
    ["ask.paused", { detail: "", why: "stopped" }],
    ["ask.resumed", {}],
    ["ask.started", { attempt: 2 }],
    ["model.call", {}],
    ["ask.answered", { answer: CONTENT, look: [], status: "done" }],
  );
  expect(courseOf(more).worked).toMatchObject({ ms: 3000, since: undefined });
  expect(courseOf(more).items.map(({ is }) => is)).toEqual(["pause", "reply", "answer"]);
});

test("ASKS-4: time stands still while the user is waited for, for a question and for an approval, also a task's", () => {
  // Taken up at second 1; at 11 an approval is asked for, at 12 it is given, at 14 there is a question.
  const waiting = courseOf(DAY);
  expect(waiting.worked).toMatchObject({ ms: 12_000, since: undefined });
  expect(waiting.items[2]).toMatchObject({ worked: { ms: 6000, since: undefined } });
  const reply = { is: "said", seq: 99, text: "this", heard: new Date(60_000).toISOString() } as const;
  expect(courseOf(DAY, [reply]).worked).toMatchObject({ ms: 12_000, since: reply.heard });
  expect(courseOf(DAY.slice(0, 12)).worked).toMatchObject({ ms: 10_000, since: undefined });
});

test("ASKS-4: of an ask that was cut off, time ends when somebody was last at it, not when the next start tells so", () => {
  const asked = { model: "m", provider: "p", request: CONTENT, role: "director" };
  const cut = { ...asked, cost_usd: null, duration_ms: 500, response: null, status: "interrupted" };
  const begun = story(["ask.started", { attempt: 1 }], ["tool.call", { input: CONTENT, tool: "exec" }, OF_CALL]);
  const asking = story(["ask.started", { attempt: 1 }], ["model.asked", asked]);
  const hour = "1970-01-01T01:00:00.000Z";
  const later = (source: "agent" | "system", ...[draft]: Parameters<typeof story>) =>
    story(draft ?? ["message", {}]).map((moment) => ({ ...moment, event: { ...moment.event, source, ts: hour } }));
  const paused = later("system", ["ask.paused", { detail: "ChoirOS stopped.", why: "interrupted" }]);
  const ended = later("system", ["tool.result", { reason: "gone", status: "interrupted" }, OF_CALL]);
  const unheard = later("agent", ["model.call", { ...cut, tokens_in: null, tokens_out: null }]);
  expect(courseOf([...begun, ...ended, ...paused]).worked).toEqual({ ms: 1000, since: undefined });
  expect(courseOf([...asking, ...unheard, ...paused]).worked).toEqual({ ms: 1500, since: undefined });
  const closed = later("agent", ["ask.paused", { detail: "It was closed.", why: "interrupted" }]);
  expect(courseOf([...begun, ...closed]).worked.ms).toBe(3_600_000);
});

test("ASKS-4: how long a command took is told, unless the next start alone tells of its end: then nobody knows", () => {
  const took = (source: "agent" | "system", payload: object) => {
    const call: Parameters<typeof story>[0] = ["tool.call", { input: CONTENT, tool: "exec" }, OF_CALL];
    const moments = story(["ask.started", { attempt: 1 }], call, ["tool.result", payload, OF_CALL]);
    const told = moments.map((moment, i) => (i === 2 ? { ...moment, event: { ...moment.event, source } } : moment));
    const [step] = courseOf(told).items;
    return step?.is === "call" ? endWords(step) : undefined;
  };
  expect(took("agent", { exit: 0, status: "ok" })).toBe("exit 0 · 1 s");
  expect(took("agent", { status: "interrupted" })).toBe("interrupted · 1 s");
  expect(took("system", { reason: "gone", status: "interrupted" })).toBe("interrupted · time unknown");
});

test("ASKS-2: what a paused ask was at doesn't run; what came of it, and what was done afterwards, stand in order", () => {
  const call = (id: string): Cause => ({ ...OF_TASK, call: id });
  const begun = [
    ["ask.started", { attempt: 1 }],
    ["task.planned", PLAN],
    ["task.started", { attempt: 1 }, OF_TASK],
    ["tool.call", { input: CONTENT, tool: "read_file" }, call("c1")],
    ["tool.result", { status: "ok" }, call("c1")],
    ["ask.paused", { detail: "4 steps", why: "limit" }],
  ] satisfies Parameters<typeof story>;
  const [task] = courseOf(story(...begun)).items;
  expect(task).toMatchObject({ is: "task", status: "halted", worked: { ms: 3000, since: undefined } });
  const more = story(
    ...begun,
    ["ask.resumed", {}],
    ["ask.started", { attempt: 2 }],
    ["task.started", { attempt: 2 }, OF_TASK],
    ["tool.call", { input: CONTENT, tool: "read_file" }, call("c2")],
  );
  const [again, ...others] = courseOf(more).items;
  if (again?.is !== "task") throw new Error("the first is the task");
  expect(again).toMatchObject({ status: "running", worked: { ms: 3000, since: "1970-01-01T00:00:08.000Z" } });
  expect(again.steps.map(({ is }) => is)).toEqual(["call", "pause", "reply", "call"]);
  expect(others).toEqual([]);
});

test("ASKS-2: what only looked, one after the other, is one line; one that failed stands for itself", () => {
  const [first, second] = courseOf(DAY).items;
  if (first?.is !== "call" || second?.is !== "call") throw new Error("both are calls");
  expect(shownSteps([first, second])).toMatchObject([{ is: "looks", calls: [{ id: "c1" }, { id: "c2" }] }]);
  expect(shownSteps([first])).toEqual([first]);
  expect(shownSteps([first, { ...second, end: undefined }])).toMatchObject([{ id: "c1" }, { id: "c2" }]);
  expect(callWords(first)).toMatchObject({ kind: "look", verb: "Read", about: "a.ts" });
});

test("ASKS-2: what wasn't done is told as what was wanted; the workspace by its name", () => {
  const words = (tool: string, said: string, status: string) => {
    const drafts = story(["tool.call", { tool, input: CONTENT }, OF_CALL, said], ["tool.result", { status }, OF_CALL]);
    const [call] = courseOf(drafts).items;
    return call?.is === "call" ? callWords(call) : undefined;
  };
  expect(words("notify", "notify Done", "ok")).toMatchObject({ verb: "Told you", about: "Done" });
  expect(words("notify", "notify Done", "denied")).toMatchObject({ verb: "Wanted to tell you", about: "Done" });
  expect(words("list_files", "list_files .", "ok")).toMatchObject({ verb: "Listed", about: "the workspace" });
});

test("ASKS-3: what the user said meanwhile stands where it was said; a question that waits is left to its own card", () => {
  const said = (seq: number) =>
    ({ is: "said", seq, text: "quickly", heard: new Date(1000 * seq).toISOString() }) as const;
  const early = courseOf(DAY, [said(6.5)]);
  expect(blocksOf(early, true).map(({ is }) => is)).toEqual(["steps", "task"]);
  expect(blocksOf(early, false).map(({ is }) => is)).toEqual(["steps", "task", "steps"]);
  expect(early.items.map(({ is }) => is)).toEqual(["call", "call", "said", "task", "question"]);
  const [task] = courseOf(DAY, [said(11.5)]).items.flatMap((item) => (item.is === "task" ? [item] : []));
  expect(task?.steps.map(({ is }) => is)).toEqual(["call", "said", "approval", "check"]);
});
