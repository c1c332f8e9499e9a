import { closeSync, constants, mkdirSync, openSync, readlinkSync } from "node:fs";
import { errorCode, FolderError } from "./folder-error.ts";
import { AREAS, type Name, nameOf, partsOf } from "./names.ts";

/** Where something stands: its directory, opened, and its name there. Good until the walk goes on. */
export interface Place {
  readonly dir: number;
  readonly name: Name;
}

/** Why there is no such place, as a sentence of its own. `nothing`: a directory above is missing, or is no directory. */
export interface Miss {
  readonly miss: "refused" | "nothing" | "in-the-way" | "unreadable";
  readonly why: string;
}

/** How a walk gets into a directory, and out of it again. */
export interface Doors {
  enter(place: Place, key: () => string): number;
  leave(fd: number): void;
}

/**
 * A computer's root. The one way to a path: a walk from here by descriptors, a name at a time, that follows no link, also
 * none that is put there meanwhile. Whatever is reached this way was inside the root when it was reached.
 */
export class Root {
  readonly #fd: number;

  constructor(path: string) {
    this.#fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      for (const area of AREAS) this.#makeArea(area);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Descriptors are only held during a walk: `work` is one bounded slice. */
  walk<Result>(work: (walk: Walk) => Result, doors = AS_THEY_ARE): Result {
    const walk = new Walk(this.#fd, doors);
    try {
      return work(walk);
    } finally {
      walk.close();
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  #makeArea(area: string): void {
    try {
      mkdirSync(inside(this.#fd, area));
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
    try {
      // Whether it may be read doesn't matter: its mode is nobody's to keep, and its owner's door opens it.
      closeSync(openSync(inside(this.#fd, area), O_PATH | DIRECTORY));
    } catch (error) {
      const what = NOT_A_DIRECTORY.has(errorCode(error)) ? "is not a directory" : "can't be opened";
      throw new FolderError(`${area} in the computer's root ${what}: put a directory there`, error);
    }
  }
}

/** Directories are kept open along the last path, since the next one is often its neighbour. */
export class Walk {
  readonly #root: number;
  readonly #doors: Doors;
  #parts: string[] = [];
  #fds: number[] = [];

  constructor(root: number, doors: Doors) {
    this.#root = root;
    this.#doors = doors;
  }

  /** Where a key stands. The areas themselves are no entries and have no place. */
  place(key: string): Place | Miss {
    const parts = partsOf(key);
    if ("why" in parts) return { miss: "refused", why: `it ${parts.why}` };
    const last = parts.at(-1);
    if (parts.length < 2 || last === undefined) return { miss: "refused", why: "it is an area, which always stands" };
    const dir = this.#enter(parts.slice(0, -1));
    return typeof dir === "number" ? { dir, name: nameOf(last) } : dir;
  }

  /** The directory that stands at a key, or at an area, opened. */
  directory(key: string): number | Miss {
    const parts = partsOf(key);
    return "why" in parts ? { miss: "refused", why: `it ${parts.why}` } : this.#enter(parts);
  }

  /** A directory was removed, made or moved: what is open may not be what its name means now. */
  reset(): void {
    this.close();
  }

  close(): void {
    this.#leave(0);
  }

  #enter(parts: readonly string[]): number | Miss {
    let depth = 0;
    while (depth < parts.length && depth < this.#parts.length && parts[depth] === this.#parts[depth]) depth++;
    this.#leave(depth);
    for (const part of parts.slice(depth)) {
      try {
        const place = { dir: this.#fds.at(-1) ?? this.#root, name: nameOf(part) };
        this.#fds.push(this.#doors.enter(place, () => [...this.#parts, part].join("/")));
        this.#parts.push(part);
      } catch (error) {
        return missOf(error);
      }
    }
    return this.#fds.at(-1) ?? this.#root;
  }

  /** The lowest first: what is still open when we are cut off can be reached. */
  #leave(depth: number): void {
    this.#parts.length = depth;
    for (const fd of this.#fds.splice(depth).reverse()) this.#doors.leave(fd);
  }
}

/**
 * The path of a name in an opened directory. Linux leads straight from the descriptor to the directory, wherever it is
 * called now; only the one name behind it is looked up.
 */
export function inside(dir: number, name: Name): string | Buffer {
  const way = `${DESCRIPTORS}/${dir}/`;
  return typeof name === "string" ? way + name : Buffer.concat([Buffer.from(way), name]);
}

/** The path of an opened thing itself. */
export function itself(fd: number): string {
  return `${DESCRIPTORS}/${fd}`;
}

/** A handle on whatever stands at a place, a link too, that neither reads nor wakes it. */
export function handle<Result>(place: Place, work: (fd: number) => Result): Result {
  const fd = openSync(inside(place.dir, place.name), O_PATH | constants.O_NOFOLLOW);
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
}

/** Read from `/proc` itself and not asked of Node: in a namespace of its own a process has another number there. */
const DESCRIPTORS = `/proc/${readlinkSync("/proc/self")}/fd`;
export const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Node doesn't name it; the same on every Linux that Node runs on. */
const O_PATH = 0o10000000;
export const AS_THEY_ARE: Doors = {
  enter: ({ dir, name }) => openSync(inside(dir, name), DIRECTORY),
  leave: closeSync,
};
const NOT_A_DIRECTORY = new Set(["ENOTDIR", "ELOOP"]);

function missOf(error: unknown): Miss {
  const code = errorCode(error);
  if (code === "ENOENT") return { miss: "nothing", why: "its directory is missing" };
  if (NOT_A_DIRECTORY.has(code)) return { miss: "in-the-way", why: "something that is no directory stands above it" };
  if (code === "EACCES" || code === "EPERM") return { miss: "unreadable", why: "its directory may not be entered" };
  if (code === "ENAMETOOLONG") return { miss: "refused", why: "its name is too long" };
  throw error;
}
