import type { Dirent, Stats } from "node:fs";
import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { type Entry, keyFromBytes, MAX_SMALL_CONTENT_BYTES } from "@choiros/contract";
import { type Contents, messageOf } from "@choiros/log";
import { checkKey } from "../check-key.ts";
import { commit, withParents } from "../commit.ts";
import type { ActOptions, Watching } from "../computer-port.ts";
import { IGNORE_KEY, Ignored } from "../folder/ignored.ts";
import { keptMode, oddKind } from "../folder/stat.ts";
import type { LocalParts } from "../local-computer.ts";
import type { Change, Outcome, Refused } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { readEntry } from "../read-entry.ts";
import { shownPath } from "../shown-path.ts";
import { GitIndex } from "./git-index.ts";
import { LeftOut } from "./left-out.ts";
import { isHome, ownFolderFault } from "./our-own.ts";
import { storeFile } from "./store-file.ts";
import { refused } from "./write-file.ts";

/**
 * Brings a folder of this machine in. Its contents are stored first, then one event names them all: cut off before that,
 * nothing has happened. Whatever can't be kept, or is ignored, is left out and told.
 */
export async function addFolder(
  parts: LocalParts,
  folder: string,
  to: string,
  options: ActOptions = {},
): Promise<Outcome> {
  const found = await folderAt(folder, parts.root);
  if ("ok" in found) return found;
  const source = new Source(found.path, parts.contents, await ignoredIn(parts), options);
  await source.folder(Buffer.from(found.path), to, found.stats);
  return parts.turns.take(async () => {
    const { notes } = await parts.reconciler.ready([to]);
    if ((await parts.state.entries([to])).has(to)) {
      return refused(`${shownPath(to)} is there already: choose another place with --to, or remove it first`);
    }
    const complete = await withParents(parts, source.changes);
    if ("why" in complete) return refused(complete.why);
    const all = { ...options, notes: [...notes, ...source.left.notes] };
    return commit(parts, { type: "files.changed", extra: { by: "import" } }, complete, all);
  });
}

/** The one that somebody named may be a link; in it, links are links. */
async function folderAt(folder: string, root: string): Promise<{ path: string; stats: Stats } | Refused> {
  try {
    const path = await realpath(folder);
    const stats = await lstat(path);
    if (!stats.isDirectory()) return refused(`${folder} is not a folder`);
    const fault = await ownFolderFault(path, root);
    if (fault !== undefined) return refused(fault);
    const home =
      "is a ChoirOS home: add the workspace of a computer in it, or 'choir export' there and 'choir import' here";
    return (await isHome(Buffer.from(path))) ? refused(`${folder} ${home}`) : { path, stats };
  } catch (error) {
    return refused(`${folder} can't be read: ${messageOf(error)}`, "missing");
  }
}

async function ignoredIn({ state, contents }: Parts): Promise<Ignored> {
  const rules = (await state.entries([IGNORE_KEY])).get(IGNORE_KEY);
  const bytes = rules?.kind === "file" ? await readEntry(contents)(rules) : undefined;
  return new Ignored(bytes === undefined ? "" : Buffer.from(bytes).toString("utf8"));
}

/** How many files are read at a time: what is small is stored with all that wait by then; what is large is streamed. */
const AT_ONCE = 512;
const LARGE_AT_ONCE = 8;

/** What is found in a folder, with its contents stored on the way. */
class Source {
  readonly changes: Change[] = [];
  readonly left: LeftOut;
  readonly #contents: Contents;
  readonly #ignored: Ignored;
  readonly #watching: Watching;
  #running: Promise<void>[] = [];
  readonly #streaming = new Set<Promise<void>>();

  constructor(root: string, contents: Contents, ignored: Ignored, watching: Watching) {
    this.left = new LeftOut(root);
    this.#contents = contents;
    this.#ignored = ignored;
    this.#watching = watching;
  }

