import { expect, test } from "vitest";
import type { Ask } from "../../asks/ask-rows.ts";
import { fitting } from "./fitting-asks.ts";

const ask = (seq: number, status: Ask["status"]) => ({ id: `a${seq}`, seq, status, title: `Ask ${seq}` }) as Ask; // no more of it is looked at
const ASKS = [ask(5, "done"), ask(4, "running"), ask(3, "wondering"), ask(2, "withdrawn"), ask(1, "limit")];
const TEXTS = new Map([["a5", "Ask 5\nand the whole letter to the queen"]]);
const ids = (words: string, openOnly = false) => fitting(ASKS, TEXTS, { words, openOnly }).map(({ id }) => id);

test("ASKS-1: what wants the user comes first, then what isn't over, then the rest; each the newest first", () => {
  expect(ids("")).toEqual(["a3", "a1", "a4", "a5", "a2"]);
  expect(ids("", true)).toEqual(["a3", "a1", "a4"]);
});

test("ASKS-1: words narrow the list down, by all that was said and by how it stands", () => {
  expect(ids("QUEEN letter")).toEqual(["a5"]);
  expect(ids("reached")).toEqual(["a1"]);
  expect(ids("queen", true)).toEqual([]);
});
