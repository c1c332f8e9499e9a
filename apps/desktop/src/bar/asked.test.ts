import { expect, test } from "vitest";
import { askedIn } from "./asked.ts";

const message = (seq: number, more = {}) => ({
  ...{ ask: null, content: null, conversation: null, id: `m${seq}`, paths: [], seq, source: "user" },
  ...{ text: `ask ${seq}`, ts: "2026-01-01T00:00:00.000Z" },
  ...more,
});
const rows = (...values: ReturnType<typeof message>[]) => new Map(values.map((value) => [`c${value.seq}/1`, value]));

test("DESK-42: what the user said is offered again, the newest first; what others said isn't", () => {
  const asked = askedIn(rows(message(3), message(12), message(5, { source: "agent" }), message(7, { text: null })));
  expect(asked.map(({ text }) => text)).toEqual(["ask 12", "A long text", "ask 3"]);
});
