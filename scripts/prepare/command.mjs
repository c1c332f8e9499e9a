import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { interruption } from "./interruption.mjs";

/**
 * @typedef {object} Outcome
 * @property {boolean} ok
 * @property {string} output what it wrote, on both channels
 */

/**
 * Runs a command to its end. It gets a process group of its own, so that stopping it stops whatever it started; what
 * has not stopped by itself within `grace` milliseconds is killed.
 *
 * @param {string[]} argv
 * @param {{ cwd?: string, env: NodeJS.ProcessEnv, grace: number, started: (pid: number) => void }} options
 * @returns {Promise<Outcome>}
 */
export async function run([command = "", ...args], { cwd, env, grace, started }) {
  if (interruption.aborted) throw interruption.reason;
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const { pid } = child;
  if (pid !== undefined) started(pid);

  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const stop = () => pid !== undefined && endGroup(pid, grace);
  interruption.addEventListener("abort", stop, { once: true });
  const ok = await new Promise((resolve) => {
    child.on("error", (error) => {
      output += error.message;
      resolve(false);
    });
    child.on("close", (code) => resolve(code === 0));
  });
  interruption.removeEventListener("abort", stop);
  if (interruption.aborted) throw interruption.reason;
  return { ok, output };
}

/**
 * Keeps the whole output of a command that failed where it can be read later.
 *
 * @param {string} root
 * @param {string} name
 * @param {string} output
 * @returns {string} a line that says where, or an empty one: a full disk takes no log either
 */
export function keepLog(root, name, output) {
  // The temporary folder may be on another disk, or the only one that is ours to write.
  for (const folder of [() => join(root, ".runtime"), () => mkdtempSync(join(tmpdir(), "choir-"))]) {
    try {
      const path = join(folder(), name);
      writeFileSync(path, output);
      return `\nThe full output is in ${path}`;
    } catch {}
  }
  return "";
}

/**
 * @param {number} pid
 * @param {number} grace
 */
function endGroup(pid, grace) {
  signalGroup(pid, "SIGTERM");
  setTimeout(() => signalGroup(pid, "SIGKILL"), grace).unref();
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // It ended by itself in the meantime.
  }
}
