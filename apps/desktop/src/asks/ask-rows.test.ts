import type { AskStatus, AskValue } from "@choiros/contract";
import { expect, test } from "vitest";
import type { Undos } from "../desk/undos.ts";
import { askIn, asksIn, withdrawal } from "./ask-rows.ts";
import { byNeed, standWords } from "./ask-words.ts";

const value = (seq: number, status: AskStatus, more: Partial<AskValue> = {}): AskValue => ({
  ...{
    answer: null,
    attempt: 0,
    begun: 0,
    conversation: "c",
    cost_usd: 0,
    cost_unknown: false,
    detail: null,
    into: null,
  },
  ...{ look: [], question: null, seq, since: "2026-01-01T00:00:00.000Z", status, title: `ask ${seq}` },
  ...{ tokens_in: 0, tokens_out: 0, until: "2026-01-01T00:00:00.000Z" },
  ...more,
});

test("DESK-45: what was asked is listed, the newest first; what told another ask something is none of its own", () => {
  const rows = new Map([
    ["a", value(2, "done")],
    ["b", value(9, "queued", { title: null })],
    ["c", value(5, "steered", { into: "a" })],
  ]);
  expect(asksIn(rows, new Map()).map(({ title }) => title)).toEqual(["A long text", "ask 2"]);
});

test("ASKS-1: what needs the user comes first, then what runs; what waits for its turn stands in the order in which it is taken", () => {
  const rows = new Map([
    ["a", value(1, "done")],
    ["b", value(2, "queued")],
    ["c", value(3, "running")],
    ["d", value(4, "queued")],
    ["e", value(5, "wondering")],
    ["f", value(6, "done")],
    ["g", value(7, "queued")],
  ]);
  expect(byNeed(asksIn(rows, new Map())).map(({ id }) => id)).toEqual(["e", "c", "b", "d", "g", "f", "a"]);
});

test("ASKS-8: an ask is called by what was said, in one line, with what can't be seen or turns the writing around written out", () => {
  const rows = new Map([["a", value(2, "done", { title: "Sort\nthe \u202eseton" })]]);
  expect(askIn(rows, new Map(), "a")?.title).toBe("Sort the \\u{202e}seton");
});

test("DESK-45: an ask that is taken back waits no more, until that is undone; one that was taken up stays what it is", () => {
  const rows = new Map([
    ["a", value(2, "queued")],
    ["b", value(3, "running")],
  ]);
  const taken = new Map([
    [withdrawal("a"), true],
    [withdrawal("b"), true],
  ]);
  expect(asksIn(rows, taken).map(({ status }) => status)).toEqual(["running", "withdrawn"]);
  expect(askIn(rows, new Map([[withdrawal("a"), null]]), "a")?.status).toBe("queued");
  expect(askIn(rows, taken, "none")).toBeUndefined();
});

test("ASKS-1: an ask that is taken back whole, or that was gone back behind, says so, until that is undone or it was resumed; what was kept is named", () => {
  const rows = new Map([["a", value(2, "done", { begun: 3 })]]);
  const words = (undos: Undos) => asksIn(rows, new Map(), undos).map(standWords);
  const whole = { cause: null, seq: 8, target: { ask: "a" } };
  expect(words([whole])).toEqual(["taken back"]);
  expect(words([{ ...whole, target: { since: 1 } }])).toEqual(["taken back"]);
  expect(words([whole, { cause: null, seq: 9, target: { seq: 8 } }])).toEqual(["done"]);
  const notes = (...names: string[]) =>
    names.map((name) => ({ path: `workspace/${name}`, seq: 4, cause: { ask: "a" } }));
  expect(words([{ ...whole, kept: notes("notes/n2.md") }])).toEqual(["taken back, but for n2.md"]);
  expect(words([{ ...whole, kept: notes("n1.md", "n2.md", "n3.md") }])).toEqual(["taken back, but for 3 files"]);
  expect(words([{ ...whole, kept: 150 }])).toEqual(["taken back, but for 150 changes"]);
  const setting = { ...whole, kept: [{ key: "theme", seq: 4, cause: { ask: "a" } }] };
  expect(words([setting])).toEqual(["taken back, but for the setting theme"]);
  const folder = { ...whole, kept: notes("notes").map((one) => ({ ...one, dir: true as const })) };
  expect(words([folder])).toEqual(["taken back"]); // one that holds something else
  const resumed = new Map([["a", value(2, "stopped", { begun: 10 })]]);
  expect(asksIn(resumed, new Map(), [whole])[0]?.taken).toBeUndefined();
});
