import { lstat, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/**
 * What git tracks in a work tree, as its index says. Git itself is never run there: a repository from elsewhere may name
 * programs for it to run. A `.git` that is a file, and leads elsewhere, isn't followed.
 */
export class GitIndex {
  /** In the order of their bytes, each byte a character. */
  readonly #names: readonly string[];
  /** The work tree, each byte of its path a character. */
  readonly #root: string;

  private constructor(root: string, names: readonly string[]) {
    this.#root = root;
    this.#names = names;
  }

  /** Of the work tree that begins with this folder; `undefined` where none does, or where it can't be read. */
  static async at(folder: Buffer): Promise<GitIndex | undefined> {
    const file = Buffer.concat([folder, Buffer.from("/.git/index")]);
    try {
      const stats = await lstat(file);
      if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
      const names = trackedNames(await readFile(file));
      return names && new GitIndex(folder.toString("latin1"), names);
    } catch {
      return undefined; // it is only asked for a hint
    }
  }

  /** Of the work tree that this folder is in. */
  static async around(folder: Buffer): Promise<GitIndex | undefined> {
    for (let path = folder.toString("latin1"); ; path = dirname(path)) {
      const found = await GitIndex.at(Buffer.from(path, "latin1"));
      if (found !== undefined || path === dirname(path)) return found;
    }
  }

  /** Whatever it tracks at a path or below it, in full. */
  below(path: Buffer): string[] {
    const name = relative(this.#root, path.toString("latin1"));
    const found: string[] = [];
    for (let i = this.#firstFrom(name); i < this.#names.length; i++) {
      const tracked = this.#names[i] ?? "";
      if (!tracked.startsWith(name)) break;
      if (tracked === name || tracked[name.length] === "/") found.push(join(this.#root, tracked));
    }
    return found.map((full) => Buffer.from(full, "latin1").toString("utf8"));
  }

  #firstFrom(name: string): number {
    let [low, high] = [0, this.#names.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#names[middle] ?? "") < name) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const MAX_BYTES = 256 * 1024 * 1024;

/** The names in an index of version 2, 3 or 4; `undefined` for anything else. Its hashes are of one length or the other. */
function trackedNames(index: Buffer): string[] | undefined {
  return namesWith(index, SHA1_BYTES) ?? namesWith(index, SHA256_BYTES);
}

const SHA1_BYTES = 20;
const SHA256_BYTES = 32;
/** Times, device, inode, mode, owner and size. */
const STAT_BYTES = 40;
const EXTENDED = 0x4000;
const LENGTH = 0xfff;

function namesWith(index: Buffer, hashBytes: number): string[] | undefined {
  if (index.length < 12 || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const [version, count] = [index.readUInt32BE(4), index.readUInt32BE(8)];
  if (version < 2 || version > 4) return undefined;
  const names: string[] = [];
  for (let at = 12; names.length < count; ) {
    const flagsAt = at + STAT_BYTES + hashBytes;
    if (flagsAt + 4 > index.length) return undefined;
    const flags = index.readUInt16BE(flagsAt);
    const nameAt = flagsAt + (flags & EXTENDED ? 4 : 2);
    const read = version === 4 ? shortened(index, nameAt, names.at(-1) ?? "") : whole(index, nameAt);
    const expected = flags & LENGTH;
    if (read === undefined || (expected < LENGTH && read.name.length !== expected)) return undefined;
    names.push(read.name);
    // Before version 4, an entry ends with one to eight zeros, at a multiple of eight from its beginning.
    at = version === 4 ? read.end + 1 : at + (Math.floor((read.end - at) / 8) + 1) * 8;
  }
  return names;
}

interface Name {
  readonly name: string;
  /** Where its zero stands. */
  readonly end: number;
}

function whole(index: Buffer, at: number): Name | undefined {
  const end = index.indexOf(0, at);
  return end === -1 ? undefined : { name: index.toString("latin1", at, end), end };
}

/** Version 4 says how much of the name before is to go, and what comes instead. */
function shortened(index: Buffer, at: number, former: string): Name | undefined {
  let [place, byte] = [at, index[at] ?? 0];
  let drop = byte & 0x7f;
  while (byte & 0x80) {
    byte = index[++place] ?? 0;
    drop = (drop + 1) * 128 + (byte & 0x7f);
  }
  const rest = whole(index, place + 1);
  if (rest === undefined || drop > former.length) return undefined;
  return { name: former.slice(0, former.length - drop) + rest.name, end: rest.end };
}
