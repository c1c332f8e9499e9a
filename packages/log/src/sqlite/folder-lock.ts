import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Refusal } from "./refusal.ts";

/**
 * The right to write to a folder, held by one process at a time.
 *
 * It is a lock of the operating system, taken by SQLite on a file of its own, so it ends with the process, however that
 * ends: a holder that died is no holder. The file beside it only names the holder. Nothing else may ever open
 * `writer.lock` in this process: closing any handle on a file drops the process's locks on it.
 */
export class FolderLock {
  readonly #db: DatabaseSync;
  readonly #card: string;

  constructor(dir: string, who: string) {
    this.#card = join(dir, "writer.json");
    this.#db = new DatabaseSync(join(dir, "writer.lock"), { timeout: 0 });
    try {
      this.#db.exec("BEGIN IMMEDIATE");
    } catch (error) {
      this.#db.close();
      if (!isBusy(error)) throw error;
      throw new Refusal("held", `${dir} is in use by ${holder(this.#card)}`);
    }
    const card = { who, pid: process.pid, host: hostname(), since: new Date().toISOString() };
    try {
      writeFileSync(this.#card, `${JSON.stringify(card)}\n`, { mode: 0o600 });
    } catch (error) {
      this.#db.close(); // nobody else would give the lock back before this process ends
      throw error;
    }
  }

  release(): void {
    try {
      rmSync(this.#card, { force: true });
    } catch {
      // It names nobody once the lock is free, and the next holder writes over it: no reason to keep the lock.
    }
    this.#db.close();
  }
}

function holder(card: string): string {
  try {
    const { who, pid, since } = JSON.parse(readFileSync(card, "utf8"));
    return `'${String(who)}' (process ${Number(pid)}, since ${String(since)})`;
  } catch {
    return "another process, which has not written its name yet"; // between its lock and its card
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 5;
}
