import { type ContentRef, recognise, references, referencesOfChanges, type Sha256 } from "@choiros/contract";
import { changeLines } from "./change-lines.ts";
import type { Contents } from "./contents.ts";
import type { Log } from "./log.ts";
import { LogError } from "./log-error.ts";

export interface Amount {
  readonly contents: number;
  readonly bytes: number;
}

export type Unnamed =
  | { readonly ok: true; readonly unnamed: readonly ContentRef[] }
  /** What the log names can't be known. */
  | { readonly ok: false; readonly message: string };

/**
 * Contents that no event names: what was put for something that then didn't happen. Of a store where others are at work,
 * also what they have put and are about to name.
 */
export async function unnamedContents(log: Log, contents: Contents, signal?: AbortSignal): Promise<Unnamed> {
  try {
    const named = await namedBy(log, contents, signal);
    const unnamed: ContentRef[] = [];
    for (let after = ""; ; ) {
      signal?.throwIfAborted();
      const page = await contents.list(after);
      const last = page.at(-1);
      if (last === undefined) return { ok: true, unnamed };
      unnamed.push(...page.filter(({ hash }) => !named.has(hash)));
      after = last.hash;
    }
  } catch (error) {
    if (error instanceof LogError && error.code === "damaged") return { ok: false, message: error.message };
    throw error;
  }
}

export function amountOf(refs: readonly ContentRef[]): Amount {
  return { contents: refs.length, bytes: refs.reduce((sum, { size }) => sum + size, 0) };
}

/** So many go with one commit. */
const AT_ONCE = 500;

/**
 * Removes what no event names. For whoever holds the store alone and has nothing under way: what was put, and isn't named
 * yet, would go too. Cut off anywhere, some of it is still there.
 */
export async function removeUnnamed(
  contents: Contents,
  unnamed: readonly ContentRef[],
  options: { readonly signal?: AbortSignal; readonly onProgress?: (done: number) => void } = {},
): Promise<void> {
  for (let done = 0; done < unnamed.length; done += AT_ONCE) {
    options.signal?.throwIfAborted();
    options.onProgress?.(done);
    await Promise.all(unnamed.slice(done, done + AT_ONCE).map(({ hash }) => contents.drop(hash)));
  }
}

async function namedBy(log: Log, contents: Contents, signal: AbortSignal | undefined): Promise<Set<Sha256>> {
  const named = new Set<Sha256>();
  for await (const event of log.read()) {
    signal?.throwIfAborted();
    const known = recognise(event);
    if (!known.ok) throw new LogError("damaged", `what event ${event.seq} names isn't known to this version`);
    const { contents: refs, list } = references(known.value);
    for (const { hash } of refs) named.add(hash);
    if (list === undefined) continue;
    const bytes = await contents.get(list.hash);
    if (bytes === undefined) throw new LogError("damaged", `the list of what event ${event.seq} changed is gone`);
    for await (const changes of changeLines(bytes)) {
      for (const { hash } of referencesOfChanges(changes)) named.add(hash);
    }
  }
  return named;
}
