import { type Cause, type Draft, newId, type Payload } from "@choiros/contract";
import { expect, test } from "vitest";
import type { Moment } from "../../desk/socket.ts";
import { blocksOf } from "./blocks.ts";
import { callWords, shownSteps } from "./call-words.ts";
import { courseOf } from "./course.ts";
import { leaseWords } from "./lease-words.ts";

const CONTENT = { hash: "0".repeat(64), size: 3 };
const PLAN: Payload<"task.planned"> = {
  ...{ acceptance_criteria: [], allowed_tools: ["edit_file", "bash"], egress: "none", instruction: "Write it" },
  ...{ kind: "edit", paths: ["workspace/site"], task_id: "t1", time_budget_s: 300, verify: ["npm test"] },
};
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
  expect(task).toMatchObject({ attempt: 1, id: "t1", status: "running", since: "1970-01-01T00:00:07.000Z" });
  expect(task.steps).toMatchObject([
    { is: "call", id: "c3", edits: [{ event: { type: "file.write" } }], end: { payload: { status: "ok" } } },
    { is: "approval", decision: "denied" },
    { is: "check", command: "npm test", exit: 1 },
  ]);
  expect([...course.changed]).toEqual(["workspace/site/a.ts"]);
});

test("ASKS-2: a check is shown once; a run of it that changed something, was refused, or passed with words has its card, too", () => {
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
  expect(kinds({ reason: "Not allowed.", status: "denied" }, { exit: 125 })).toEqual(["call", "check"]);
});

test("ASKS-4: time counts from when it was taken up until it paused, and again from when it went on", () => {
  const working = courseOf(DAY);
  expect(working).toMatchObject({ workedMs: 0, workingSince: "1970-01-01T00:00:01.000Z" });
  const more = story(
    ["ask.started", { attempt: 1 }],
    ["ask.paused", { detail: "", why: "stopped" }],
    ["ask.resumed", {}],
    ["ask.started", { attempt: 2 }],
    ["model.call", {}],
    ["ask.answered", { answer: CONTENT, look: [], status: "done" }],
  );
  expect(courseOf(more)).toMatchObject({ workedMs: 3000, workingSince: undefined });
  expect(courseOf(more).items.map(({ is }) => is)).toEqual(["pause", "reply", "answer"]);
});

test("ASKS-2: what only looked, one after the other, is one line; one that failed stands for itself", () => {
  const [first, second] = courseOf(DAY).items;
  if (first?.is !== "call" || second?.is !== "call") throw new Error("both are calls");
  expect(shownSteps([first, second])).toMatchObject([{ is: "looks", calls: [{ id: "c1" }, { id: "c2" }] }]);
  expect(shownSteps([first])).toEqual([first]);
  expect(shownSteps([first, { ...second, end: undefined }])).toMatchObject([{ id: "c1" }, { id: "c2" }]);
  expect(callWords(first)).toMatchObject({ kind: "look", verb: "Read", about: "a.ts" });
});

test("ASKS-3: what the user said meanwhile stands where it was said; a question that waits is left to its own card", () => {
  const reply = { is: "said", seq: 6, text: "quickly" } as const;
  const course = courseOf(DAY);
  expect(blocksOf(course, [reply], true).map(({ is }) => is)).toEqual(["steps", "said", "task"]);
  expect(blocksOf(course, [reply], false).map(({ is }) => is)).toEqual(["steps", "said", "task", "steps"]);
});

test("ASKS-2: what a task may do is said in short words", () => {
  expect(leaseWords(PLAN)).toEqual(["edits site", "runs commands", "no network", "5 minutes"]);
  const wide = {
    ...PLAN,
    allowed_tools: ["read_file"],
    cost_budget: 0.5,
    egress: ["w3.org"],
    paths: [],
    token_budget: 20_000,
  };
  expect(leaseWords(wide)).toEqual([
    "reads the workspace",
    "network: w3.org",
    "up to $0.50",
    "up to 20,000 tokens",
    "5 minutes",
  ]);
  expect(leaseWords({ ...PLAN, egress: "git+pkg", time_budget_s: 60 })).toContain("network: git and packages");
});
