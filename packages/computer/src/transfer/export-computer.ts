import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { type Contents, type Log, Thread } from "@choiros/log";
import type { Exported, Watching } from "../computer-port.ts";
import { FORMAT, FORMAT_VERSION } from "./export-file.ts";
import { assertFree, giveName } from "./export-name.ts";
import type { ExportOperations } from "./export-thread.ts";
import { ExportedParts } from "./exported-parts.ts";

/**
 * Writes log and contents into one file, as they stand now; others may go on writing. The file has its name only when
 * it is complete and on the disk, and it never takes the place of one that is there.
 */
export async function exportComputer(
  log: Log,
  contents: Contents,
  target: string,
  watching: Watching = {},
): Promise<Exported> {
  const { onProgress, signal } = watching;
  const file = resolve(target);
  await assertFree(file);
  // A name of its own: another export to the same place may be under way.
  const draft = `${file}.${randomBytes(6).toString("hex")}.incomplete`;
  const head = await log.head();
  const thread = new Thread<ExportOperations>(new URL("./export-thread.ts", import.meta.url));
  const parts = new ExportedParts(thread, contents, watching);
  try {
    await thread.call(0, "create", draft);
    for await (const event of log.read({ to: head.seq })) {
      signal?.throwIfAborted();
      await parts.add(event);
      if (event.seq % 1000 === 0) onProgress?.({ what: "events", done: event.seq, total: head.seq });
    }
    await parts.flush();
    const about = { format: FORMAT, version: String(FORMAT_VERSION), user_id: log.userId, log_id: log.logId };
    const moment = { seq: String(head.seq), hash: head.hash, made: new Date().toISOString() };
    await thread.call(0, "finish", { ...about, ...moment });
    signal?.throwIfAborted();
    await giveName(draft, file);
    return { file, ...head, events: head.seq, contents: parts.contents, bytes: parts.bytes, missing: parts.missing };
  } catch (error) {
    await thread.call(0, "close", undefined).catch(() => {}); // the first error is the one to tell
    await rm(draft, { force: true });
    throw error;
  } finally {
    await thread.end();
  }
}
