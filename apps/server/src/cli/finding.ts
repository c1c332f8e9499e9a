/** One thing that was looked at. `advice` says what to do where it isn't well, or could be better. */
export interface Finding {
  readonly what: string;
  readonly ok: boolean;
  readonly found: string;
  readonly advice?: string;
}
