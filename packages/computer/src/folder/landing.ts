import { closeSync, mkdirSync, renameSync, unlinkSync } from "node:fs";
import type { Entry } from "@choiros/contract";
import { failureOf } from "@choiros/log/failure";
import { sameEntry } from "../merge/merge-entries.ts";
import { lookAt } from "./look.ts";
import { temporaryName } from "./names.ts";
import { inside, type Walk } from "./root.ts";
import type { Noted, Seen } from "./seen.ts";
import { type Stat, sameStat } from "./stat.ts";
import { Blocked, blockOf, giveName, hashOf, modeOf, placeOf, removeDirectory, setMode, writeBeside } from "./steps.ts";

/** One path to be brought from what we believe is there to what should be. */
export interface Landing {
  readonly key: string;
  readonly from: Entry | null;
  readonly to: Entry | null;
  /** A large file that was read and found to be `from`, when it had this stat. */
  readonly checked?: Stat | undefined;
}

export type Landed =
  /** `left`: the directory is gone from the tree, but stays on disk, for there are ignored things in it. */
  | { readonly is: "landed"; readonly left?: true }
  /** Somebody else changed it: nothing was touched. `found` is `undefined` where it is nothing that can be captured. */
  | { readonly is: "differs"; readonly found: Entry | null | undefined }
  /** It can't be written. `code` is the system's, or `refused` for a path that isn't ours to write. */
  | { readonly is: "blocked"; readonly code: string; readonly why: string };

/** On the thread also: a large file has to be read first, or a file with other names copied, which takes too long here. */
export type LandedHere = Landed | { readonly is: "unsure" } | { readonly is: "copy" };

/** A new content beside its place. `fd` only for a large file: where to write it. */
export interface Staged {
  readonly is: "staged";
  readonly id: string;
  readonly fd?: number;
}

/** What a landing does to the disk. A file appears whole or not at all, and only where it is still what we believe. */
export class Lander {
  readonly #seen: Seen;
  readonly #staged = new Map<string, { readonly item: Landing; readonly ino: number }>();
  #notes: Noted[] = [];

  constructor(seen: Seen) {
    this.#seen = seen;
  }

  inUse(name: string): boolean {
    return this.#staged.has(name);
  }

