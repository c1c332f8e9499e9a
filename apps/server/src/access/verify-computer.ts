import { type Opened, verifyContents, verifyStore } from "@choiros/log";
import type { Head, Progress, Verification } from "./access.ts";

/**
 * The log first, as it lies on the disk: that works on one that is too damaged to open. Then, where the log is whole,
 * every content it names.
 */
export async function verifyComputer(
  dir: string,
  open: () => Promise<Opened>,
  options: { expect: Head | undefined; onProgress: Progress; signal: AbortSignal },
): Promise<Verification> {
  const { expect, onProgress, signal } = options;
  const { problems, ...log } = await verifyStore(dir, { onProgress, signal, ...(expect && { expect }) });
  const report = { ...log, problems: [...problems] };
  if (!log.ok) return { ok: false, log: report, contents: null, unopened: null };
  const opened = await open();
  if (!opened.ok) return { ok: false, log: report, contents: null, unopened: opened.message };
  const contents = await verifyContents(opened.store.log, opened.store.contents, signal);
  return { ok: contents.ok, log: report, contents: { ...contents, problems: [...contents.problems] }, unopened: null };
}
