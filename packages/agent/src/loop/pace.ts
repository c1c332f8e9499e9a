/** When an ask may work: it lets others go on while it waits for the user, and its clocks stand still. */
export interface Pace {
  /** Resolves when it is its turn; its clocks go on then. */
  ready(signal: AbortSignal): Promise<void>;
  /** From now on it waits for the user. */
  rest(): void;
  /** Counts the time that it works, and calls `over` once that comes to so much. Returns the way to stop that. */
  clock(ms: () => number, over: () => void): () => void;
  /** How much that is may be another by now. */
  look(): void;
}
