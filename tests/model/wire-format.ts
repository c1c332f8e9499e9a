import type { Failure, Step } from "./script.ts";

/** Bytes to send, or what happens between them. */
export type Frame = string | Uint8Array | { readonly until: Promise<unknown> } | { readonly cut: true };

/** How one provider says things. */
export interface WireFormat {
  readonly contentType: string;
  frames(steps: readonly Step[], model: string): Iterable<Frame>;
  /** The body of an error. */
  failure(failure: Failure): string;
}
