import type { ComputerApi } from "../server/computer-api.ts";
import { sentence } from "../server/problem.ts";
import { Histories } from "./histories.ts";
import type { History } from "./history.ts";
import { stepsBetween } from "./steps.ts";
import { Tree } from "./tree.ts";

/** Longer histories aren't loaded: they take memory, and their trees are asked for. */
const MOST_VERSIONS = 500_000;

/**
 * The tree at the moment that was asked for last. As soon as the histories of all paths are here, it is there at once.
 * Until then, and for what happened since they came, it goes by the events at hand; else by one request at a time, from the
 * moment that is shown straight to the newest wish.
 */
export class TreeAt {
  tree = new Tree();
  /** The moment that `tree` is of. */
  at: number | undefined;
  problem: string | undefined;
  /** Whether what stood at every path is still on its way. */
  loading = true;
  readonly #api: ComputerApi;
  readonly #history: History;
  readonly #listeners = new Set<() => void>();
  readonly #closed = new AbortController();
  #histories: Histories | undefined;
  /** The last moment that `#histories` knows; −1 as long as they aren't whole. */
  #until = -1;
  #wanted = 0;
  #going = false;
  #version = 0;

  constructor(api: ComputerApi, history: History) {
    this.#api = api;
    this.#history = history;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly version = (): number => this.#version;

  async go(seq: number): Promise<void> {
    this.#wanted = seq;
    if (this.#going || this.#goAtOnce(seq)) return;
    this.#going = true;
    try {
      while (this.at !== this.#wanted) await this.#ask(this.#wanted);
      this.problem = undefined;
    } catch (error) {
      if (this.#closed.signal.aborted) return;
      this.at = undefined; // half a step may have been made: begin anew
      this.problem = sentence(error);
      this.#changed();
    } finally {
      this.#going = false;
    }
    void this.#loadHistories();
  }

  close(): void {
    this.#closed.abort();
  }

  #goAtOnce(to: number): boolean {
    if (this.#histories !== undefined && to <= this.#until) {
      this.tree = this.#histories.treeAt(to);
      this.#arrived(to);
      return true;
    }
    const steps = this.at === undefined ? undefined : stepsBetween(this.#history, this.at, to);
    if (steps === undefined) return false;
    for (const step of steps) this.tree.apply(step);
    this.#arrived(to);
    return true;
  }

  /** For what changed in between, or for all of it where that is less. */
  async #ask(to: number): Promise<void> {
    const { signal } = this.#closed;
    if (this.#goAtOnce(to)) return;
    if (this.at === undefined || Math.abs(to - this.at) > this.tree.size) {
      const tree = new Tree();
      for (const { key, entry } of await this.#api.files(to, signal)) tree.set(key, entry);
      this.tree = tree;
    } else {
      await this.#api.diff({ from: this.at, to }, (shown) => this.tree.apply(shown), signal);
    }
    this.#arrived(to);
  }

  /** Once, when the first tree is shown. Without them it only takes longer. */
  async #loadHistories(): Promise<void> {
    if (this.#histories !== undefined) return;
    const histories = new Histories();
    this.#histories = histories;
    const tooMuch = new AbortController();
    const signal = AbortSignal.any([this.#closed.signal, tooMuch.signal]);
    const add = (item: Parameters<Histories["add"]>[0]) => {
      histories.add(item);
      if (histories.count > MOST_VERSIONS) tooMuch.abort();
    };
    try {
      const { until } = await this.#api.histories(add, signal);
      this.#until = until;
    } catch {
      this.#histories = new Histories(); // `#until` says that it is good for nothing
    }
    this.loading = false;
    this.#changed();
  }

  #arrived(at: number): void {
    this.at = at;
    this.problem = undefined;
    this.#changed();
  }

  #changed(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }
}
