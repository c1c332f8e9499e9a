import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { FaultKind } from "./fault-kinds.ts";
import type { FaultRunOrder, FaultRunReport, Pace } from "./fault-run.ts";
import type { TrialResult } from "./fault-trial.ts";
import { compileFaults, FaultControl, faultEnvironment } from "./faults.ts";
import { PowerCut } from "./power-cut.ts";
import { BrokenPromise, hold } from "./promise.ts";
import { runScript } from "./script.ts";

export interface FaultPlan {
  readonly seed: number;
  readonly kinds: readonly FaultKind[];
  readonly pace: Pace;
  readonly events: number;
  /** Whether another store of the same process is open meanwhile. */
  readonly neighbour: boolean;
  readonly verifyEach: number;
  readonly onProgress?: (done: number) => void;
}

export interface FaultReport {
  readonly trials: number;
  /** In how many of them something failed. */
  readonly failing: number;
  /** What was hit: `fsync /log.sqlite-wal`, `rename /contents/…`. */
  readonly hit: readonly string[];
}

const PATIENCE_MS = 60_000;

/** R2: lets one operation after the other fail, until there is none left that could. */
export async function injectFaults(folder: string, plan: FaultPlan): Promise<FaultReport> {
  const watched = join(folder, "watched");
  mkdirSync(watched);
  // Both files are there before the process that needs them.
  const control = new FaultControl(join(folder, "control"));
  const power = new PowerCut(join(folder, "trace"));
  const order: FaultRunOrder = {
    watched,
    control: control.path,
    trace: power.path,
    kinds: plan.kinds,
    pace: plan.pace,
    seed: plan.seed,
    events: plan.events,
    neighbour: plan.neighbour ? join(folder, "neighbour") : undefined,
    verifyEach: plan.verifyEach,
  };
  const results: TrialResult[] = [];
  try {
    await runScript<FaultRunReport>({
      script: ["fault-run.ts", JSON.stringify(order)],
      folder,
      env: faultEnvironment(compileFaults(folder), watched, control.path, power.path),
      patienceMs: PATIENCE_MS,
      onLine: (line) => {
        if ("broken" in line)
          throw new BrokenPromise(`seed ${plan.seed}, ${line.kind}, operation ${line.at}, ${line.broken}`);
        results.push(line);
        plan.onProgress?.(results.length);
      },
    });
  } finally {
    control.close();
    power.close();
  }
  for (const kind of plan.kinds) checkFaults(kind, results);
  const failing = results.filter(({ failed }) => failed > 0).length;
  return { trials: results.length, failing, hit: [...new Set(results.map(({ what }) => placeOf(what)))] };
}

/** The faults themselves have to be real: where nothing was hit, or nothing failed, nothing is shown. */
function checkFaults(kind: FaultKind, all: readonly TrialResult[]): void {
  const results = all.filter((result) => result.kind === kind);
  hold(results.length > 0, `${kind}: not one operation was reached`);
  // Whoever writes goes on where a short write ended, so that one alone is no failure.
  const harmless = kind === "short write once";
  const failing = results.some(({ failed }) => failed > 0);
  hold(harmless || failing, `${kind}: ${results.length} faults, and no call failed`);
}

/** Without the name of the trial, and of the content. */
function placeOf(what: string): string {
  return what.replace(/\/fault-\d+/, "").replace(/\/contents\/.*/, "/contents/…");
}
