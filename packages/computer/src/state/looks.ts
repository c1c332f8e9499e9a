const REST_MS = 10_000;

/**
 * Whoever looks at two past moments looks at more: from the second on, what makes them quick is gathered, slice by slice,
 * and given back once nobody has looked for a while. It only saves time: where the disk fails, others will hear of it.
 */
export class Looks {
  readonly #work: { gather(): Promise<boolean>; rest(): Promise<unknown> };
  #timer: NodeJS.Timeout | undefined;
  #count = 0;

  /** `gather` gathers a slice and says whether there is more. */
  constructor(work: { gather(): Promise<boolean>; rest(): Promise<unknown> }) {
    this.#work = work;
  }

  /** Somebody looks. */
  note(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#rest(), REST_MS).unref();
    if (++this.#count === 2) this.#gather().catch(() => {});
  }

  /** Nobody will look any more. */
  end(): void {
    clearTimeout(this.#timer);
    this.#count = 0;
  }

  async #gather(): Promise<void> {
    while (this.#count > 0 && (await this.#work.gather())) {
      // Others have their turns in between.
    }
  }

  #rest(): void {
    this.#count = 0;
    this.#work.rest().catch(() => {});
  }
}
