import { expect, test } from "vitest";
import type { DeskApi, EventQuery } from "./api.ts";
import { placeNow } from "./place-now.ts";

const FILE = { kind: "file", hash: "a".repeat(64), mode: 0o644, size: 1 };

/** A log in which these were moved, one after the other, and one was deleted. */
function deskOf(moves: readonly (readonly [from: string, to: string])[], deleted?: string) {
  const events = moves.map(([from, to], i) => ({
    event: {
      ...{ v: 1, id: `e${i}`, seq: i + 1, ts: "2026-01-01T00:00:00.000Z", user_id: "ada", source: "user" },
      ...{ hash: "0".repeat(64), type: "file.move" },
      payload: {
        changes: [
          { path: from, before: FILE, after: null },
          { path: to, before: null, after: FILE },
        ],
        ...{ from, to },
      },
    },
  }));
  const desk = {
    events: async ({ from = 1 }: EventQuery, { onItem }: { onItem(moment: unknown): void }) => {
      for (const one of events.slice(from - 1, from)) onItem(one);
    },
    files: {
      history: async (key: string) => {
        if (key === deleted) return [{ seq: events.length + 1, entry: null }];
        const last = moves.findLastIndex((move) => move.includes(key));
        return last < 0 ? [] : [{ seq: last + 1, entry: moves[last]?.[1] === key ? FILE : null }];
      },
    },
  };
  return desk as unknown as DeskApi; // as far as it is used here
}

test("EDIT-5: a file is found where it is by now, however often it got another name; one that is gone, or never was, isn't", async () => {
  const desk = deskOf([
    ["workspace/a", "workspace/b"],
    ["workspace/b", "workspace/c"],
  ]);
  expect(await placeNow(desk, "workspace/a")).toBe("workspace/c");
  expect(await placeNow(desk, "workspace/c")).toBe("workspace/c");
  expect(await placeNow(desk, "workspace/x")).toBeUndefined();
  expect(await placeNow(deskOf([["workspace/a", "workspace/b"]], "workspace/b"), "workspace/a")).toBeUndefined();
});
