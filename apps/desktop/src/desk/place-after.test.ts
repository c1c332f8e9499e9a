import { expect, test } from "vitest";
import { placeAfter } from "./place-after.ts";
import type { Moment } from "./socket.ts";

const FILE = { kind: "file", hash: "a".repeat(64), mode: 0o644, size: 1 };

function happened(type: string, payload: object): Moment {
  const event = { v: 1, id: "0192f0c1-2345-7abc-8def-0123456789ab", seq: 2, ts: "2026-01-01T00:00:00.000Z" };
  return { event: { ...event, prev: "0".repeat(64), hash: "0".repeat(64), source: "user", type, payload } } as never; // as one comes
}

const moved = (from: string, to: string) =>
  happened("file.move", {
    changes: [
      { path: from, before: FILE, after: null },
      { path: to, before: null, after: FILE },
    ],
    from,
    to,
  });

test("EDIT-4: a file is followed through all moves that are heard of at once", () => {
  const moves = [moved("workspace/a", "workspace/b"), moved("workspace/b", "workspace/c")];
  expect(placeAfter(moves, "workspace/a")).toBe("workspace/c");
  expect(placeAfter(moves, "workspace/x")).toBe("workspace/x");
});

test("EDIT-4: a file that a command moved is followed", () => {
  const { event } = moved("workspace/a", "workspace/b");
  const { changes } = event.payload as { readonly changes: object };
  const command = happened("files.changed", { by: "command", changes });
  expect(placeAfter([command], "workspace/a")).toBe("workspace/b");
});
