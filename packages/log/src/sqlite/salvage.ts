import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Head, VerifyReport } from "../log.ts";
import { renameDurably } from "./durable.ts";
import { failureOf } from "./failure.ts";
import { removeCopy, withFreshFirstPage } from "./first-page.ts";
import { FolderLock } from "./folder-lock.ts";
import { migrate } from "./migrate.ts";
import { LOG_FILE, SALVAGED_FILE } from "./places.ts";
import { Refusal } from "./refusal.ts";
import { finishSalvage } from "./salvage-swap.ts";
import { LOG_MIGRATIONS } from "./schema.ts";
import { verifyFile } from "./verify-file.ts";

export type Salvaged =
  | { readonly ok: true; readonly head: Head; readonly kept: string }
  | { readonly ok: false; readonly message: string };

/**
 * Makes a new log of the good prefix of a damaged one, and keeps the old one beside it. Only on request: whatever comes
 * after the first damage is no longer part of the log then. Blocks: it is for a command, not for a server at work.
 */
export function salvage(dir: string, who: string): Salvaged {
  const path = join(dir, LOG_FILE);
  if (!existsSync(dir)) return { ok: false, message: `${dir} does not exist` };
  try {
    const lock = new FolderLock(dir, who);
    try {
      const finished = finishSalvage(dir); // of an earlier one that was cut off
      const report = verifyFile(path, undefined, () => {});
      if (report.ok && report.good !== undefined && finished !== undefined) {
        return { ok: true, head: report.good, kept: finished };
      }
      if (report.ok) return { ok: false, message: `${path} is whole: there is nothing to salvage` };
      return report.good === undefined ? salvageRows(dir, report) : salvagePrefix(dir, path, report.good);
    } finally {
      lock.release();
    }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, message: error.message };
    const { code, message } = failureOf(error);
    if (code === "disk-full") return { ok: false, message: `${path} can't be salvaged: ${message}` };
    throw error;
  }
}

/** Nothing can be read: it may be only the first page, which says where everything else is. */
function salvageRows(dir: string, report: VerifyReport): Salvaged {
  const path = join(dir, LOG_FILE);
  const copy = withFreshFirstPage(path, join(dir, `${SALVAGED_FILE}.copy`));
  try {
    const good = copy === undefined ? undefined : verifyFile(copy, undefined, () => {}).good;
    if (copy !== undefined && good !== undefined) return salvagePrefix(dir, copy, good);
  } finally {
    if (copy !== undefined) removeCopy(copy);
  }
  const why = report.problems[0]?.message;
  return { ok: false, message: `nothing can be salvaged: ${why}. Keep ${path}: the events in it may be whole` };
}

function salvagePrefix(dir: string, from: string, good: Head): Salvaged {
  copyPrefix(from, join(dir, SALVAGED_FILE), good);
  const kept = finishSalvage(dir);
  if (kept === undefined) throw new Error(`${SALVAGED_FILE} is gone`);
  return { ok: true, head: good, kept };
}

/** Row by row through this connection, so that nothing of the old pages comes along. */
function copyPrefix(from: string, to: string, good: Head): VerifyReport {
  const draft = `${to}.new`;
  rmSync(draft, { force: true });
  const source = new DatabaseSync(from, { readOnly: true });
  const target = new DatabaseSync(draft);
  try {
    migrate(target, draft, LOG_MIGRATIONS);
    const insert = target.prepare("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    target.exec("PRAGMA synchronous = FULL; BEGIN");
    for (const row of source.prepare("SELECT * FROM event WHERE seq <= ? ORDER BY seq").iterate(good.seq)) {
      insert.run(...Object.values(row));
    }
    target.exec("COMMIT");
  } finally {
    target.close();
    source.close();
  }
  const report = verifyFile(draft, good, () => {});
  if (!report.ok) throw new Error(`the salvaged log is not whole: ${report.problems[0]?.message}`);
  renameDurably(draft, to);
  return report;
}
