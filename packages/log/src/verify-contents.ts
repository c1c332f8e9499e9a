import { type ContentRef, pathKey, recognise, references, referencesOfChanges } from "@choiros/contract";
import { changeLines } from "./change-lines.ts";
import type { Contents } from "./contents.ts";
import type { Log } from "./log.ts";
import { LogError } from "./log-error.ts";

export interface ContentsReport {
  readonly ok: boolean;
  /** How many different contents the log names. */
  readonly contents: number;
  /** Removed on purpose: no fault, but what they held can't come back. */
  readonly pruned: number;
  readonly problems: readonly ContentProblem[];
}

export interface ContentProblem {
  readonly hash: string;
  readonly state: "missing" | "damaged";
  /** The first event that names it. */
  readonly seq: number;
}

export interface VerifyContentsOptions {
  /** How many different contents were looked at by now. */
  readonly onProgress?: (contents: number) => void;
  readonly signal?: AbortSignal;
}

/** Reads every content that the log names, and says which are pruned, missing or damaged. */
export async function verifyContents(
  log: Log,
  contents: Contents,
  options: VerifyContentsOptions = {},
): Promise<ContentsReport> {
  const checking = new Checking(contents, options);
  for await (const event of log.read()) {
    options.signal?.throwIfAborted();
    const known = recognise(event);
    if (!known.ok) continue; // a newer version wrote it, and knows what it names
    const named = references(known.value);
    for (const ref of named.contents) await checking.add(ref, event.seq);
    if (named.list !== undefined) await checking.list(named.list, event.seq);
  }
  return checking.report();
}

/** What is checked in one call, at most: whoever watches, or wants it to stop, waits for no more than that. */
const PAGE = 500;
const PAGE_BYTES = 4 * 1024 * 1024;

class Checking {
  readonly #contents: Contents;
  readonly #options: VerifyContentsOptions;
  readonly #named = new Set<string>();
  readonly #absent = new Set<string>();
  readonly #problems: ContentProblem[] = [];
  #pruned = 0;
  #page: { readonly hash: string; readonly seq: number }[] = [];
  #bytes = 0;

  constructor(contents: Contents, options: VerifyContentsOptions) {
    this.#contents = contents;
    this.#options = options;
  }

  async add({ hash, size }: ContentRef, seq: number): Promise<void> {
    if (this.#named.has(hash)) return;
    this.#named.add(hash);
    this.#page.push({ hash, seq });
    this.#bytes += size;
    if (this.#page.length >= PAGE || this.#bytes >= PAGE_BYTES) await this.#check();
  }

  /** What the changes in a list name, where the list itself is whole. */
  async list({ hash }: ContentRef, seq: number): Promise<void> {
    await this.#check();
    const bytes = this.#absent.has(hash) ? undefined : await this.#contents.get(hash);
    if (bytes === undefined) return;
    const places = new Set<string>();
    const changes = changeLines(bytes);
    for (;;) {
      // Its bytes are what was stored; where they are no list, whoever stored them meant something else.
      const next = await changes.next().catch((error: unknown) => {
        if (error instanceof LogError && error.code !== "damaged") throw error;
        return undefined;
      });
      if (next?.done === true) return;
      const fresh = next?.value.every((change) => isNew(places, "path" in change ? pathKey(change.path) : change.key));
      if (next === undefined || !fresh) return void this.#problems.push({ hash, state: "damaged", seq });
      for (const ref of referencesOfChanges(next.value)) await this.add(ref, seq);
    }
  }

  async report(): Promise<ContentsReport> {
    await this.#check();
    const ok = this.#problems.length === 0;
    return { ok, contents: this.#named.size, pruned: this.#pruned, problems: this.#problems };
  }

  async #check(): Promise<void> {
    const page = this.#page;
    if (page.length === 0) return;
    this.#options.signal?.throwIfAborted();
    this.#page = [];
    this.#bytes = 0;
    const states = await this.#contents.checkMany(page.map(({ hash }) => hash));
    for (const [i, { hash, seq }] of page.entries()) {
      const state = states[i] ?? "missing";
      if (state === "present") continue;
      this.#absent.add(hash);
      if (state === "pruned") this.#pruned++;
      else this.#problems.push({ hash, state, seq });
    }
    this.#options.onProgress?.(this.#named.size);
  }
}

/** Whether it wasn't in the set; it is from now on. */
function isNew(set: Set<string>, item: string): boolean {
  return set.size < set.add(item).size;
}
