import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "@choiros/contract";
import { expect } from "vitest";
import type { Turn } from "../model/script.ts";
import { scriptedModel } from "../model/scripted-model.ts";
import type { CrashOrder } from "./crash-run.ts";
import { crashScript } from "./crash-script.ts";
import { openStage } from "./stage.ts";

export interface Last {
  /** What was appended before it was killed. */
  readonly seen: readonly string[];
  /** What was about to be. */
  readonly next: string;
}

/** An ask that was killed there, opened again. */
export async function crashed({ after, when }: Pick<CrashOrder, "after" | "when">, turn: Turn = crashScript) {
  const home = newHome();
  const scripted = await scriptedModel();
  scripted.always(turn);
  const ask = newId();
  const last = await killed({ home, connection: scripted.connection("anthropic"), ask, after, when });
  if (last === undefined) throw new Error("It came to its end.");
  return { ask, stage: await openStage({ home, scripted }), last };
}

export function newHome(): string {
  return mkdtempSync(join(tmpdir(), "choir-crash-"));
}

/** Starts the process that kills itself, where it is told to. */
export function startCrash(order: CrashOrder) {
  return spawn(process.execPath, [join(import.meta.dirname, "crash-run.ts"), JSON.stringify(order)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Runs the process that kills itself; `undefined` where it came to its end before that. */
export async function killed(order: CrashOrder): Promise<Last | undefined> {
  const child = startCrash(order);
  const said: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => said.push(chunk));
  const [code, signal] = await once(child, "close");
  if (code === 0) return undefined;
  expect(signal).toBe("SIGKILL");
  const lines = Buffer.concat(said).toString().trim().split("\n");
  const next = lines.pop()?.slice("dies ".length) ?? "";
  return { seen: lines, next };
}
