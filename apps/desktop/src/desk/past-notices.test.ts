import type { Json } from "@choiros/contract";
import { expect, test } from "vitest";
import type { DeskApi } from "./api.ts";
import { pastNotices } from "./past-notices.ts";

const TS = "2026-01-01T10:00:00.000Z";
const entry = { hash: "0".repeat(64), kind: "file", mode: 420, size: 1 };
const write = (path: string) => ({ type: "file.write", payload: { changes: [{ path, before: null, after: entry }] } });

function deskOf(events: readonly { type: string; payload: Json; cause?: Json; source?: string }[]) {
  const undone: unknown[] = [];
  const api = {
    events: async (_: Json, { onItem }: { onItem(moment: Json): void }) => {
      for (const [i, event] of [...events.entries()].reverse())
        onItem({ event: { v: 1, ts: TS, id: `e${i}`, user_id: "ada", source: "user", hash: entry.hash, seq: i + 1, ...event } }); // biome-ignore format: in one line
    },
    takeBack: async (target: Json) => void undone.push(target),
  } as unknown as Pick<DeskApi, "events" | "takeBack">; // as far as it is used
  return { api, undone };
}

test("DESK-33: the history begins with what was done last, a line for each call, with its undo", async () => {
  const { api, undone } = deskOf([
    write("workspace/a.md"),
    { ...write("workspace/b.md"), cause: { call: "c1" } },
    { ...write("workspace/c.md"), cause: { call: "c1" } },
    { type: "message", payload: { text: "hi" } },
    { ...write("workspace/d.md"), source: "system" },
  ]);
  const notices = await pastNotices(api);
  expect(notices).toMatchObject([
    { text: expect.stringContaining("a.md"), at: new Date(TS) },
    { text: "b.md, c.md", detail: "new" },
  ]);
  for (const { action } of notices) action?.run();
  expect(undone).toEqual([{ seq: 1 }, { call: "c1" }]);
});
