/** What became of one connection that something inside asked for: what `receipt.net` says of it. */
export interface Connection {
  /** What was asked for, be it a name or not, in at most 253 printable characters. */
  readonly host: string;
  readonly port: number;
  readonly allowed: boolean;
  /** Why it was refused, or was allowed and failed. */
  readonly why?: string;
  /** From there into the sandbox. */
  readonly bytesIn: number;
  /** Out of the sandbox. */
  readonly bytesOut: number;
  readonly ms: number;
  /** Where refusals like one that was told before are told together: how many there were. */
  readonly times?: number;
}
