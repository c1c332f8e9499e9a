import { type Entry, isBelow, parentKey } from "@choiros/contract";
import { sameEntry } from "../merge/merge-entries.ts";
import type { TreeChange } from "../outcome.ts";
import { shownPath } from "../shown-path.ts";
import type { State } from "../state/state.ts";

/** What the tree would be after one thing and another: nothing is done to it. */
export class Arrangement {
  readonly #state: State;
  /** What stands, at every path that was looked at; below these, all of it. */
  readonly #stands = new Map<string, Entry | null>();
  readonly #whole = new Set<string>();
  readonly #then = new Map<string, Entry | null>();
  /** By directory, the paths in it that something stands at, or would or did. */
  readonly #inside = new Map<string, Set<string>>();

  constructor(state: State) {
    this.#state = state;
  }

  /** What would stand there. */
  async at(key: string): Promise<Entry | null> {
    if (!this.#then.has(key)) await this.look([key]);
    return this.#then.get(key) ?? null;
  }

  /** Many at once cost less than one by one. */
  async look(keys: readonly string[]): Promise<void> {
    const there = await this.#state.entries(keys);
    for (const key of keys) this.#know(key, there.get(key) ?? null);
  }

  /** What would stand at a path and below it, from the top down. */
  async within(key: string): Promise<readonly (readonly [key: string, entry: Entry])[]> {
    await this.#lookBelow(key);
    const found: [string, Entry][] = [];
    const left = [key];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const entry = this.#then.get(next) ?? null;
      if (entry === null) continue;
      found.push([next, entry]);
      left.push(...(this.#inside.get(next) ?? []));
    }
    return found;
  }

  /** At a path where nothing would stand, with the directories above it; what is in its way, where something is. */
  async put(key: string, entry: Entry): Promise<string | undefined> {
    const missing: string[] = [];
    for (let up = parentKey(key); up?.includes("/"); up = parentKey(up)) {
      const above = await this.at(up);
      if (above?.kind === "dir") break;
      if (above !== null) return `${shownPath(up)} is a ${above.kind}, and nothing can be in it`;
      missing.push(up);
    }
    for (const directory of missing) this.set(directory, { kind: "dir", mode: 0o755 });
    this.set(key, entry);
    return undefined;
  }

  /** Of a path that was looked at, or is below one where nothing stood. */
  set(key: string, entry: Entry | null): void {
    this.#know(key, null);
    this.#then.set(key, entry);
  }

  changes(): TreeChange[] {
    return [...this.#then].flatMap(([key, after]) => {
      const before = this.#stands.get(key) ?? null;
      return sameEntry(before, after) ? [] : [{ key, before, after }];
    });
  }

  async #lookBelow(key: string): Promise<void> {
    for (let up: string | undefined = key; up !== undefined; up = parentKey(up)) if (this.#whole.has(up)) return;
    this.#whole.add(key);
    if (((await this.at(key)) ?? this.#stands.get(key))?.kind !== "dir") return;
    for await (const page of this.#state.tree({ under: key }))
      for (const line of page) if (isBelow(line.key, key)) this.#know(line.key, line.entry);
  }

  #know(key: string, entry: Entry | null): void {
    if (this.#stands.has(key)) return;
    this.#stands.set(key, entry);
    this.#then.set(key, entry);
    const parent = parentKey(key) ?? "";
    const beside = this.#inside.get(parent);
    if (beside === undefined) this.#inside.set(parent, new Set([key]));
    else beside.add(key);
  }
}
