import { describe, expect, test } from "vitest";
import type { Entry } from "./change.ts";
import { type Envelope, recognise } from "./envelope.ts";
import type { Json } from "./json.ts";
import { evolve, INITIAL_STATE, messageKey, type StateMaps } from "./state.ts";

const FILE: Entry = { hash: "0a".repeat(32), kind: "file", mode: 0o644, size: 1 };
const PLAN = {
  acceptance_criteria: [],
  allowed_tools: [],
  egress: "none",
  instruction: "mend it",
  kind: "edit",
  paths: [],
  task_id: "t",
  time_budget_s: 300,
  verify: [],
};

type Said = Pick<Envelope, "type" | "payload"> & Partial<Pick<Envelope, "source" | "cause">>;

/** The state after these events. */
function after(...said: readonly Said[]): StateMaps {
  return said.reduce((state, { type, payload, source = "user", cause }, i) => {
    const seq = i + 1;
    const ts = new Date(seq * 1000).toISOString();
    const hash = "0".repeat(64);
    const event = {
      v: 1,
      id: `e${seq}`,
      seq,
      ts,
      user_id: "ada",
      source,
      type,
      payload,
      hash,
      ...(cause && { cause }),
    };
    const known = recognise(event);
    if (!known.ok) throw new Error(known.why);
    return evolve(state, known.value);
  }, INITIAL_STATE);
}

const says = (text: string, conversation?: string, source = "user"): Said => ({
  type: "message",
  payload: { text },
  source,
  ...(conversation !== undefined && { cause: { conversation } }),
});

describe("the tree, windows and settings", () => {
  test("a change sets what stands, and removes what doesn't any more", () => {
    const put: Said = {
      type: "file.write",
      payload: { changes: [{ path: { b64: "/w==" }, before: null, after: FILE }] },
    };
    const gone: Said = {
      type: "file.delete",
      payload: { changes: [{ path: { b64: "/w==" }, before: FILE, after: null }] },
    };
    expect(after(put).tree).toEqual(new Map([["//ff", FILE]]));
    expect(after(put, gone).tree).toEqual(new Map());
  });

  test("an undo is kept in order, with what it was aimed at", () => {
    const undo = (target: Json): Said => ({ type: "undo", payload: { changes: [{ path: "a", before: FILE, after: null }], target } }); // biome-ignore format: in one line
    const { undo: undos } = after(undo({ ask: "x" }), { ...undo({ seq: 1 }), cause: { call: "c" } });
    expect([...undos.values()]).toEqual([
      { cause: null, seq: 1, target: { ask: "x" } },
      { cause: { call: "c" }, seq: 2, target: { seq: 1 } },
    ]);
  });

  test("ACT-10: an undo has what it kept; where that isn't in the event, how much it is", () => {
    const changes = [{ path: "a", before: FILE, after: null }];
    const kept = [{ path: "b", seq: 1, cause: { ask: "x" } }];
    const list = { count: 200, list: { hash: "0".repeat(64), size: 1 } };
    const { undo: undos } = after(
      { type: "undo", payload: { changes, kept, target: { ask: "x" } } },
      { type: "undo", payload: { changes, kept: list, target: { ask: "x" } } },
    );
    expect([...undos.values()]).toMatchObject([{ kept }, { kept: 200 }]);
  });

  test("an undo puts files, windows and settings each where they belong", () => {
    const changes = [
      { path: "a", before: null, after: FILE },
      { key: "window.1", before: null, after: { app: "notes" } },
      { key: "theme", before: "light", after: null },
    ];
    const state = after(
      { type: "settings.change", payload: { changes: [{ key: "theme", before: null, after: "light" }] } },
      { type: "undo", payload: { changes, target: { since: 0 } } },
    );
    expect([[...state.tree], [...state.window], [...state.setting]]).toEqual([
      [["a", FILE]],
      [["window.1", { app: "notes" }]],
      [],
    ]);
  });

  test("a long list changes what was read of it, and the state from before stays as it was", () => {
    const event = recognise({
      v: 1,
      id: "e",
      seq: 1,
      ts: new Date(0).toISOString(),
      user_id: "ada",
      source: "user",
      type: "files.changed",
      payload: { by: "import", count: 200, list: { hash: FILE.hash, size: 9 } },
      hash: "0".repeat(64),
    });
    if (!event.ok) throw new Error(event.why);
    const state = evolve(INITIAL_STATE, event.value, [{ key: "a", after: FILE }]);
    expect([state.seq, [...state.tree]]).toEqual([1, [["a", FILE]]]);
    expect([INITIAL_STATE.seq, INITIAL_STATE.tree.size]).toEqual([0, 0]);
    expect(state.window).toBe(INITIAL_STATE.window);
  });

  test("what has nothing for the state only moves it on", () => {
    const note: Said = { type: "note.observed", payload: { content: { hash: FILE.hash, size: 1 } } };
    expect(after(note)).toEqual({ ...INITIAL_STATE, seq: 1 });
  });
});

