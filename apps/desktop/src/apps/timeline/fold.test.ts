import fc from "fast-check";
import { expect, test } from "vitest";
import type { Moment } from "../../desk/socket.ts";
import { fold, foldsOver, isFold, type Row, seqOf } from "./fold.ts";

test("TIME-2: what an ask led to is one line; what is alone has no line above it", () => {
  const moments = [
    moment(9, "file.write", { call: "k9" }),
    moment(8, "tool.result", { ask: "a", task: "t", call: "k1" }),
    moment(7, "message", { ask: "b" }),
    moment(6, "files.changed", { ask: "a", task: "t", call: "k1" }),
    moment(5, "tool.call", { ask: "a", task: "t", call: "k1" }),
    moment(4, "task.started", { ask: "a", task: "t" }),
    moment(3, "task.planned", { ask: "a" }, { task_id: "t" }),
    moment(2, "message", { ask: "a" }),
  ];
  expect(told(fold(moments, new Set()))).toEqual(["event:9", "ask:a (6)", "event:7"]);
  expect(told(fold(moments, new Set(["ask:a", "ask:a/task:t", "ask:a/task:t/call:k1"])))).toEqual([
    "event:9",
    "ask:a (6)",
    "  ask:a/task:t (5)",
    "    ask:a/task:t/call:k1 (3)",
    "      event:8",
    "      event:6",
    "      event:5",
    "    event:4",
    "    event:3",
    "  event:2",
    "event:7",
  ]);
  expect(foldsOver(moments, 6)).toEqual(["ask:a", "ask:a/task:t", "ask:a/task:t/call:k1"]);
  expect(foldsOver(moments, 9)).toEqual([]);
});

test("TIME-2: what was said to an ask that is worked at belongs to that ask", () => {
  const moments = [
    moment(7, "ask.answered", { ask: "a" }),
    moment(6, "ask.steered", { ask: "c" }, { into: "a" }),
    moment(5, "message", { ask: "c" }),
    moment(4, "ask.steered", { ask: "b" }, { into: "a" }),
    moment(3, "message", { ask: "b" }),
    moment(2, "ask.started", { ask: "a" }),
    moment(1, "message", { ask: "a" }),
  ];
  expect(told(fold(moments, new Set()))).toEqual(["ask:a (7)"]);
  const open = new Set(["ask:a"]);
  expect(told(fold(moments, open)).slice(1)).toEqual([7, 6, 5, 4, 3, 2, 1].map((seq) => `  event:${seq}`));
});

test("TIME-2: windows that are moved one after the other are one line, which stays the same one as it grows", () => {
  const windows = [5, 4, 3].map((seq) => moment(seq, "window.change", { call: `w${seq}` }));
  const before = moment(2, "file.write", {});
  const [run] = fold([...windows.slice(1), before], new Set());
  expect(told(fold([...windows, before], new Set([run?.id ?? ""])))).toEqual([
    "windows:3 (3)",
    "  event:5",
    "  event:4",
    "  event:3",
    "event:2",
  ]);
});

const id = (name: string) =>
  fc.option(
    fc.integer({ min: 0, max: 3 }).map((n) => `${name}${n}`),
    { nil: undefined },
  );
const anyMoments = fc
  .array(fc.record({ ask: id("a"), task: id("t"), call: id("k"), isWindow: fc.boolean() }), { maxLength: 40 })
  .map((all) =>
    all.map(({ isWindow, ...cause }, i) => moment(all.length - i, isWindow ? "window.focus" : "file.write", cause)),
  );

test("TIME-1: with everything open each event is there once; folded, each is in one line; lines stand by their newest", () => {
  fc.assert(
    fc.property(anyMoments, (moments) => {
      const open = new Set<string>();
      for (let rows = fold(moments, open); ; rows = fold(moments, open)) {
        const before = open.size;
        for (const row of rows) if (isFold(row)) open.add(row.id);
        const seen = rows.flatMap((row) => (isFold(row) ? (row.open ? [] : row.moments) : [row.moment]));
        expect(seen.map(({ event }) => event.seq).sort((a, b) => b - a)).toEqual(moments.map(({ event }) => event.seq));
        const tops = rows.filter(({ depth }) => depth === 0).map(seqOf);
        expect(tops).toEqual([...tops].sort((a, b) => b - a));
        expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
        if (open.size === before) break;
      }
    }),
  );
});

test("TIME-1: opening what is over an event brings it in sight", () => {
  fc.assert(
    fc.property(anyMoments, (moments) => {
      for (const { event } of moments) {
        const rows = fold(moments, new Set(foldsOver(moments, event.seq)));
        expect(rows.some((row) => row.id === `event:${event.seq}`)).toBe(true);
      }
    }),
  );
});

function told(rows: readonly Row[]): string[] {
  return rows.map((row) => "  ".repeat(row.depth) + row.id + (isFold(row) ? ` (${row.moments.length})` : ""));
}

function moment(seq: number, type: string, cause: object, payload: object = {}): Moment {
  return { event: { cause, payload, seq, type } } as unknown as Moment; // only what is folded by
}
