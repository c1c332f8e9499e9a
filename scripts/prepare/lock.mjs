import { readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { interruption } from "./interruption.mjs";
import { say } from "./progress.mjs";

/**
 * @typedef {object} Lock
 * @property {(pid: number) => void} shareWith the lock stays held while this process lives, even if its owner is killed
 */

const POLL_MS = 200;
const DEAD = "dead";

/**
 * Runs `work` while no other launcher does anything to this clone. A holder that died, however it died, holds nothing.
 *
 * The lock is a symbolic link whose target names its holders: made in one system call, it is never seen half written,
 * and npm cannot work on a file system that has no such links anyway.
 *
 * @template T
 * @param {string} path
 * @param {(lock: Lock) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, work) {
  await take(path);
  try {
    return await work({ shareWith: (pid) => replace(path, [process.pid, pid].map(identify).join(" ")) });
  } finally {
    rmSync(path, { force: true });
  }
}

/** @param {string} path */
async function take(path) {
  let told = false;
  for (let holder = tryTake(path); holder !== undefined; holder = tryTake(path)) {
    if (!told) say(`Waiting: process ${Number.parseInt(holder, 10)} is already preparing this clone`);
    told = true;
    await sleep(POLL_MS, undefined, { signal: interruption }).catch(() => {
      throw interruption.reason;
    });
  }
}

/**
 * @param {string} path
 * @returns {string | undefined} who holds it instead
 */
function tryTake(path) {
  for (;;) {
    try {
      symlinkSync(identify(process.pid), path);
      return undefined;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
    const holder = holderOf(path);
    if (holder === undefined) continue;
    return isAlive(holder) ? holder : succeed(path, holder);
  }
}

/**
 * Takes over from a dead holder. Two successors that both saw it dead could each remove the other's new lock, so the
 * right to replace this one holder is itself a lock, named after it.
 *
 * @param {string} path
 * @param {string} dead
 * @returns {string | undefined} who holds it instead
 */
function succeed(path, dead) {
  const right = `${path}-after-${dead.replace(/\W+/g, "-")}`;
  const rival = tryTake(right);
  if (rival !== undefined) return rival;
  try {
    const holder = holderOf(path);
    if (holder !== dead) return holder ?? tryTake(path);
    replace(path, identify(process.pid));
    return undefined;
  } finally {
    rmSync(right, { force: true });
  }
}

/**
 * @param {string} path
 * @param {string} holders
 */
function replace(path, holders) {
  const next = `${path}.${process.pid}`;
  rmSync(next, { force: true });
  symlinkSync(holders, next);
  renameSync(next, path);
}

/**
 * @param {string} path
 * @returns {string | undefined}
 */
function holderOf(path) {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** @param {string} holders */
function isAlive(holders) {
  return holders.split(" ").some((holder) => holder !== DEAD && identify(Number.parseInt(holder, 10)) === holder);
}

/**
 * The process number alone does not name a process: in containers the same small ones come back with every start.
 * Linux also tells when it began. A zombie is dead, only not yet buried.
 *
 * @param {number} pid
 */
function identify(pid) {
  if (process.platform !== "linux") return exists(pid) ? `${pid}` : DEAD;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || state === "X" ? DEAD : `${pid}@${fields[18]}`;
  } catch {
    return DEAD;
  }
}

/** @param {number} pid */
function exists(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
