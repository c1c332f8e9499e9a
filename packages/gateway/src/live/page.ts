import type { Json } from "@choiros/contract";

const MOST = 500;

/** Items that go out together: one message each costs more than what is in it. None waits for the next for long. */
export class Page {
  readonly #put: (items: Json[]) => Promise<void>;
  #items: Json[] = [];

  constructor(put: (items: Json[]) => Promise<void>) {
    this.#put = put;
  }

  async add(item: Json): Promise<void> {
    if (this.#items.length === 0) setImmediate(() => void this.send());
    if (this.#items.push(item) >= MOST) await this.send();
  }

  async send(): Promise<void> {
    const items = this.#items;
    this.#items = [];
    if (items.length > 0) await this.#put(items);
  }
}
