import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { cuts, type Damage, describe, flips } from "./damage.ts";
import type { DamageRunReport } from "./damage-run.ts";
import type { Outcome } from "./damage-trial.ts";
import { makeOriginals, readOriginal } from "./original.ts";
import { BrokenPromise, inContext } from "./promise.ts";
import { randomFrom } from "./random.ts";
import { runScript } from "./script.ts";

export interface DamagePlan {
  readonly seed: number;
  /** Each how manieth point of the last 4,096 bytes is a place to cut: 1 is each of them, Infinity none. */
  readonly cutStep: number;
  readonly flips: number;
  readonly onProgress?: (done: number, total: number) => void;
}

/** How often it came out how. */
export type DamageReport = Readonly<Record<Outcome, number>>;

/** A damaged file must not keep anybody waiting. */
const PATIENCE_MS = 30_000;
/** As many as there are cores to be expected. */
const PROCESSES = 2;

/** R3: damages copies of a store in every way the plan names, and looks whether it is noticed. */
export async function damageStores(folder: string, plan: DamagePlan): Promise<DamageReport> {
  const originals = join(folder, "originals");
  const damages = await planDamages(folder, originals, plan);
  const report = { found: 0, harmless: 0, shorter: 0 };
  let done = 0;
  const count = (outcome: Outcome) => {
    report[outcome]++;
    plan.onProgress?.(++done, damages.length);
  };
  const shares = Array.from({ length: PROCESSES }, (_, share) => damages.filter((_, i) => i % PROCESSES === share));
  const runs = shares.map((share, i) => damageAll(originals, join(folder, `place-${i}`), share, count));
  const ends = await Promise.allSettled(runs); // both, so that nothing runs on in a folder that goes away
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) throw inContext(failed.reason, `seed ${plan.seed}`);
  return report;
}

async function planDamages(folder: string, originals: string, plan: DamagePlan): Promise<Damage[]> {
  mkdirSync(originals);
  await makeOriginals(originals);
  const closed = await readOriginal(join(originals, "closed"), folder);
  const open = await readOriginal(join(originals, "open"), folder);
  const random = randomFrom(plan.seed);
  return [
    ...cuts(random, "closed", "log.sqlite", plan.cutStep),
    ...cuts(random, "open", "log.sqlite-wal", plan.cutStep),
    ...flips(random, { closed, open }, plan.flips),
  ];
}

async function damageAll(
  originals: string,
  place: string,
  damages: readonly Damage[],
  count: (outcome: Outcome) => void,
): Promise<void> {
  mkdirSync(place);
  let current: Damage | undefined;
  try {
    await runScript<DamageRunReport>({
      script: ["damage-run.ts", originals, place],
      folder: originals,
      input: JSON.stringify(damages),
      patienceMs: PATIENCE_MS,
      onLine: (line) => {
        if ("broken" in line) throw new BrokenPromise(line.broken);
        if ("begun" in line) current = damages[line.begun];
        else count(line.outcome);
      },
    });
  } catch (error) {
    throw current === undefined ? error : inContext(error, describe(current));
  }
}
