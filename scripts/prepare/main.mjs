import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtServerStep, pagesStep } from "./builds.mjs";
import { dependenciesStep } from "./dependencies.mjs";
import { explain, Failure } from "./failure.mjs";
import { Interrupted, listenForInterruption } from "./interruption.mjs";
import { withLock } from "./lock.mjs";
import { say, withProgress } from "./progress.mjs";
import { chooseNode, runtimeStep } from "./runtime.mjs";
import { serverStep, systemStep } from "./system.mjs";

/**
 * @typedef {object} Step something that is missing, and how to get it
 * @property {string} [verb] "Installing" unless told
 * @property {string} what as in "Installing <what>"
 * @property {string} why
 * @property {(lock: import("./lock.mjs").Lock) => Promise<void>} work
 */

/**
 * Standard output belongs to the caller: the only thing written to it is the folder of the Node to put first on the
 * PATH, or nothing. Everything a person should read goes to standard error.
 *
 * @param {string[]} args
 */
export async function main(args) {
  const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
  try {
    await prepare(root, args.includes("--tests"));
    process.stdout.write(chooseNode(root).runtimeFolder);
  } catch (error) {
    process.exitCode = report(error, root);
  }
}

/**
 * @param {string} root
 * @param {boolean} tests
 */
async function prepare(root, tests) {
  // The tools are found by the PATH, which has no way to write a colon.
  if (root.includes(":"))
    throw new Failure(`This clone lies in ${root}: move it to a folder without a colon in its name.`);
  // System packages first: where they need an administrator, better to hear it before a long download than after.
  // What is built comes last: with what the others brought.
  const steps = [tests ? systemStep : serverStep, runtimeStep, dependenciesStep, pagesStep, builtServerStep];
  if (steps.every((step) => step(root) === undefined)) return;

  listenForInterruption();
  const folder = join(root, ".runtime");
  if (!existsSync(folder)) mkdirSync(folder);
  await withLock(join(folder, "lock"), async (lock) => {
    // Asked again: while this process waited for the lock, another may have done all of it.
    for (const find of steps) {
      const step = find(root);
      if (step) await withProgress(`${step.verb ?? "Installing"} ${step.what}`, step.why, () => step.work(lock));
    }
  });
}

/**
 * @param {unknown} error
 * @param {string} root
 * @returns {number} the exit code
 */
function report(error, root) {
  if (error instanceof Interrupted) {
    say("Stopped. The next start takes it up again.");
    return error.exitCode;
  }
  if (error instanceof Failure) say(error.message);
  else if (error instanceof Error && "syscall" in error)
    say(explain("Could not prepare this clone", error.message, root));
  else throw error;
  return 1;
}
