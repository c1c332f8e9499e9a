/** How long is waited for what. Tests are quicker. */
export interface Timing {
  /** From the request until the first byte of an answer. */
  readonly firstMs: number;
  /** Between two pieces of an answer. What a provider sends to say that it is alive counts. */
  readonly silenceMs: number;
  /** How often a call is tried, all in all. */
  readonly tries: number;
  /** Before the second try; doubled for each further one, less up to a half by chance. */
  readonly backoffMs: number;
  readonly longestBackoffMs: number;
  /** Who wants a longer wait than this isn't waited for. */
  readonly longestRetryAfterMs: number;
  /** So often it is told again what is waited for: whoever comes later hears it, too. */
  readonly tellMs: number;
}

export const USUAL_TIMING: Timing = {
  firstMs: 60_000,
  silenceMs: 60_000,
  tries: 5,
  backoffMs: 1_000,
  longestBackoffMs: 30_000,
  longestRetryAfterMs: 120_000,
  tellMs: 3_000,
};

/** A model on this machine may have to be loaded first, and reads slowly. `fetch` itself waits for five minutes. */
export const LOCAL_FIRST_MS = 280_000;
