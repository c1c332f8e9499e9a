import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** The property that `npm test` tries some hundred times, with as many runs as it takes. */
export function runModel(runs: number, seed: number): Promise<void> {
  const settings = { CHOIR_RUNS: String(runs), CHOIR_SEED: String(seed) };
  return runTests("packages/computer/src/computer.model.test.ts", settings);
}

/** The commands that leave much, in full. */
export function runLargeCommands(files: number, megabytes: number): Promise<void> {
  const settings = { CHOIR_FILES: String(files), CHOIR_MEGABYTES: String(megabytes) };
  return runTests("packages/computer/src/command/large-commands.test.ts", settings);
}

async function runTests(test: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const env = { ...process.env, ...settings };
  try {
    await promisify(execFile)(process.execPath, [vitest, "run", test], { cwd: ROOT, env, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string }; // what `execFile` adds
    throw new Error(`${test} is not as it should be:\n${stdout.slice(-8000)}\n${stderr.slice(-2000)}`);
  }
}
