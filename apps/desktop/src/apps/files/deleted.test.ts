import type { Json } from "@choiros/contract";
import { expect, test } from "vitest";
import type { DeskApi } from "../../desk/api.ts";
import { whoWords } from "../../shown/who.ts";
import { deletedIn } from "./deleted.ts";

const file = (digit: string) => ({ kind: "file", hash: digit.repeat(64), mode: 0o644, size: 1 });
const DIR = { kind: "dir", mode: 0o755 };

type Changes = Readonly<Record<string, readonly [before: Json, after: Json]>>;

/** A log of these events, the newest first; what is `long` doesn't stand in its event. */
function fakeDesk(events: readonly Changes[], long?: Changes) {
  const changesIn = (changes: Changes) =>
    Object.entries(changes).map(([name, [before, after]]) => ({ path: `workspace/${name}`, before, after }));
  const envelope = { v: 1, ts: "2026-11-16T12:00:00.000Z", user_id: "ada", hash: "0".repeat(64), source: "user" };
  const list = { count: 200, list: { hash: "0".repeat(64), size: 1 }, by: "desk" };
  const payloads = [
    ...(long === undefined ? [] : [list]),
    ...events.map((one) => ({ changes: changesIn(one), by: "desk" })),
  ];
  return {
    events: async (_: Json, { onItem }: { onItem(moment: Json): void }) => {
      for (const [i, payload] of payloads.entries())
        onItem({ event: { ...envelope, id: `e${i}`, seq: 100 - i, type: "files.changed", payload } as Json }); // as sent
    },
    files: {
      diff: async (_: Json, { onItem }: { onItem(shown: Json): void }) => {
        for (const { path, ...change } of changesIn(long ?? {})) onItem({ change: { key: path, ...change } });
      },
    },
  } as unknown as DeskApi; // as far as it is asked
}

async function found(desk: DeskApi, folder = "workspace"): Promise<string[]> {
  const all = await deletedIn(desk, folder, { from: 1, to: 100, signal: new AbortController().signal });
  return all.map(({ key, seq }) => `${key} ${seq}`);
}

test("FILES-15: what was deleted from a folder is found once, by the last event that took it", async () => {
  const desk = fakeDesk([
    { a: [file("1"), null], "docs/b": [file("2"), null] },
    { a: [null, file("1")] },
    { a: [file("0"), null], docs: [DIR, null] },
  ]);
  expect(await found(desk)).toEqual(["workspace/a 100", "workspace/docs 98"]);
  expect(await found(desk, "workspace/docs")).toEqual(["workspace/docs/b 100"]);
});

test("FILES-15: what was moved isn't deleted, nor is a folder whose files are elsewhere", async () => {
  const desk = fakeDesk([
    { a: [file("1"), null], "docs/a": [null, file("1")] },
    { old: [DIR, null], "old/x": [file("2"), null], new: [null, DIR], "new/x": [null, file("2")] },
    { gone: [DIR, null], "gone/y": [file("3"), null] },
  ]);
  expect(await found(desk)).toEqual(["workspace/gone 98"]);
});

test("FILES-15: what went with very many others is found, too", async () => {
  expect(await found(fakeDesk([], { many: [DIR, null], "many/1": [file("1"), null] }))).toEqual(["workspace/many 100"]);
});

test("FILES-15: it is said who it was: you, an agent, or somebody from outside", () => {
  expect(whoWords({ source: "user", type: "file.delete" })).toBe("you");
  expect(whoWords({ source: "agent", type: "files.changed", by: "command" })).toBe("an agent");
  expect(whoWords({ source: "user", type: "files.changed", by: "command" })).toBe("a command");
  expect(whoWords({ source: "user", type: "files.changed", by: "desk" })).toBe("you");
  expect(whoWords({ source: "system", type: "files.changed" })).toBe("outside");
});