  /** In the order given: what is in a directory before the directory. */
  remove(walk: Walk, items: readonly Landing[]): LandedHere[] {
    return this.#each(items, (item) => {
      const standing = this.#stands(walk, item, null);
      if (standing !== "as-believed") return standing;
      const place = placeOf(walk, item.key);
      if (item.from?.kind !== "dir") unlinkSync(inside(place.dir, place.name));
      const left = item.from?.kind === "dir" && !removeDirectory(place);
      if (left && this.#holdsOurs(item.key)) throw new Blocked("ENOTEMPTY", "what is in it can't be removed");
      if (item.from?.kind === "dir") walk.reset();
      this.#notes.push({ key: item.key, seen: null });
      return left ? { is: "landed", left } : { is: "landed" };
    });
  }

  /** Whether something is in a directory, as far as was seen, that isn't just ignored. */
  #holdsOurs(key: string): boolean {
    const gone = new Set(this.#notes.flatMap((note) => (note.seen === null ? note.key : [])));
    return this.#seen
      .in(key)
      .keys()
      .some((name) => !gone.has(`${key}/${name}`));
  }

  /** Top down. */
  makeDirectories(walk: Walk, items: readonly Landing[]): LandedHere[] {
    return this.#each(items, (item) => {
      const standing = this.#stands(walk, item, item.to);
      if (standing !== "as-believed") return standing;
      const { dir, name } = placeOf(walk, item.key);
      // With its mode at once, as far as the umask lets it: cut off here, it must not look as if somebody had changed it.
      if (item.from === null) mkdirSync(inside(dir, name), modeOf(item.to));
      return this.#setMode(walk, item.key, "dir", modeOf(item.to), null);
    });
  }

  /** The same content under another mode. */
  changeModes(walk: Walk, items: readonly Landing[]): LandedHere[] {
    return this.#each(items, (item) => {
      const standing = this.#stands(walk, item, item.to);
      return standing === "as-believed"
        ? this.#setMode(walk, item.key, "file", modeOf(item.to), hashOf(item.to))
        : standing;
    });
  }

  stage(walk: Walk, item: Landing, bytes: Uint8Array | undefined, sync: boolean): Staged | LandedHere {
    const [staged] = this.#each([item], (): Staged => {
      const { dir } = placeOf(walk, item.key);
      const id = temporaryName(this.#seen.secret);
      const { ino, fd } = { fd: undefined, ...writeBeside(dir, id, item.to, bytes, sync) };
      this.#staged.set(id, { item, ino });
      return fd === undefined ? { is: "staged", id } : { is: "staged", id, fd };
    });
    if (staged === undefined) throw new Error("each item has an outcome");
    return staged;
  }

  /** Gives what was staged its name; what isn't placed is removed again, unless it waits to be checked. */
  place(walk: Walk, ids: readonly string[], checked: Stat | undefined): LandedHere[] {
    const landed = this.#each(ids, (id) => {
      const staged = this.#staged.get(id);
      if (staged === undefined) throw new Error(`${id} was not staged`);
      return this.#place(walk, id, staged.ino, { ...staged.item, checked });
    });
    const over = ids.filter((_, i) => landed[i]?.is !== "unsure");
    this.unstage(walk, over);
    return landed;
  }

  unstage(walk: Walk, ids: readonly string[]): void {
    for (const id of ids) {
      const staged = this.#staged.get(id);
      if (!this.#staged.delete(id) || staged === undefined) continue;
      try {
        const place = walk.place(staged.item.key);
        if (!("miss" in place)) unlinkSync(inside(place.dir, id));
      } catch {
        // A scan removes it, should it still be there.
      }
    }
  }

  /** By rename, so that what is ignored moves along. The two walks are because each is in one place at a time. */
  moveDirectory(walk: Walk, other: Walk, from: string, to: string): Landed {
    try {
      const start = placeOf(walk, from);
      const end = placeOf(other, to);
      const there = lookAt(other, to, undefined, false);
      if (there.is === "large") closeSync(there.fd);
      if (there.is !== "nothing") return { is: "differs", found: there.is === "entry" ? there.entry : undefined };
      const moved = lookAt(walk, from, undefined, false);
      if (moved.is === "large") closeSync(moved.fd);
      if (moved.is !== "entry" || moved.entry.kind !== "dir")
        throw new Blocked("ENOTDIR", "there is no directory to move");
      walk.directory(from); // one that may not be written to can't get another place, unless the walk is in it
      renameSync(inside(start.dir, start.name), inside(end.dir, end.name));
      this.#seen.move(from, to);
      return { is: "landed" };
    } catch (error) {
      return blockOf(error);
    }
  }

  #place(walk: Walk, id: string, ino: number, item: Landing): LandedHere {
    const standing = this.#stands(walk, item, item.to);
    if (standing !== "as-believed") return standing;
    const stat = giveName(placeOf(walk, item.key), id, ino, item.from !== null);
    if (stat === false) return { is: "differs", found: undefined };
    this.#staged.delete(id);
    this.#notes.push({ key: item.key, seen: { hash: hashOf(item.to), stat } });
    return { is: "landed" };
  }

  #setMode(walk: Walk, key: string, kind: "file" | "dir", mode: number, hash: string | null): LandedHere {
    const stat = setMode(placeOf(walk, key), kind, mode);
    if (stat === undefined) return kind === "file" ? { is: "copy" } : { is: "differs", found: undefined };
    this.#notes.push({ key, seen: { hash, stat } });
    return { is: "landed" };
  }

  /** What the check right before a change says: go on, or the outcome. */
  #stands(walk: Walk, { key, from, checked }: Landing, to: Entry | null): "as-believed" | LandedHere {
    const row = this.#seen.get(key);
    const found = lookAt(walk, key, row, false);
    if (found.is === "large") {
      closeSync(found.fd);
      return checked !== undefined && sameStat(found.stat, checked) ? "as-believed" : { is: "unsure" };
    }
    if (found.is === "refused") return { is: "blocked", code: "refused", why: found.why };
    if (found.is !== "nothing" && found.is !== "entry") return { is: "differs", found: undefined };
    const entry = found.is === "nothing" ? null : found.entry;
    if (sameEntry(entry, to)) {
      this.#notes.push({ key, seen: found.is === "entry" ? { hash: hashOf(to), stat: found.stat } : null });
      return { is: "landed" };
    }
    if (sameEntry(entry, from)) return "as-believed";
    if (entry?.kind === "dir" && from?.kind === "dir" && to === null) return "as-believed"; // whatever its mode is by now
    // A directory with nothing but ignored things in it, which nobody captured, becomes ours.
    const adopted = entry?.kind === "dir" && from === null && to?.kind === "dir" && row === undefined;
    return adopted ? this.#setMode(walk, key, "dir", modeOf(to), null) : { is: "differs", found: entry };
  }

  /**
   * On a full disk what landed has landed, noted or not: the next look finds it as it should be, and notes it then. To fail
   * here would say that it did not land.
   */
  #noteAll(): void {
    try {
      if (this.#notes.length > 0) this.#seen.note(this.#notes);
    } catch (error) {
      if (failureOf(error).code !== "disk-full") throw error;
    }
  }

  /** What one of them throws is its own outcome. What was landed is noted with one commit. */
  #each<Item, Outcome extends { readonly is: string }>(
    items: readonly Item[],
    work: (item: Item) => Outcome,
  ): (Outcome | Landed)[] {
    this.#notes = [];
    try {
      return items.map((item) => {
        try {
          return work(item);
        } catch (error) {
          return blockOf(error);
        }
      });
    } finally {
      this.#noteAll();
    }
  }
}
