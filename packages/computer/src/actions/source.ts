import type { Dirent, Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { type Entry, keyFromBytes } from "@choiros/contract";
import { checkKey } from "../check-key.ts";
import type { Watching } from "../computer-port.ts";
import { errorCode } from "../folder/folder-error.ts";
import type { Ignored } from "../folder/ignored.ts";
import { FAILURES, type PathRead } from "../folder/read-paths.ts";
import { keptMode } from "../folder/stat.ts";
import type { Change } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { GitIndex } from "./git-index.ts";
import { LeftOut } from "./left-out.ts";
import { isHome } from "./our-own.ts";
import { storeFile } from "./store-file.ts";

/** So many are read together, while those before them are stored. */
const BATCH = 1000;
const LARGE_AT_ONCE = 8;

/** What is found in a folder, with its contents stored on the way. */
export class Source {
  readonly changes: Change[] = [];
  readonly left: LeftOut;
  readonly #parts: Parts;
  readonly #ignored: Ignored;
  readonly #watching: Watching;
  #files: Found[] = [];
  #storing: Promise<void> = Promise.resolve();

  constructor(root: string, parts: Parts, ignored: Ignored, watching: Watching) {
    this.left = new LeftOut(root);
    this.#parts = parts;
    this.#ignored = ignored;
    this.#watching = watching;
  }

  async folder(path: Buffer, key: string, stats: Stats): Promise<void> {
    try {
      await this.#folder({ path, key, git: await GitIndex.around(path) }, stats);
      await this.#read();
      await this.#storing;
    } finally {
      await Promise.allSettled([this.#storing]); // where something else failed, nobody is at work any more
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
    this.#files.push({ path, key });
    if (this.#files.length >= BATCH) await this.#read();
  }

  /** Reads what was found since; it is stored while the next are found and read. */
  async #read(): Promise<void> {
    let rest = this.#files;
    this.#files = [];
    while (rest.length > 0) {
      const reads = await this.#parts.folder.call(
        "folder.paths.read",
        rest.map(({ path }) => path),
      );
      const files = rest.slice(0, reads.length);
      rest = rest.slice(reads.length);
      await this.#storing;
      this.#watching.signal?.throwIfAborted();
      this.#storing = this.#store(files, reads);
      this.#storing.catch(() => {}); // whoever awaits it next is told; until then it has failed for nobody
    }
  }

  async #store(files: readonly Found[], reads: readonly PathRead[]): Promise<void> {
    const small = files.map(({ path, key }, i) => this.#storeRead(path, key, reads[i]));
    const others = files.filter((_, i) => reads[i]?.is === "unread");
    await Promise.all([...small, this.#storeUnread(others)]);
  }

  async #storeRead(path: Buffer, key: string, read: PathRead | undefined): Promise<void> {
    if (read?.is === "odd") this.left.skipped(path, `it is ${read.what}`);
    if (read?.is === "failed") this.#leave(path, read.code);
    if (read === undefined || !("bytes" in read)) return;
    const content = await this.#parts.contents.put(read.bytes);
    this.#found(key, { ...content, kind: read.is, mode: read.mode });
  }

  /** Each holds two files open, and some memory. */
  async #storeUnread(files: readonly Found[]): Promise<void> {
    for (let at = 0; at < files.length; at += LARGE_AT_ONCE) {
      this.#watching.signal?.throwIfAborted();
      await Promise.all(
        files.slice(at, at + LARGE_AT_ONCE).map(({ path, key }) => this.#try(path, () => this.#stream(path, key))),
      );
    }
  }

  async #stream(path: Buffer, key: string): Promise<void> {
    const entry = await storeFile(this.#parts.contents, path);
    if (entry === undefined) this.left.skipped(path, "it changed each time it was read");
    else this.#found(key, entry);
  }

  #found(key: string, after: Entry): void {
    this.changes.push({ key, before: null, after });
    if (this.changes.length % 100 === 0) this.#watching.onProgress?.({ what: "reading", done: this.changes.length });
  }

  async #try<T>(path: Buffer, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const code = errorCode(error);
      if (!FAILURES.has(code)) throw error;
      this.#leave(path, code);
      return undefined;
    }
  }

  /** One that can't be read is left out and told; all the rest comes in. */
  #leave(path: Buffer, code: string): void {
    this.left.skipped(path, code === "EACCES" || code === "EPERM" ? "it may not be read" : "it went away meanwhile");
  }
}

interface Found {
  readonly path: Buffer;
  readonly key: string;
}

/** Where something is being read. */
interface Place extends Found {
  /** What git says of the work tree it is in. */
  readonly git: GitIndex | undefined;
}

/** What ChoirOS keeps for itself must not come in as somebody's files: the log would grow by its own copy. */
const OURS = "it is ChoirOS's own, with a log in it";
const DOT_CHOIR = Buffer.from(".choir");
const USERS = Buffer.from("users");
const DOT_GIT = Buffer.from(".git");
const SLASH = Buffer.from("/");

function keyOf(change: Change): string {
  return "key" in change ? change.key : change.name;
}
