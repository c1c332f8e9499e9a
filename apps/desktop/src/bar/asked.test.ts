import { expect, test } from "vitest";
import { askedIn, waitingOf, withdrawal } from "./asked.ts";

const message = (seq: number, more = {}) => ({
  ...{ ask: null, content: null, conversation: null, id: `m${seq}`, paths: [], seq, source: "user" },
  ...{ text: `ask ${seq}`, ts: "2026-01-01T00:00:00.000Z" },
  ...more,
});
const rows = (...values: ReturnType<typeof message>[]) => new Map(values.map((value) => [`c${value.seq}/1`, value]));

test("DESK-45: what the user said and nobody took on waits, the newest first; what others said doesn't", () => {
  const asked = askedIn(rows(message(3), message(12), message(5, { source: "agent" }), message(7, { text: null })));
  expect(asked.map(({ text }) => text)).toEqual(["ask 12", "A long text", "ask 3"]);
  expect(waitingOf(asked, new Map(), new Map())).toEqual(asked);
  expect(waitingOf(asked, new Map(), new Map([["t1", { ask: "m12" }]]))).toEqual(asked.slice(1));
});

test("DESK-45: an ask that is taken back waits no more, until that is undone", () => {
  const asked = askedIn(rows(message(3), message(4)));
  const waiting = waitingOf(asked, new Map([[withdrawal("m4"), true]]), new Map());
  expect(waiting.map(({ id }) => id)).toEqual(["m3"]);
  expect(waitingOf(asked, new Map([[withdrawal("m4"), null]]), new Map()).length).toBe(2);
});
