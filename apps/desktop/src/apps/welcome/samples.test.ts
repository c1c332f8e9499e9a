import { expect, test } from "vitest";
import type { DeskApi } from "../../desk/api.ts";
import type { Writing } from "../../desk/web.ts";
import { FOLDER, makeSamples, takeSamplesBack } from "./samples.ts";

test("FIRST-2: samples are written as one call, and over nothing that is there", async () => {
  const written: [string, Writing | undefined][] = [];
  const there = [{ key: `${FOLDER}/names.txt` }];
  const desk = {
    files: {
      list: async () => there,
      write: async (key: string, _: string, writing?: Writing) => {
        written.push([key, writing]);
        return { ok: true, call: "x", changed: 1, notes: [], seq: written.length };
      },
    },
  } as unknown as Pick<DeskApi, "files">; // only what is asked of it
  const { call, outcome } = await makeSamples(desk);
  expect(outcome).toMatchObject({ call, changed: 2, ok: true, seq: 2 });
  expect(written).toEqual([
    [`${FOLDER}/Read me.md`, { base: null, call }],
    [`${FOLDER}/numbers.csv`, { base: null, call }],
  ]);
});

test("FIRST-2: samples go with one undo, also where something was written to them; what came beside them stays", async () => {
  const conflict = (key: string) => ({ conflict: { key, why: "later", choices: ["mine", "theirs"] } });
  const undone: unknown[] = [];
  const desk = {
    preview: async () => ({ said: [conflict(`${FOLDER}/Read me.md`), conflict(FOLDER)], answer: { ok: false } }),
    undo: async (...words: unknown[]) => void undone.push(...words),
  } as unknown as DeskApi; // only what is asked of it
  await takeSamplesBack(desk, "c1");
  const choices = new Map([
    [`${FOLDER}/Read me.md`, "theirs"],
    [FOLDER, "mine"],
  ]);
  expect(undone).toEqual([{ call: "c1" }, choices]);
});
