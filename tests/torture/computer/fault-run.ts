import { join } from "node:path";
import type { Pace } from "../fault-run.ts";
import { FaultControl } from "../faults.ts";
import { inWords } from "../promise.ts";
import { randomFrom } from "../random.ts";
import { FAULT_ACTS, type FaultAct, makeComputer, makeSource, open } from "./fault-acts.ts";
import type { ComputerFault } from "./fault-kinds.ts";
import { type TrialPlace, type TrialResult, tryAct } from "./fault-trial.ts";

/**
 * The process in which the disk fails under a computer: `node fault-run.ts ORDER`, with faults.c preloaded. For each
 * action, one operation after the other fails, until the one that is to fail is not reached any more.
 */
export interface FaultRunOrder {
  readonly folder: string;
  readonly watched: string;
  readonly control: string;
  readonly kinds: readonly ComputerFault[];
  readonly pace: Pace;
  readonly seed: number;
}

export type FaultRunReport =
  | TrialResult
  | { readonly act: string; readonly kind: ComputerFault; readonly at: number; readonly broken: string };

const NEVER = 2 ** 31;

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? ""));

async function main(order: FaultRunOrder): Promise<void> {
  const { folder, watched } = order;
  const faults = new FaultControl(order.control);
  const original = join(folder, "original");
  await makeComputer(original);
  await open(join(folder, "neighbour")); // the threads then outlive each trial
  const place: TrialPlace = {
    faults,
    original,
    source: makeSource(join(folder, "source")),
    root: join(watched, "computer"),
  };
  for (const act of FAULT_ACTS) for (const kind of order.kinds) await goThrough(place, act, kind, order);
  process.exit();
}

async function goThrough(place: TrialPlace, act: FaultAct, kind: ComputerFault, order: FaultRunOrder): Promise<void> {
  let at = NEVER;
  try {
    const { result, course } = await tryAct(place, act, kind, at, undefined); // without a fault everything goes well
    const step = "step" in order.pace ? order.pace.step : Math.ceil(result.operations / order.pace.sample);
    for (at = 1 + randomFrom(`${order.seed} ${act.title} ${kind}`).below(step); ; at += step) {
      const tried = await tryAct(place, act, kind, at, course);
      if (tried.result.hits === 0) return;
      report(tried.result);
    }
  } catch (error) {
    report({ act: act.title, kind, at, broken: `${place.faults.count().what}: ${inWords(error)}` });
    process.exit(1);
  }
}

function report(line: FaultRunReport): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
