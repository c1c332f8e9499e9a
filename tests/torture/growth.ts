/** What a server weighs at one moment, after it has thrown away what nobody needs. */
export interface Sample {
  /** Bytes that JavaScript holds, in and beside its heap. */
  readonly heap: number;
  /** Bytes of the whole process, its threads too. */
  readonly resident: number;
  /** Open files and sockets. */
  readonly files: number;
  /** Timers, requests and handles that are under way. */
  readonly resources: number;
  /** From append to a socket's end: milliseconds, the median since the sample before. */
  readonly latency: number;
}

/** By so much each may differ between the begin and the end of a run without having grown. */
const ALLOWED: { readonly [Part in keyof Sample]: (first: number) => number } = {
  heap: () => 2_000_000,
  resident: (first) => Math.max(24_000_000, first * 0.1), // what is freed isn't always given back
  files: () => 3,
  resources: () => 5,
  latency: (first) => Math.max(20, first), // whoever else is at work shows here
};

/**
 * What has grown, in words; nothing where nothing has. The first quarter is left out: caches fill, code is compiled. Of the
 * others a line tells, which one odd sample doesn't turn: the median of the slopes between all pairs.
 */
export function growthIn(samples: readonly Sample[]): string[] {
  const settled = samples.slice(Math.ceil(samples.length / 4));
  return (Object.keys(ALLOWED) as (keyof Sample)[]).flatMap((part) => {
    const values = settled.map((sample) => sample[part]);
    const grown = slope(values) * (values.length - 1);
    const first = median(values.slice(0, Math.ceil(values.length / 3)));
    if (!(grown > ALLOWED[part](first))) return [];
    return [`${part} grew by ${Math.round(grown)} from ${Math.round(first)}: ${values.map(Math.round).join(", ")}`];
  });
}

/** By how much it rises from one to the next. */
function slope(values: readonly number[]): number {
  return median(values.flatMap((low, i) => values.slice(i + 1).map((high, n) => (high - low) / (n + 1))));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
