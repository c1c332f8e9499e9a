import { expect, test } from "vitest";
import type { Ask } from "../../asks/ask-rows.ts";
import { fitting } from "./fitting-asks.ts";

const ask = (seq: number, status: Ask["status"]) =>
  ({ id: `a${seq}`, seq, status, title: `Ask ${seq}`, until: "2026-01-01T00:00:00.000Z" }) as Ask; // no more of it is looked at
const LATER = [
  ask(9, "failed"),
  ask(8, "stopped"),
  ask(10, "queued"),
  ask(7, "queued"),
  ask(6, "approval"),
  ask(5, "done"),
];
const ASKS = [...LATER, ask(4, "running"), ask(3, "wondering"), ask(2, "withdrawn"), ask(1, "limit")];
const TEXTS = new Map([["a5", "Ask 5\nand the whole letter to the queen"]]);
const ids = (words: string, openOnly = false) => fitting(ASKS, TEXTS, { words, openOnly }).map(({ id }) => id);

test("ASKS-1: what waits for an answer comes first, then what runs, what has yet to, what doesn't go on, and the rest; what has yet to in its order", () => {
  const open = ["a6", "a3", "a4", "a7", "a10", "a9", "a8", "a1"];
  expect(ids("")).toEqual([...open, "a5", "a2"]);
  expect(ids("", true)).toEqual(open);
});

test("ASKS-1: words narrow the list down, by all that was said and by how it stands", () => {
  expect(ids("QUEEN letter")).toEqual(["a5"]);
  expect(ids("reached")).toEqual(["a1"]);
  expect(ids("queen", true)).toEqual([]);
});
