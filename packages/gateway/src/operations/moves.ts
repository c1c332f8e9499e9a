import type { TreeChange } from "@choiros/computer";
import type { Entry } from "@choiros/contract";

/** Recognises by their contents the files and links that went at one path and came at another: those were moved. */
export class Moves {
  readonly #gone = new Map<string, TreeChange[]>();
  readonly #came = new Map<string, string[]>();

  add({ key, before, after }: TreeChange): void {
    if (after === null) append(this.#gone, identity(before), { key, before, after });
    if (before === null) append(this.#came, identity(after), key);
  }

  /** By the key that each came to, what it was where it went. The same name is a better match than another. */
  found(): ReadonlyMap<string, TreeChange> {
    const found = new Map<string, TreeChange>();
    for (const [content, came] of this.#came) {
      const gone = new Set(this.#gone.get(content));
      const byName = new Map([...gone].map((change) => [nameOf(change.key), change]));
      const pair = (key: string, change: TreeChange | undefined) => {
        if (change === undefined || !gone.delete(change)) return;
        found.set(key, change);
      };
      for (const key of came) pair(key, byName.get(nameOf(key)));
      for (const key of came) if (!found.has(key)) pair(key, [...gone.values().take(1)][0]);
    }
    return found;
  }
}

/** What is nowhere else; not of what is empty, for all of that is alike. */
function identity(entry: Entry | null): string | undefined {
  return entry === null || entry.kind === "dir" || entry.size === 0 ? undefined : `${entry.kind} ${entry.hash}`;
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}

function append<T>(lists: Map<string, T[]>, key: string | undefined, value: T): void {
  if (key === undefined) return;
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