describe("messages and conversations", () => {
  test("a message knows who said what, when, in which conversation", () => {
    const state = after(says("hello", "c"), says("alone"));
    expect(state.message.get(messageKey("c", 1))).toEqual({
      ask: null,
      content: null,
      conversation: "c",
      id: "e1",
      paths: [],
      seq: 1,
      source: "user",
      text: "hello",
      ts: "1970-01-01T00:00:01.000Z",
    });
    expect([...state.message.keys()].sort()).toEqual([messageKey(null, 2), messageKey("c", 1)]);
    expect([...state.conversation.keys()]).toEqual(["c"]);
  });

  test("a conversation knows its first and last message, and is named after what the user said first", () => {
    const state = after(says("I begin", "c", "agent"), says(`\n  ${"é".repeat(90)}\nmore`, "c"), says("later", "c"));
    expect(state.conversation.get("c")).toEqual({
      first: 1,
      last: 3,
      messages: 3,
      since: "1970-01-01T00:00:01.000Z",
      title: `${"é".repeat(79)}…`,
      until: "1970-01-01T00:00:03.000Z",
    });
  });

  test("a title has files by their names, and not the word by which it began", () => {
    const titled = (text: string) => after(says(text, "c")).conversation.get("c");
    expect(titled("about @workspace/poem.md what is it?")).toMatchObject({ title: "poem.md what is it?" });
    expect(titled('about “one” in line 3 of @"workspace/my notes.md" why?')).toMatchObject({
      title: "“one” in line 3 of my notes.md why?",
    });
    expect(titled("about time: write to ada@example.org")).toMatchObject({
      title: "about time: write to ada@example.org",
    });
  });

  test("a title never ends in half a character", () => {
    const title = after(says("😂".repeat(200), "c")).conversation.get("c");
    expect(title).toMatchObject({ title: `${"😂".repeat(79)}…` });
  });
});

describe("tasks and checkpoints", () => {
  const cause = { task: "t", ask: "a" };

  test("a task goes from its plan to its end, and keeps what was known", () => {
    const result = {
      citations: [],
      commands_run: [],
      files_changed: [],
      questions: [],
      status: "failed",
      summary: { hash: FILE.hash, size: 1 },
      verify: [],
    };
    const states = [
      { type: "task.planned", payload: PLAN, cause },
      { type: "task.approved", payload: { scope: "once" }, cause },
      { type: "task.started", payload: { attempt: 2 }, cause },
      { type: "task.finished", payload: result, cause },
    ].map((_, i, all) => after(...all.slice(0, i + 1)).task.get("t"));
    expect(states).toMatchObject([
      { status: "planned", instruction: "mend it", ask: "a", seq: 1, planned: "1970-01-01T00:00:01.000Z" },
      { status: "approved" },
      { status: "running", attempt: 2, started: "1970-01-01T00:00:03.000Z", finished: null },
      { status: "failed", attempt: 2, summary: { size: 1 }, seq: 1, finished: "1970-01-01T00:00:04.000Z" },
    ]);
  });

  test("what is said of a task that was never planned says nothing", () => {
    expect(after({ type: "task.denied", payload: { reason: "no" }, cause }).task.size).toBe(0);
    expect(after({ type: "task.denied", payload: {} }).task.size).toBe(0);
  });

  test("a checkpoint is found by its commit", () => {
    const commit = "0f".repeat(20);
    const state = after({ type: "checkpoint.created", payload: { at: 1, commit, message: "m", why: "asked" } });
    expect(state.checkpoint.get(commit)).toEqual({
      at: 1,
      message: "m",
      seq: 1,
      ts: "1970-01-01T00:00:01.000Z",
      why: "asked",
    });
  });
});

describe("what isn't over", () => {
  test("an approval stands until it is answered, whatever the answer", () => {
    const asked: Said = { type: "approval.asked", payload: { approval: "p", covers: "the network" }, source: "agent" };
    const given: Said = { type: "approval.given", payload: { approval: "p", decision: "denied" } };
    const value = { covers: "the network", seq: 1, since: "1970-01-01T00:00:01.000Z" };
    expect([...after(asked).approval]).toEqual([["p", value]]);
    expect(after(asked, given).approval.size).toBe(0);
    expect([...after(given, asked).approval.keys()]).toEqual(["p"]);
  });

  test("a call stands until it has ended; what belongs to no call is none", () => {
    const call = (id: string): Said => ({ ...called, cause: { call: id } });
    const called: Said = { type: "tool.call", payload: { input: { hash: FILE.hash, size: 1 }, tool: "exec" } };
    const ended: Said = { type: "tool.result", payload: { status: "ok" }, cause: { call: "a" } };
    const state = after(called, call("a"), call("b"), ended);
    expect([...state.call]).toEqual([["b", { seq: 3, since: "1970-01-01T00:00:03.000Z", tool: "exec" }]]);
  });
});
