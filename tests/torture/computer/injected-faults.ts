import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Pace } from "../fault-run.ts";
import { compileFaults, FaultControl, faultEnvironment } from "../faults.ts";
import { BrokenPromise, hold } from "../promise.ts";
import { runScript } from "../script.ts";
import type { ComputerFault } from "./fault-kinds.ts";
import type { FaultRunOrder, FaultRunReport } from "./fault-run.ts";
import type { TrialResult } from "./fault-trial.ts";

export interface ComputerFaultPlan {
  readonly seed: number;
  readonly kinds: readonly ComputerFault[];
  readonly pace: Pace;
  readonly onProgress?: (done: number) => void;
}

export interface ComputerFaultReport {
  readonly trials: number;
  /** In how many of them nothing was acknowledged, and in how many the folder had to follow later. */
  readonly refused: number;
  readonly blocked: number;
}

const PATIENCE_MS = 60_000;

/** R2: lets one operation after the other fail under a computer, until there is none left that could. */
export async function failUnderComputers(folder: string, plan: ComputerFaultPlan): Promise<ComputerFaultReport> {
  const watched = join(folder, "watched");
  mkdirSync(watched);
  const control = new FaultControl(join(folder, "control")); // there before the process that needs it
  const { kinds, pace, seed } = plan;
  const order: FaultRunOrder = { folder, watched, control: control.path, kinds, pace, seed };
  const results: TrialResult[] = [];
  try {
    await runScript<FaultRunReport>({
      script: ["computer/fault-run.ts", JSON.stringify(order)],
      folder,
      env: faultEnvironment(compileFaults(folder), watched, control.path),
      patienceMs: PATIENCE_MS,
      onLine: (line) => {
        if ("broken" in line)
          throw new BrokenPromise(`seed ${seed}, ${line.act}, ${line.kind}, operation ${line.at}, ${line.broken}`);
        results.push(line);
        plan.onProgress?.(results.length);
      },
    });
  } finally {
    control.close();
  }
  for (const kind of kinds)
    hold(
      results.some((one) => one.kind === kind),
      `${kind}: not one operation was reached`,
    );
  const refused = results.filter(({ acknowledged }) => !acknowledged).length;
  return { trials: results.length, refused, blocked: results.filter(({ blocked }) => blocked > 0).length };
}
