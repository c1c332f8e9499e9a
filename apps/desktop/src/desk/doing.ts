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

  onTopOf(windows: Windows): Windows {
    return this.#begun.reduce((all, { deed }) => done(all, deed), windows);
  }
}
