import type { Signal } from "@choiros/contract";

/** What is worth saying but not keeping, for one computer. Lossy: who isn't listening never hears it. */
export interface Signals {
  /** To everyone who listens now, in the order of sending. */
  send(signal: Signal): void;
  /** Returns the way to stop listening. */
  listen(listener: (signal: Signal) => void): () => void;
}
