import type { Json, Source } from "@choiros/contract";
import { expect, test } from "vitest";
import type { Moment } from "../../desk/socket.ts";
import { doneBy } from "./done.ts";
import { FOLDER } from "./samples.ts";

const ENTRY = { hash: "0".repeat(64), kind: "file", mode: 420, size: 1 };

function moment(type: string, payload: Moment["event"]["payload"], source: Source = "user"): Moment {
  const ts = "2026-01-01T00:00:00.000Z";
  return { event: { v: 1, ts, id: "e1", seq: 1, user_id: "ada", hash: "0".repeat(64), source, type, payload } };
}
const write = (before: Json, path = `${FOLDER}/names.txt`, source: Source = "user") =>
  moment("file.write", { changes: [{ path, before, after: ENTRY }] }, source);
const undo = moment("undo", { changes: [{ path: "workspace/a", before: ENTRY, after: null }], target: { seq: 1 } });

test("FIRST-1: what was tried is known from the log: that samples were made is no writing, and only what the user did counts", () => {
  expect(doneBy([write(null), write(ENTRY, "workspace/other.txt"), write(ENTRY, undefined, "agent")])).toEqual([]);
  expect(doneBy([write({ ...ENTRY, size: 2 })])).toEqual(["write"]);
  expect(doneBy([undo])).toEqual(["undo"]);
});

test("FIRST-1: an ask is tried once somebody has taken it up: words that wait aren't", () => {
  expect(doneBy([moment("message", { text: "lss" })])).toEqual([]);
  expect(doneBy([moment("ask.started", { attempt: 1 }, "agent")])).toEqual(["ask"]);
});
