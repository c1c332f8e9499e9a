/** One thing that is measured, against a peer that is measured in the same run. A new one is one more file. */
export interface Measure {
  /** `P1`: as in the table of what has to hold, and as in `--only`. */
  readonly id: string;
  readonly title: string;
  /** What `ours` and `peer` are counted in. */
  readonly unit: string;
  readonly peer: string;
  readonly better: "higher" | "lower";
  /** Held against the floor and the aim: ours ÷ peer, unless the figure itself is what counts. */
  readonly judged?: "ratio" | "ours";
  /** Not met: the run fails. */
  readonly floor: number;
  readonly aim: number;
  /** Fewer than others have, where one takes long. */
  readonly rounds?: number;
  /** Makes what every round needs, once, in `place.ground`. */
  prepare?(place: Place): Promise<void>;
  /** One round of both. Who goes first changes with the round's number: see `inTurns`. */
  run(round: number, place: Place): Promise<Round>;
}

/** Where a measure works. All of it is removed at the end. */
export interface Place {
  /** New for each round. */
  readonly folder: string;
  /** The measure's own, the same in every round. */
  readonly ground: string;
  /** Less of everything: to try a measure out, not to judge by. */
  readonly quick: boolean;
  /** Progress, for whoever waits. */
  say(what: string): void;
}

export interface Pair {
  readonly ours: number;
  readonly peer: number;
}

export interface Round extends Pair {
  /** In milliseconds, for what somebody waits for. */
  readonly p99?: Pair;
  /** What else is worth a line, in milliseconds. */
  readonly also?: Readonly<Record<string, Pair>>;
}

export interface Result extends Pair {
  readonly measure: Measure;
  /** Of each round, then the median: neighbours in time had the same machine. */
  readonly ratio: number;
  /** What is judged, in the worst and in the best round. */
  readonly range: readonly [least: number, most: number];
  readonly p99?: Pair;
  readonly also: Readonly<Record<string, Pair>>;
  readonly rounds: number;
  readonly verdict: Verdict;
}

export type Verdict = "aim met" | "floor met" | "not met";

/** Runs a measure: one round for nothing, so that code is compiled and caches are warm on both sides, then those that count. */
export async function take(
  measure: Measure,
  rounds: number,
  placeOf: (round: number) => Promise<Place>,
): Promise<Result> {
  await measure.prepare?.(await placeOf(0));
  const taken: Round[] = [];
  for (let round = 0; round <= rounds; round++) {
    const place = await placeOf(round);
    const one = await measure.run(round, place);
    if (round > 0) taken.push(one);
    const which = round === 0 ? "round to warm up" : `round ${round} of ${rounds}`;
    place.say(`${which}: ${format(one.ours)} against ${format(one.peer)} ${measure.unit}`);
  }
  return summarise(measure, taken);
}

export function summarise(measure: Measure, rounds: readonly Round[]): Result {
  const ratios = rounds.map(({ ours, peer }) => ours / peer);
  const judged = measure.judged === "ours" ? rounds.map(({ ours }) => ours) : ratios;
  const p99 = rounds.flatMap((round) => round.p99 ?? []);
  const labels = Object.keys(rounds[0]?.also ?? {});
  return {
    measure,
    ...medians(rounds),
    ratio: median(ratios),
    range: [Math.min(...judged), Math.max(...judged)],
    ...(p99.length > 0 && { p99: medians(p99) }),
    also: Object.fromEntries(
      labels.map((label) => [label, medians(rounds.flatMap(({ also }) => also?.[label] ?? []))]),
    ),
    rounds: rounds.length,
    verdict: verdict(measure, median(judged)),
  };
}

export function verdict({ better, floor, aim }: Pick<Measure, "better" | "floor" | "aim">, value: number): Verdict {
  const reaches = (mark: number) => (better === "higher" ? value >= mark : value <= mark);
  if (reaches(aim)) return "aim met";
  return reaches(floor) ? "floor met" : "not met"; // so is what could not be measured: NaN reaches nothing
}

/**
 * Both, several times in turns, so that what else the machine does hits both alike; who begins changes with the round.
 * What each gives is put together.
 */
export async function inTurns<T>(
  round: number,
  turns: number,
  ours: (turn: number) => Promise<readonly T[]>,
  peer: (turn: number) => Promise<readonly T[]>,
): Promise<{ ours: T[]; peer: T[] }> {
  const all: { ours: T[]; peer: T[] } = { ours: [], peer: [] };
  for (let turn = 0; turn < turns; turn++) {
    if ((round + turn) % 2 === 0) all.ours.push(...(await ours(turn)));
    all.peer.push(...(await peer(turn)));
    if ((round + turn) % 2 === 1) all.ours.push(...(await ours(turn)));
  }
  return all;
}

/** How long it takes, in milliseconds. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function p95(values: readonly number[]): number {
  return quantile(values, 0.95);
}

export function p99(values: readonly number[]): number {
  return quantile(values, 0.99);
}

/** The value below which this share of them lies; between two of them, on the line from one to the other. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

function medians(pairs: readonly Pair[]): Pair {
  return { ours: median(pairs.map(({ ours }) => ours)), peer: median(pairs.map(({ peer }) => peer)) };
}

/** Three digits that count; more would only look exact. */
export function format(value: number): string {
  if (!Number.isFinite(value)) return "?";
  if (value >= 1000) return Math.round(value).toLocaleString("en-US");
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
