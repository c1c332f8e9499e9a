import type { Json } from "@choiros/contract";
import { expect, test } from "vitest";
import type { DeskApi } from "../../desk/api.ts";
import type { Moment } from "../../desk/socket.ts";
import { FOLDER } from "./samples.ts";
import { callOfSamples } from "./samples-there.ts";

const ENTRY = { hash: "0".repeat(64), kind: "file", mode: 420, size: 1 };

function moment(call: string, before: Json, path = `${FOLDER}/names.txt`): Moment {
  const common = { v: 1, ts: "2026-01-01T00:00:00.000Z", id: "e1", seq: 1, user_id: "ada", hash: "0".repeat(64) };
  const payload = { changes: [{ path, before, after: ENTRY }] };
  return { event: { ...common, source: "user", type: "file.write", cause: { call }, payload } } as Moment;
}

function fakeDesk(keys: readonly string[], moments: readonly Moment[]): DeskApi {
  return {
    files: { list: async () => keys.map((key) => ({ key })) },
    events: async (_: unknown, { onItem }: { onItem(moment: Moment): void }) => void moments.forEach(onItem),
  } as unknown as DeskApi; // only what is asked of it
}

test("FIRST-2: samples that are there are known by the last call that made them, whoever wrote to them since", async () => {
  const newestFirst = [
    moment("typed", ENTRY),
    moment("beside", null, `${FOLDER}/own.txt`),
    moment("second", null),
    moment("first", null),
  ];
  expect(await callOfSamples(fakeDesk([`${FOLDER}/names.txt`], newestFirst))).toBe("second");
  expect(await callOfSamples(fakeDesk([`${FOLDER}/own.txt`], newestFirst))).toBeUndefined();
  expect(await callOfSamples(fakeDesk([], newestFirst))).toBeUndefined();
});
