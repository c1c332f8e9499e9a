import type { ContentRef, Draft } from "@choiros/contract";

const cause = { conversation: "c1", ask: "a1", task: "t1", call: "k1" };

const asked = { conversation: "c1", ask: "a2" };
const ASK_EVENTS: Draft[] = [
  { source: "agent", type: "ask.started", cause: asked, payload: { attempt: 1 } },
  { source: "agent", type: "ask.wondered", cause: asked, payload: { choices: ["this"], question: "Which?" } },
  { source: "agent", type: "ask.steered", cause: { ask: "a3" }, payload: { into: "a2" } },
  { source: "agent", type: "ask.paused", cause: asked, payload: { detail: "it was stopped", why: "stopped" } },
  { source: "user", type: "ask.left", cause: asked, payload: {} },
  { source: "user", type: "ask.resumed", cause: asked, payload: {} },
];

/** One event of each type that isn't made by an action on files, with what can be left out. */
export function goldenEvents(ref: ContentRef): Draft[] {
  const { hash } = ref;
  const task = { ...LEASE, allowed_tools: ["bash"], paths: ["workspace", { b64: "d29ya3NwYWNlL/8=" }] };
  const window = { app: "notes", at: [0, 10.5], title: "Notes é\u2028" };
  const run = { command: "npm test", exit: 0 };
  return [
    { source: "user", type: "message", cause, payload: { text: "please", paths: ["workspace/notes.md"] } },
    { source: "agent", type: "message", cause, payload: { content: ref } },
    { source: "user", type: "message", id: "a2", cause: { ask: "a2", conversation: "c1" }, payload: { text: "more" } },
    ...ASK_EVENTS,
    {
      source: "agent",
      type: "ask.answered",
      cause: asked,
      payload: { answer: ref, look: ["workspace/a"], status: "done" },
    },
    { source: "agent", type: "task.planned", cause, payload: task },
    { source: "user", type: "task.approved", cause, payload: { scope: "once" } },
    { source: "user", type: "task.denied", cause: { task: "t2" }, payload: { reason: "too dear" } },
    { source: "agent", type: "task.started", cause, payload: { attempt: 1 } },
    { source: "agent", type: "approval.asked", cause, payload: { approval: "p1", covers: "the network", why: "npm" } },
    { source: "user", type: "approval.given", cause, payload: { approval: "p1", decision: "task" } },
    {
      source: "agent",
      type: "model.asked",
      cause,
      payload: { model: CALL.model, provider: CALL.provider, request: ref, role: CALL.role },
    },
    { source: "agent", type: "model.call", cause, payload: { ...CALL, request: ref, response: ref } },
    { source: "agent", type: "tool.call", cause, payload: { input: ref, tool: "bash" } },
    { source: "agent", type: "tool.result", cause, payload: { exit: 0, output: ref, status: "ok" } },
    { source: "user", type: "window.open", payload: { changes: [{ key: "window.1", before: null, after: window }] } },
    {
      source: "user",
      type: "window.change",
      payload: { changes: [{ key: "window.1", before: window, after: { ...window, at: [1, 2] } }] },
    },
    {
      source: "user",
      type: "window.focus",
      payload: { changes: [{ key: "window.2", before: null, after: { app: "files" } }] },
    },
    {
      source: "user",
      type: "window.close",
      payload: { changes: [{ key: "window.2", before: { app: "files" }, after: null }] },
    },
    {
      source: "user",
      type: "settings.change",
      payload: { changes: [{ key: "theme", before: null, after: { accent: "gold" } }] },
    },
    {
      source: "system",
      type: "checkpoint.created",
      payload: { at: 3, commit: "c0".repeat(20), message: "first", why: "asked" },
    },
    { source: "user", type: "deploy.request", payload: { checkpoint: 3, deploy: "d1" } },
    { source: "system", type: "deploy.result", payload: { deploy: "d1", output: ref, status: "ok" } },
    { source: "agent", type: "note.observed", cause, payload: { content: ref, title: "it is blue" } },
    { source: "agent", type: "note.supposed", cause, payload: { content: ref } },
    { source: "agent", type: "note.asked", cause, payload: { content: ref } },
    { source: "system", type: "receipt.check", cause, payload: { ...run, output: ref } },
    {
      source: "system",
      type: "receipt.net",
      cause,
      payload: { allowed: false, bytes_in: 0, bytes_out: 0, host: "example.org", port: 443 },
    },
    {
      source: "agent",
      type: "task.finished",
      cause,
      payload: {
        ...RESULT,
        summary: ref,
        citations: [{ hash, source: "workspace/notes.md", span: [0, 3] }],
        verify: [run],
      },
    },
  ];
}

const LEASE = {
  acceptance_criteria: ["it works"],
  cost_budget: 0.5,
  egress: "none" as const,
  instruction: "write it down",
  kind: "edit" as const,
  task_id: "t1",
  time_budget_s: 300,
  token_budget: 1000,
  verify: ["npm test"],
};

const CALL = {
  cost_usd: 0.001,
  duration_ms: 12,
  model: "m",
  provider: "p",
  role: "director" as const,
  status: "ok" as const,
  tokens_in: 3,
  tokens_out: null,
};

const RESULT = {
  commands_run: [],
  files_changed: ["workspace/notes.md"],
  questions: [],
  status: "ok" as const,
};
