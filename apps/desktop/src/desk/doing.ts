import type { WindowValue } from "@choiros/contract";
import { type Deed, done, type Windows } from "../windows/deeds.ts";

interface Begun {
  readonly id: string;
  readonly deed: Deed;
  /** The event it became, once that is known. */
  readonly seq?: number;
}

/** What was done to windows here and isn't part of the log as far as it was heard: it is shown on top of that, in order. */
export class Doing {
  #begun: readonly Begun[] = [];
  /** Closed in the log, and open on this page alone. */
  #own: Windows = new Map();

  begin(id: string, deed: Deed): void {
    this.#begun = [...this.#begun, { id, deed }];
  }

  /** It is the event `seq`: it stays until that is heard. */
  became(id: string, seq: number): void {
    this.#begun = this.#begun.map((one) => (one.id === id ? { ...one, seq } : one));
  }

  /** It came to nothing. */
  drop(id: string): void {
    this.#begun = this.#begun.filter((one) => one.id !== id);
  }

  /** The log is heard up to here. Whether that settled something. */
  heard(event: { readonly id: string; readonly seq: number }): boolean {
    const before = this.#begun.length;
    this.#begun = this.#begun.filter(({ id, seq }) => id !== event.id && (seq === undefined || seq > event.seq));
    return this.#begun.length < before;
  }

  /** The log has closed it, and this page has not: it is this page's own until it is closed here, or opened there. */
  keep(id: string, window: WindowValue): void {
    this.#own = new Map(this.#own).set(id, window);
  }

  /** What of it is for the log, if anything: what is this page's own is changed at once, and here alone. */
  shared(deed: Deed): Deed | undefined {
    const own = this.#own;
    this.#own = done(own, { ...deed, changes: deed.changes.filter(({ id }) => own.has(id)) });
    const changes = deed.changes.filter(({ id }) => !own.has(id));
    return changes.length === 0 ? undefined : { ...deed, changes };
  }

  onTopOf(windows: Windows): Windows {
    this.#own = new Map([...this.#own].filter(([id]) => !windows.has(id)));
    return this.#begun.reduce<Windows>((all, { deed }) => done(all, deed), new Map([...windows, ...this.#own]));
  }
}
