import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const TEST = "packages/computer/src/computer.model.test.ts";

/** The property that `npm test` tries some hundred times, with as many runs as it takes. */
export async function runModel(runs: number, seed: number): Promise<void> {
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const env = { ...process.env, CHOIR_RUNS: String(runs), CHOIR_SEED: String(seed) };
  try {
    await promisify(execFile)(process.execPath, [vitest, "run", TEST], { cwd: ROOT, env, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string }; // what `execFile` adds
    throw new Error(`a run of the model is not as it should be:\n${stdout.slice(-8000)}\n${stderr.slice(-2000)}`);
  }
}
