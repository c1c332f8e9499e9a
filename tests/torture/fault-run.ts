import { join } from "node:path";
import { openStore } from "@choiros/log";
import type { FaultKind } from "./fault-kinds.ts";
import { type TrialResult, type TriedDisk, tryWithFault } from "./fault-trial.ts";
import { FaultControl } from "./faults.ts";
import { PowerCut } from "./power-cut.ts";
import { inWords } from "./promise.ts";
import { randomFrom } from "./random.ts";

/**
 * The process in which the disk fails: `node fault-run.ts ORDER`, with faults.c preloaded. Goes through the operations
 * one by one until the one that is to fail is not reached any more, and says on stdout how each went.
 */
export interface FaultRunOrder {
  readonly watched: string;
  readonly control: string;
  readonly trace: string;
  readonly kinds: readonly FaultKind[];
  readonly pace: Pace;
  readonly seed: number;
  readonly events: number;
  /** Where another store stays open: the disk's thread then outlives each trial. */
  readonly neighbour: string | undefined;
  /** Each how manieth trial is also verified whole, which takes longer than the rest of it. */
  readonly verifyEach: number;
}

/** Each how manieth operation fails (1: each of them), or about how many of all there are. */
export type Pace = { readonly step: number } | { readonly sample: number };

export type FaultRunReport = TrialResult | { readonly kind: FaultKind; readonly at: number; readonly broken: string };

const NEVER = 2 ** 31;

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? ""));

async function main(order: FaultRunOrder): Promise<void> {
  const { neighbour } = order;
  const faults = new FaultControl(order.control);
  const power = new PowerCut(order.trace);
  if (neighbour !== undefined) await openStore({ dir: neighbour, userId: "bob", mode: "write", create: true });
  for (const kind of order.kinds) await goThrough({ faults, power }, kind, order);
  process.exit();
}

async function goThrough(disk: TriedDisk, kind: FaultKind, order: FaultRunOrder): Promise<void> {
  const { watched, events, verifyEach } = order;
  const attempt = (at: number, verify: boolean) =>
    tryWithFault(disk, { dir: join(watched, `fault-${at}`), kind, at, events, verify });
  let at = NEVER;
  try {
    const { operations } = await attempt(at, true); // without a fault everything goes well, or it would prove nothing
    const step = "step" in order.pace ? order.pace.step : Math.ceil(operations / order.pace.sample);
    at = 1 + randomFrom(`${order.seed} ${kind}`).below(step);
    for (let trials = 0; ; trials++, at += step) {
      const result = await attempt(at, trials % verifyEach === 0);
      if (result.hits === 0) return;
      report(result);
    }
  } catch (error) {
    report({ kind, at, broken: `${disk.faults.count().what}: ${inWords(error)}` });
    process.exit(1);
  }
}

function report(line: FaultRunReport): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
