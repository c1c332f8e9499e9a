import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { hold } from "../promise.ts";

const PATIENCE_MS = 5000;

/** Nothing that bears this tag in its command line outlives whoever started it, but for the moment that its end takes. */
export async function checkNothingRuns(tag: string): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; ; await delay(10)) {
    const left = running(tag);
    if (left.length === 0) return;
    hold(performance.now() < end, () => `still running: ${left.join(", ")}`);
  }
}

function running(tag: string): string[] {
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(`: ${tag}-`));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return ""; // it ended meanwhile
  }
}
