import { newId } from "@choiros/contract";
import type { DeskApi } from "../../desk/api.ts";
import type { Choice, Outcome } from "../../desk/shapes.ts";

export const FOLDER = "workspace/Welcome";

/** Something to try things on. */
const SAMPLES: readonly (readonly [name: string, text: string])[] = [
  [
    "Read me.md",
    "# This is yours\n\nWrite here. What you write is kept by itself, version by version, and every version can come back.\n\n- [ ] change a line\n- [ ] look at it in Timeline\n- [ ] take it back\n",
  ],
  ["names.txt", "Ada\nGrace\nEdsger\nBarbara\nDonald\n"],
  ["numbers.csv", "month,visits\nJanuary,120\nFebruary,180\nMarch,240\n"],
];

export function isSample(key: string): boolean {
  return SAMPLES.some(([name]) => key === `${FOLDER}/${name}`);
}

export interface Made {
  readonly outcome: Outcome;
  /** All of it goes with one undo of this. */
  readonly call: string;
  readonly first: string;
}

/** Writes them as one call. One that is there already stays as it is. */
export async function makeSamples({ files }: Pick<DeskApi, "files">): Promise<Made> {
  const call = newId();
  const there = new Set((await files.list(FOLDER).catch(() => [])).map(({ key }) => key));
  const first = `${FOLDER}/${SAMPLES[0]?.[0]}`;
  let outcome: Outcome = { ok: true, call, changed: 0, notes: [], seq: 0 };
  for (const [name, text] of SAMPLES) {
    if (there.has(`${FOLDER}/${name}`)) continue;
    const next = await files.write(`${FOLDER}/${name}`, text, { base: null, call });
    if (!next.ok) return { outcome: next, call, first };
    outcome = { ...next, call, changed: outcome.changed + next.changed };
  }
  return { outcome, call, first };
}

/** Undoes the call that made them, with all that was written to them since. What else came into the folder stays. */
export async function takeSamplesBack(desk: Pick<DeskApi, "preview" | "undo">, call: string): Promise<Outcome> {
  const { said } = await desk.preview({ call });
  const choices = new Map<string, Choice>();
  for (const one of said)
    if ("conflict" in one) choices.set(one.conflict.key, isSample(one.conflict.key) ? "theirs" : "mine");
  return desk.undo({ call }, choices);
}
