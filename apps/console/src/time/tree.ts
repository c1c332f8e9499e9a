import { parentKey } from "@choiros/contract";
import type { Shown } from "../server/shapes.ts";

/** What stood at a path, as far as a tree shows it. */
export type Stood = { readonly kind: "dir" } | { readonly kind: "file" | "link"; readonly size: number };

export interface TreeRow {
  readonly key: string;
  readonly name: string;
  readonly depth: number;
  readonly entry: Stood;
  /** Which it is in its folder, from 1, and of how many. */
  readonly place: number;
  readonly of: number;
}

const TOP = "";
const FOLDER: Stood = { kind: "dir" };

/** Everything that stood at one moment, by folder: only folders that are open cost anything to show. */
export class Tree {
  readonly #inside = new Map<string, Map<string, Stood>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: string): Stood | undefined {
    return this.#inside.get(parentKey(key) ?? TOP)?.get(key);
  }

  set(key: string, entry: Stood): void {
    const parent = parentKey(key);
    if (parent !== undefined && this.get(parent) === undefined) this.set(parent, FOLDER); // the areas are always there
    const folder = this.#inside.get(parent ?? TOP);
    if (folder?.has(key) !== true) this.#size++;
    if (folder === undefined) this.#inside.set(parent ?? TOP, new Map([[key, entry]]));
    else folder.set(key, entry);
  }

  delete(key: string): void {
    if (this.#inside.get(parentKey(key) ?? TOP)?.delete(key) === true) this.#size--;
  }

  /** Moves on, or back, by a net change. */
  apply({ change, from }: Shown): void {
    if (!("key" in change)) return;
    if (from !== undefined) this.delete(from);
    if (change.after === null) this.delete(change.key);
    else this.set(change.key, change.after);
  }

  rows(open: ReadonlySet<string>): TreeRow[] {
    const rows: TreeRow[] = [];
    const add = (folder: string, depth: number) => {
      const all = this.#sorted(folder);
      for (const [at, [key, entry]] of all.entries()) {
        rows.push({ depth, entry, key, name: nameOf(key), of: all.length, place: at + 1 });
        if (entry.kind === "dir" && open.has(key)) add(key, depth + 1);
      }
    };
    add(TOP, 0);
    return rows;
  }

  #sorted(folder: string): [string, Stood][] {
    const isFile = (entry: Stood) => Number(entry.kind !== "dir");
    return [...(this.#inside.get(folder) ?? [])].sort(
      ([a, one], [b, other]) => isFile(one) - isFile(other) || (a < b ? -1 : 1),
    );
  }
}

function nameOf(key: string): string {
  const parent = parentKey(key);
  return parent === undefined ? key : key.slice(parent.length + 1);
}
