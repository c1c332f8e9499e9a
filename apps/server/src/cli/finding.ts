/** One thing that was looked at. `advice` says what to do where it isn't well, or could be better. */
export interface Finding {
  readonly what: string;
  readonly ok: boolean;
  /** Nothing is broken, and yet nobody should overlook it. */
  readonly mind?: true;
  readonly found: string;
  readonly advice?: string;
}
