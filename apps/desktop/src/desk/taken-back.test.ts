import type { Json } from "@choiros/contract";
import { expect, test } from "vitest";
import type { DeskApi } from "./api.ts";
import type { NewNotice } from "./notices.ts";
import type { Outcome } from "./shapes.ts";
import { tellTakenBack } from "./taken-back.ts";

const OUTCOME: Outcome = { ok: true, call: "c9", changed: 1, notes: [], seq: 9 };
const DIR = { kind: "dir", mode: 0o755 };

/** A desk whose last undo did this to a folder. */
function deskOf(before: Json, after: Json) {
  const told: NewNotice[] = [];
  const turned: unknown[][] = [];
  const opened: unknown[][] = [];
  const api = {
    events: async (_: Json, { onItem }: { onItem(moment: Json): void }) =>
      onItem({ event: { type: "undo", payload: { changes: [{ path: "workspace/letters", before, after }] } } }),
    notify: (notice: NewNotice) => told.push(notice),
    open: (...words: unknown[]) => void opened.push(words),
    takeBack: async (...words: unknown[]) => void turned.push(words),
  } as unknown as Pick<DeskApi, "events" | "notify" | "open" | "takeBack">; // as far as it is used
  return { api, opened, told, turned };
}

test("DESK-44: a notice says what was taken back, and does it again; then it says that", async () => {
  const { api, told, turned } = deskOf(DIR, null);
  await tellTakenBack(api, { call: "c1" }, OUTCOME);
  expect(told).toMatchObject([{ text: "Taken back: letters (folder removed)", action: { label: "Redo" } }]);
  told[0]?.action?.run();
  expect(turned).toEqual([[{ call: "c9" }, "again"]]);
  const again = deskOf(null, DIR);
  await tellTakenBack(again.api, { call: "c9" }, OUTCOME, "again");
  expect(again.told).toMatchObject([{ text: "Done again: letters (new folder)", action: { label: "Undo" } }]);
});

test("DESK-44: a way back to a moment is told as that, and can be undone; a refusal says why, and leads to where one chooses", async () => {
  const { api, opened, told } = deskOf(DIR, null);
  await tellTakenBack(api, { since: 4 }, OUTCOME);
  await tellTakenBack(api, { seq: 4 }, { ok: false, reason: "conflict", message: "letters was changed since." });
  expect(told).toMatchObject([
    { text: "Everything is as it was after event 4", action: { label: "Undo" } },
    { text: "letters was changed since.", kind: "wrong", action: { label: "Look at it" } },
  ]);
  told[1]?.action?.run();
  expect(opened).toEqual([["timeline", { seq: 4 }]]);
});
