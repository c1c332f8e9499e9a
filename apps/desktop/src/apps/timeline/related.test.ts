import { expect, test } from "vitest";
import type { Moment } from "../../desk/socket.ts";
import { begunBy, causeQueries, isCauseOf, isTakenBackBy } from "./related.ts";

test("TIME-6: an ask, a plan and a call are the beginning of what has them as its cause", () => {
  expect(begunBy(moment({ id: "m", type: "message", cause: { ask: "m" } }))).toEqual({ kind: "ask", id: "m" });
  expect(begunBy(moment({ id: "n", type: "message", cause: { ask: "m" } }))).toBeUndefined();
  expect(begunBy(moment({ type: "tool.call", cause: { ask: "m", call: "k" } }))).toEqual({ kind: "call", id: "k" });
  expect(begunBy(moment({ type: "task.planned", payload: { task_id: "t" } }))).toEqual({ kind: "task", id: "t" });
  expect(begunBy(moment({ type: "file.write", cause: { call: "k" } }))).toBeUndefined();
});

test("TIME-6: what an event came from is looked for before it, the first cause first", () => {
  const before = { to: 9, limit: 1 };
  expect(causeQueries(moment({ type: "file.write", cause: { ask: "m", call: "k", task: "t" } }))).toEqual([
    { ...before, cause: { ask: "m" }, type: ["message"] },
    { to: 9, cause: { ask: "m" }, type: ["task.planned"] },
    { ...before, cause: { call: "k" }, type: ["tool.call"] },
  ]);
  const plan = (task_id: string) => moment({ type: "task.planned", payload: { task_id } });
  const write = moment({ type: "file.write", cause: { ask: "m", task: "t" } });
  expect([isCauseOf(write, plan("t")), isCauseOf(write, plan("other"))]).toEqual([true, false]);
  expect(causeQueries(moment({ id: "m", type: "message", cause: { ask: "m" } }))).toEqual([]);
  expect(causeQueries(moment({ type: "undo", payload: { target: { seq: 4 } } }))).toEqual([{ from: 4, to: 4 }]);
});

test("TIME-6: an undo is told of what it was aimed at, and of all that this led to", () => {
  const one = moment({ type: "file.write", cause: { call: "k" } });
  const by = (target: object, seq = 20) => isTakenBackBy(one, moment({ seq, type: "undo", payload: { target } }));
  expect([by({ seq: 10 }), by({ call: "k" }), by({ since: 9 }), by({ since: 4 })]).toEqual([true, true, true, true]);
  expect([by({ seq: 11 }), by({ call: "j" }), by({ ask: "k" }), by({ since: 10 }), by({})]).toEqual(
    Array(5).fill(false),
  );
  expect(by({ since: 4 }, 8)).toBe(false);
  const changed = moment({ type: "file.write", payload: { changes: [{ path: "workspace/a" }] } });
  const file = { path: "workspace/a", seq: 10 };
  const undo = (...kept: object[]) => moment({ seq: 20, type: "undo", payload: { kept, target: { since: 4 } } });
  expect(isTakenBackBy(changed, undo(file))).toBe(false);
  expect(isTakenBackBy(changed, undo({ ...file, dir: true }))).toBe(true); // folders come and go with files
  const both = moment({
    type: "files.changed",
    payload: { changes: [{ path: "workspace/b" }, { path: "workspace/b/a" }] },
  });
  const folder = { path: "workspace/b", seq: 10, dir: true };
  expect(isTakenBackBy(both, undo(folder, { path: "workspace/b/a", seq: 10 }))).toBe(false);
  expect(isTakenBackBy(both, undo(folder))).toBe(true); // the file in it is
});

function moment(event: object): Moment {
  return { event: { payload: {}, seq: 10, ...event } } as unknown as Moment; // only what is looked at
}
