import { constants } from "node:os";

/** Thrown out of whatever was under way when somebody stopped it. */
export class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`stopped by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

const controller = new AbortController();

/** Aborts, with an `Interrupted` as its reason, when this process is told to stop. */
export const interruption = controller.signal;

/**
 * From now on Ctrl-C and its kin abort `interruption` instead of ending the process on the spot, so that installers are
 * stopped and the lock is given back.
 */
export function listenForInterruption() {
  /** @type {NodeJS.Signals[]} */
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, () => controller.abort(new Interrupted(signal)));

  // A shell that waits for its child passes no signal on: `npm start` that is told to stop takes the shell with it and
  // would leave the install running alone.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) controller.abort(new Interrupted("SIGTERM"));
  }, 500).unref();

  // Whoever read our messages may be gone as well.
  process.stderr.on("error", () => {});
}
