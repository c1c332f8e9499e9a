import { createReadStream, type Dirent, type Stats } from "node:fs";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { type Entry, keyFromBytes, MAX_SMALL_CONTENT_BYTES } from "@choiros/contract";
import type { Contents } from "@choiros/log";
import { checkKey } from "../check-key.ts";
import { commit, withParents } from "../commit.ts";
import type { ActOptions, Watching } from "../computer-port.ts";
import { IGNORE_KEY, Ignored } from "../folder/ignored.ts";
import { keptMode, oddKind } from "../folder/stat.ts";
import type { Change, Outcome } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { readEntry } from "../read-entry.ts";
import { refused } from "./write-file.ts";

/**
 * Brings a folder of this machine in. Its contents are stored first, then one event names them all: cut off before that,
 * nothing has happened. Whatever can't be kept, or is ignored, is left out and told.
 */
export async function addFolder(parts: Parts, folder: string, to: string, options: ActOptions = {}): Promise<Outcome> {
  const root = await lstat(folder).catch((error: NodeJS.ErrnoException) => error.message);
  if (typeof root === "string") return refused(`${folder} can't be read: ${root}`, "missing");
  if (!root.isDirectory()) return refused(`${folder} is not a folder`);
  const source = new Source(parts.contents, await ignoredIn(parts), options);
  await source.folder(Buffer.from(folder), to, root);
  return parts.turns.take(async () => {
    const { notes } = await parts.reconciler.ready([to]);
    if ((await parts.state.entries([to])).has(to)) {
      return refused(`${to} is there already: choose another place with --to, or remove it first`);
    }
    const complete = await withParents(parts, source.changes);
    if ("why" in complete) return refused(complete.why);
    const all = { ...options, notes: [...notes, ...source.notes] };
    return commit(parts, { type: "files.changed", extra: { by: "import" } }, complete, all);
  });
}

async function ignoredIn({ state, contents }: Parts): Promise<Ignored> {
  const rules = (await state.entries([IGNORE_KEY])).get(IGNORE_KEY);
  const bytes = rules?.kind === "file" ? await readEntry(contents)(rules) : undefined;
  return new Ignored(bytes === undefined ? "" : Buffer.from(bytes).toString("utf8"));
}

/** How many files are read at a time. */
const AT_ONCE = 32;
/** How many things that can't be kept are told by name. */
const MAX_NOTES = 20;

/** What is found in a folder, with its contents stored on the way. */
class Source {
  readonly changes: Change[] = [];
  readonly #contents: Contents;
  readonly #ignored: Ignored;
  readonly #watching: Watching;
  readonly #skipped: string[] = [];
  #left = 0;
  #running: Promise<void>[] = [];

  constructor(contents: Contents, ignored: Ignored, watching: Watching) {
    this.#contents = contents;
    this.#ignored = ignored;
    this.#watching = watching;
  }

  get notes(): string[] {
    const more = this.#skipped.length - MAX_NOTES;
    return [
      ...(this.#left > 0 ? [`${this.#left} ignored names were left out (.choirignore says which)`] : []),
      ...this.#skipped.slice(0, MAX_NOTES),
      ...(more > 0 ? [`and ${more} more were left out`] : []),
    ];
  }

  async folder(path: Buffer, key: string, stats: Stats): Promise<void> {
    try {
      await this.#folder(path, key, stats);
      await this.#drain(0);
    } finally {
      await Promise.allSettled(this.#running); // where one failed, nobody else waits for the others
    }
    this.changes.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  async #folder(path: Buffer, key: string, stats: Stats): Promise<void> {
    this.#found(key, { kind: "dir", mode: keptMode(stats.mode) });
    const names = await this.#try(path, () => readdir(path, { withFileTypes: true, encoding: "buffer" }));
    for (const child of names ?? []) await this.#child(path, key, child);
  }

  async #child(folder: Buffer, parent: string, child: Dirent<Buffer>): Promise<void> {
    this.#watching.signal?.throwIfAborted();
    const path = Buffer.concat([folder, SLASH, child.name]);
    const key = `${parent}/${keyFromBytes(child.name)}`;
    if (this.#ignored.has(key, child.isDirectory())) return void this.#left++;
    const wrong = checkKey(key);
    if (wrong !== undefined) return this.#skip(path, `it ${wrong}`);
    const stats = await this.#try(path, () => lstat(path));
    if (stats === undefined) return;
    if (stats.isDirectory()) return this.#folder(path, key, stats);
    if (!stats.isFile() && !stats.isSymbolicLink()) return this.#skip(path, `it is ${oddKind(stats.mode)}`);
    const running = this.#try(path, () => this.#file(path, key, stats)).then(() => {});
    running.catch(() => {}); // whoever awaits it, in its turn, is told; until then it has failed for nobody
    this.#running.push(running);
    if (this.#running.length >= AT_ONCE) await this.#drain(AT_ONCE / 2);
  }

  async #file(path: Buffer, key: string, stats: Stats): Promise<void> {
    const mode = keptMode(stats.mode);
    if (stats.isSymbolicLink()) {
      const target = await this.#contents.put(await readlink(path, { encoding: "buffer" }));
      return this.#found(key, { ...target, kind: "link", mode });
    }
    const small = stats.size <= MAX_SMALL_CONTENT_BYTES;
    const content = await this.#contents.put(small ? await readFile(path) : createReadStream(path));
    this.#found(key, { ...content, kind: "file", mode });
  }

  #found(key: string, after: Entry): void {
    this.changes.push({ key, before: null, after });
    if (this.changes.length % 100 === 0) this.#watching.onProgress?.({ what: "reading", done: this.changes.length });
  }

  /** Waits until at most so many are under way. */
  async #drain(most: number): Promise<void> {
    while (this.#running.length > most) {
      await this.#running[0];
      this.#running.shift();
    }
  }

  /** One that can't be read is left out and told; all the rest comes in. */
  async #try<T>(path: Buffer, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const code = error instanceof Error && "syscall" in error && "code" in error ? error.code : undefined;
      if (code === "EACCES" || code === "EPERM") this.#skip(path, "it may not be read");
      else if (code === "ENOENT") this.#skip(path, "it went away meanwhile");
      else throw error;
      return undefined;
    }
  }

  #skip(path: Buffer, why: string): void {
    this.#skipped.push(`${path.toString("utf8")} was left out: ${why}`);
  }
}

const SLASH = Buffer.from("/");

function keyOf(change: Change): string {
  return "key" in change ? change.key : change.name;
}
