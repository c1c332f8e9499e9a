import { useSyncExternalStore } from "react";

/** A value that somebody waits for to change. */
export class Watched<Value> {
  #value: Value;
  readonly #watchers = new Set<() => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  readonly get = (): Value => this.#value;

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Once it is this. */
  when(value: Value): Promise<void> {
    if (this.#value === value) return Promise.resolve();
    return new Promise((resolve) => {
      const leave = this.watch(() => {
        if (this.#value !== value) return;
        leave();
        resolve();
      });
    });
  }

  set(value: Value): void {
    if (value === this.#value) return;
    this.#value = value;
    for (const watcher of [...this.#watchers]) watcher();
  }
}

export function useWatched<Value>(watched: Watched<Value>): Value {
  return useSyncExternalStore(watched.watch, watched.get);
}
