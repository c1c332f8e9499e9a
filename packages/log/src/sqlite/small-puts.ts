import type { ContentChange } from "./contents-file.ts";

type Put = ContentChange & { readonly kind: "put" };

/** What goes over in one call, at most. */
const MOST = 1000;
const MOST_BYTES = 4 * 1024 * 1024;

interface Waiting {
  readonly put: Put;
  resolve(): void;
  reject(error: unknown): void;
}

/** Contents that come while others are on their way go over together, in one call and one commit. */
export class SmallPuts {
  readonly #send: (puts: readonly Put[]) => Promise<unknown>;
  #waiting: Waiting[] = [];
  #running = false;

  constructor(send: (puts: readonly Put[]) => Promise<unknown>) {
    this.#send = send;
  }

  put(put: Put): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ put, resolve, reject });
    if (!this.#running) void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#running = true;
    await Promise.resolve(); // whoever puts several at once has put them all by then
    while (this.#waiting.length > 0) {
      const page = this.#page();
      try {
        await this.#send(page.map(({ put }) => put));
        for (const { resolve } of page) resolve();
      } catch (error) {
        for (const { reject } of page) reject(error);
      }
    }
    this.#running = false;
  }

  #page(): Waiting[] {
    let bytes = 0;
    const end = this.#waiting.findIndex(({ put }, i) => {
      bytes += put.size;
      return i > 0 && (i >= MOST || bytes > MOST_BYTES);
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }
}
