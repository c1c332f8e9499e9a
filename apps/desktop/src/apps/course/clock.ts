/** How long something was worked at; it stands still while nobody does. */
export interface Worked {
  readonly ms: number;
  /** Since when it counts on, while it does. */
  readonly since: string | undefined;
}

export class Clock implements Worked {
  ms = 0;
  since: string | undefined;

  /** From this moment on it counts, or doesn't. */
  set(counts: boolean, ts: string): void {
    if (counts) this.since ??= ts;
    else if (this.since !== undefined) {
      this.ms += Math.max(0, Date.parse(ts) - Date.parse(this.since));
      this.since = undefined;
    }
  }
}

export function workedMs({ ms, since }: Worked, now: number): number {
  return since === undefined ? ms : ms + Math.max(0, now - Date.parse(since));
}
