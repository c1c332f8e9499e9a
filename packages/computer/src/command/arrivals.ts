/**
 * What commands brought into the folder while others ran, without an event: directories that came whole, and in which
 * everything is as old as it was when it was made. No other command that ran then removes them.
 */
export class Arrivals {
  readonly #running = new Map<symbol, Set<string>>();

  /** For a command, until it says `end`. */
  begin(command: symbol): ReadonlySet<string> {
    const came = new Set<string>();
    this.#running.set(command, came);
    return came;
  }

  brought(command: symbol, keys: readonly string[]): void {
    for (const [other, came] of this.#running) if (other !== command) for (const key of keys) came.add(key);
  }

  end(command: symbol): void {
    this.#running.delete(command);
  }
}