  async folder(path: Buffer, key: string, stats: Stats): Promise<void> {
    try {
      await this.#folder({ path, key, git: await GitIndex.around(path) }, stats);
      await this.#drain(0);
    } finally {
      await Promise.allSettled(this.#running); // where one failed, nobody else waits for the others
    }
    this.changes.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  async #folder(place: Place, stats: Stats): Promise<void> {
    const { path, key } = place;
    const names = await this.#try(path, () => readdir(path, { withFileTypes: true, encoding: "buffer" }));
    const has = (wanted: Buffer) => names?.some(({ name }) => name.equals(wanted)) === true;
    if (has(USERS) && (await isHome(path))) return this.left.skipped(path, OURS);
    this.#found(key, { kind: "dir", mode: keptMode(stats.mode) });
    const git = (has(DOT_GIT) ? await GitIndex.at(path) : undefined) ?? place.git;
    for (const child of names ?? []) await this.#child({ ...place, git }, child);
  }

  async #child(above: Place, child: Dirent<Buffer>): Promise<void> {
    this.#watching.signal?.throwIfAborted();
    const path = Buffer.concat([above.path, SLASH, child.name]);
    const key = `${above.key}/${keyFromBytes(child.name)}`;
    if (this.#ignored.has(key, child.isDirectory())) {
      return this.left.ignored(`${path}${child.isDirectory() ? "/" : ""}`, above.git?.below(path) ?? []);
    }
    if (child.isDirectory() && child.name.equals(DOT_CHOIR)) return this.left.skipped(path, OURS);
    const wrong = checkKey(key);
    if (wrong !== undefined) return this.left.skipped(path, `it ${wrong}`);
    if (child.isDirectory()) {
      const stats = await this.#try(path, () => lstat(path));
      return stats === undefined ? undefined : this.#folder({ ...above, path, key }, stats);
    }
    const running = this.#try(path, () => this.#file(path, key)).then(() => {});
    running.catch(() => {}); // whoever awaits it, in its turn, is told; until then it has failed for nobody
    this.#running.push(running);
    if (this.#running.length >= AT_ONCE) await this.#drain(AT_ONCE / 2);
  }

  async #file(path: Buffer, key: string): Promise<void> {
    const stats = await lstat(path);
    if (!stats.isFile() && !stats.isSymbolicLink()) return this.left.skipped(path, `it is ${oddKind(stats.mode)}`);
    if (stats.isSymbolicLink()) {
      const target = await this.#contents.put(await readlink(path, { encoding: "buffer" }));
      return this.#found(key, { ...target, kind: "link", mode: keptMode(stats.mode) });
    }
    const small = stats.size <= MAX_SMALL_CONTENT_BYTES;
    const entry = small ? await storeFile(this.#contents, path) : await this.#large(path);
    if (entry === undefined) this.left.skipped(path, "it changed each time it was read");
    else this.#found(key, entry);
  }

  /** A few at a time: each holds two files open, and some memory. */
  async #large(path: Buffer): ReturnType<typeof storeFile> {
    while (this.#streaming.size >= LARGE_AT_ONCE) await Promise.race(this.#streaming);
    const streaming = storeFile(this.#contents, path);
    const settled = streaming.then(
      () => void this.#streaming.delete(settled),
      () => void this.#streaming.delete(settled), // whoever awaits the put is told
    );
    this.#streaming.add(settled);
    return streaming;
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
      if (code === "EACCES" || code === "EPERM") this.left.skipped(path, "it may not be read");
      else if (code !== undefined && GONE.includes(code)) this.left.skipped(path, "it went away meanwhile");
      else throw error;
      return undefined;
    }
  }
}

/** Where something is being read. */
interface Place {
  readonly path: Buffer;
  readonly key: string;
  /** What git says of the work tree it is in. */
  readonly git: GitIndex | undefined;
}

/** What ChoirOS keeps for itself must not come in as somebody's files: the log would grow by its own copy. */
const OURS = "it is ChoirOS's own, with a log in it";
const DOT_CHOIR = Buffer.from(".choir");
const USERS = Buffer.from("users");
const DOT_GIT = Buffer.from(".git");
/** It isn't there any more, or a link or a socket stands in its place. */
const GONE: unknown[] = ["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"];
const SLASH = Buffer.from("/");

function keyOf(change: Change): string {
  return "key" in change ? change.key : change.name;
}
