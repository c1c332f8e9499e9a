import { type Store, verifyContents, verifyStore } from "@choiros/log";
import type { Head, Progress, Verification } from "./access.ts";

/** The log first, as it lies on the disk; then, where it can be read, every content it names. */
export async function verifyComputer(
  dir: string,
  open: () => Promise<Store | undefined>,
  options: { expect: Head | undefined; onProgress: Progress; signal: AbortSignal },
): Promise<Verification> {
  const { expect, onProgress, signal } = options;
  const log = await verifyStore(dir, { onProgress, signal, ...(expect && { expect }) });
  const store = log.ok ? await open() : undefined;
  const contents = store === undefined ? null : await verifyContents(store.log, store.contents);
  const { problems, ...found } = log;
  return {
    contents: contents && { ...contents, problems: [...contents.problems] },
    log: { ...found, problems: [...problems] },
    ok: log.ok && contents?.ok !== false,
  };
}
