import { isDeepStrictEqual } from "node:util";
import type { Computer, Conflict } from "@choiros/computer";
import type { Target } from "@choiros/contract";
import type * as shapes from "./shapes.ts";

/** The first and the last event that a target is about. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

export async function spanOf({ log }: Computer, target: Target): Promise<Span> {
  if ("seq" in target) return { first: target.seq, last: target.seq };
  if ("since" in target) return { first: target.since + 1, last: (await log.head()).seq };
  const seqs: number[] = [];
  for await (const { seq } of log.read({ cause: target })) seqs.push(seq);
  return { first: seqs[0] ?? 1, last: seqs.at(-1) ?? 1 };
}

/**
 * When each of the three versions came, and by whom, as far as the path's own history tells: what stands now, what stood
 * after the target, what stood before it. The same bytes may have stood there at other times, too.
 */
export async function knownOf(computer: Computer, conflict: Conflict, span: Span): Promise<shapes.Conflict["known"]> {
  const { back, key, left, now } = conflict;
  const found = {
    now: await newest(computer, key, now),
    left: await newest(computer, key, left, span.last + 1),
    back: await newest(computer, key, back, span.first),
  };
  return {
    ...(found.now !== undefined && { now: found.now }),
    ...(found.left !== undefined && { left: found.left }),
    ...(found.back !== undefined && { back: found.back }),
  };
}

/** A version that a merge made was never there: it is looked for only so far. */
const MOST_VERSIONS = 100;

async function newest(
  computer: Computer,
  key: string,
  value: unknown,
  before?: number,
): Promise<shapes.Known | undefined> {
  let looked = 0;
  for await (const { entry, seq, source, ts } of computer.history(key, before === undefined ? {} : { before })) {
    if (isDeepStrictEqual(entry, value)) return { seq, source, ts };
    if (++looked === MOST_VERSIONS) return undefined;
  }
  return undefined;
}
