import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { BrokenPromise, inContext } from "../promise.ts";
import { type Random, randomFrom } from "../random.ts";
import { runScript } from "../script.ts";
import type { DamageRunReport } from "./damage-run.ts";
import { type ComputerDamage, type ComputerOutcome, describeDamage } from "./damage-trial.ts";
import { filesOf, makeOriginals } from "./damaged-original.ts";

export interface ComputerDamagePlan {
  readonly seed: number;
  readonly damages: number;
  readonly onProgress?: (done: number, total: number) => void;
}

export type ComputerDamageReport = Readonly<Record<ComputerOutcome, number>>;

const PATIENCE_MS = 60_000;
const PAGE = 4096;

/** R3: damages what lies beside a computer's log in every way the plan names, and looks whether it is noticed. */
export async function damageComputers(folder: string, plan: ComputerDamagePlan): Promise<ComputerDamageReport> {
  const originals = join(folder, "originals");
  mkdirSync(originals);
  await makeOriginals(originals);
  const damages = choose(originals, plan);
  const report = { found: 0, later: 0, harmless: 0 };
  const place = join(folder, "place");
  mkdirSync(place);
  let current: ComputerDamage | undefined;
  try {
    await runScript<DamageRunReport>({
      script: ["computer/damage-run.ts", originals, place],
      folder,
      input: JSON.stringify(damages),
      patienceMs: PATIENCE_MS,
      onLine: (line) => {
        if ("broken" in line) throw new BrokenPromise(line.broken);
        if ("begun" in line) current = damages[line.begun];
        else {
          report[line.outcome]++;
          plan.onProgress?.(line.done + 1, damages.length);
        }
      },
    });
  } catch (error) {
    throw inContext(error, `seed ${plan.seed}${current === undefined ? "" : `, ${describeDamage(current)}`}`);
  }
  return report;
}

/** Each kind of file as often as the others, whichever is large. */
function choose(originals: string, { seed, damages }: ComputerDamagePlan): ComputerDamage[] {
  const random = randomFrom(`damage ${seed}`);
  const places = (["closed", "open"] as const).flatMap((computer) =>
    filesOf(join(originals, computer)).map((file) => ({ computer, file, kind: file.replace(/\/.*/, "/") })),
  );
  const kinds = [...new Set(places.map(({ computer, kind }) => `${computer} ${kind}`))];
  return Array.from({ length: damages }, (_, i) => {
    const these = places.filter(({ computer, kind }) => `${computer} ${kind}` === kinds[i % kinds.length]);
    const { computer, file } = these[random.below(these.length)] ?? { computer: "closed", file: "" };
    const { size } = statSync(join(originals, computer, ".choir", file));
    return {
      computer,
      file,
      what: random.chance(0.2) ? { cut: 1 + random.below(Math.min(PAGE, size)) } : { flip: bit(random, file, size) },
    };
  });
}

/** Half of them anywhere, half where a page has its structure and one bit changes much. */
function bit(random: Random, file: string, size: number): number {
  const page = PAGE * random.below(Math.ceil(size / PAGE));
  const byte =
    file.includes("sqlite") && random.chance(0.5) ? Math.min(size - 1, page + random.below(40)) : random.below(size);
  return 8 * byte + random.below(8);
}
