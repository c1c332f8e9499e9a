import type { Computer, Where } from "@choiros/computer";
import type { Envelope } from "@choiros/contract";
import type { Contents, Log, Query } from "@choiros/log";
import { momentOf } from "./moment-of.ts";
import type { Work } from "./operation.ts";
import type { EventQuery } from "./queries.ts";
import type { Moment } from "./shapes.ts";

export interface EventPlace {
  readonly log: Log;
  readonly contents: Contents;
  /** Asked for only where it is about a path: a log can also be read where nothing else can. */
  computer(): Promise<Computer>;
}

type Watching = Pick<Work<never>, "progress" | "signal">;

/** The events a query is about, and with `follow` each new one as it comes. Where it has to look at many, it says how far it is. */
export async function* readEvents(place: EventPlace, query: EventQuery, work: Watching): AsyncGenerator<Moment> {
  const { contents } = place;
  const candidates = query.follow ? followed(place, query, work) : found(place, query, work);
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  for await (const event of candidates) {
    if (work.signal.aborted) return;
    if (!fits(event, query)) continue;
    yield await momentOf(contents, event);
    if (--left === 0) return;
  }
}

async function* followed({ log }: EventPlace, query: EventQuery, { signal }: Watching): AsyncGenerator<Envelope> {
  const { from } = await rangeOf(log, query);
  if (query.to !== undefined && query.to < from) return;
  for await (const event of log.subscribe({ from, signal })) {
    yield event;
    if (event.seq === query.to) return;
  }
}

async function* found(place: EventPlace, query: EventQuery, work: Watching): AsyncGenerator<Envelope> {
  const { log } = place;
  const range = await rangeOf(log, query);
  const told = (done: number) => {
    work.signal.throwIfAborted(); // also where nothing was found for a while
    work.progress({ what: "events", done, total: range.to - range.from + 1 });
  };
  const text = [query.named, query.text].filter((one) => one !== undefined).join(" ");
  const where = { ...(query.key !== undefined && { key: query.key }), text };
  if (query.key !== undefined || wordsOf(query.named).length > 0)
    return yield* touching(place, where, { ...range, newest: query.newest === true }, told);
  if (wordsOf(query.text).length > 0) return yield* saying(place, query, range, told);
  const narrowed = narrowedBy(query);
  if (query.newest === true) return yield* backwards(log, range, narrowed, query.limit, told);
  let looked = 0;
  for await (const event of log.read({ ...range, ...narrowed })) {
    if (++looked % 1000 === 0) told(event.seq - range.from + 1);
    yield event;
  }
}

interface Range {
  readonly from: number;
  readonly to: number;
}

async function rangeOf(log: Log, { from, since, to, until }: EventQuery): Promise<Range> {
  const { seq } = await log.head();
  const first = Math.max(1, from < 0 ? seq + 1 + from : from);
  const last = Math.min(seq, to ?? seq);
  return {
    from: since === undefined ? first : Math.max(first, await firstAfter(log, seq, new Date(since).getTime() - 1)),
    to: until === undefined ? last : Math.min(last, (await firstAfter(log, seq, new Date(until).getTime())) - 1),
  };
}

/** The first event after a time. Where the clock was set back meanwhile, one of those that could be. */
async function firstAfter(log: Log, last: number, time: number): Promise<number> {
  let [low, high] = [1, last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [mark] = await log.marks([middle]);
    if (new Date(mark?.ts ?? "").getTime() > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

async function* touching(
  { computer, log }: EventPlace,
  where: Where,
  range: Range & { readonly newest: boolean },
  told: (done: number) => void,
): AsyncGenerator<Envelope> {
  for await (const { left, seqs } of (await computer()).touching(where, range)) {
    told(range.to - range.from + 1 - left);
    for (const seq of seqs) yield* log.read({ from: seq, to: seq });
  }
}

/** So many events are held at once, to be given out the other way round; of those that a query narrows down, some. */
const MOST_HELD = 4096;
const MOST_LOOKED = 65_536;

/** A stretch from the end, and then ever longer ones: the newest are there at once, however many there are. */
async function* backwards(
  log: Log,
  { from, to }: Range,
  narrowed: Query,
  limit: number | undefined,
  told: (done: number) => void,
): AsyncGenerator<Envelope> {
  const most = Object.keys(narrowed).length === 0 ? MOST_HELD : MOST_LOOKED;
  for (let [last, length] = [to, Math.min(limit ?? 512, 512)]; last >= from; length = Math.min(length * 2, most)) {
    const first = Math.max(from, last - length + 1);
    const events = await Array.fromAsync(log.read({ from: first, to: last, ...narrowed }));
    yield* events.reverse();
    told(to - first + 1);
    last = first - 1;
  }
}

/** Only these have words of their own. */
const WORDY: readonly string[] = ["message", "task.planned", "tool.call"];

/**
 * Events that say all of the words, and those that changed a path that has them: a stretch of both, and then ever longer
 * ones, so that what is found is there at once, whichever of the two it is, however many events there are.
 */
async function* saying(
  place: EventPlace,
  query: EventQuery,
  { from, to }: Range,
  told: (done: number) => void,
): AsyncGenerator<Envelope> {
  const { newest = false, text = "", type } = query;
  const wordy = { ...narrowedBy(query), types: WORDY.filter((one) => type?.includes(one) ?? true) };
  for (let [done, length] = [0, 512]; done < to - from + 1; length = Math.min(length * 2, MOST_LOOKED)) {
    const [first, last] = newest ? [to - done - length + 1, to - done] : [from + done, from + done + length - 1];
    const part = { from: Math.max(from, first), to: Math.min(to, last), newest };
    const said = wordy.types.length === 0 ? [] : await Array.fromAsync(wordsSaid(place, { ...wordy, ...part }, text));
    const touched = await Array.fromAsync(touching(place, { text }, part, () => {}));
    yield* [...said, ...touched].sort((one, two) => (newest ? two.seq - one.seq : one.seq - two.seq));
    done += part.to - part.from + 1;
    told(done);
  }
}

async function* wordsSaid({ contents, log }: EventPlace, query: Query, text: string): AsyncGenerator<Envelope> {
  const words = wordsOf(text);
  for await (const event of log.read(query)) {
    const said = textOf(await momentOf(contents, event));
    if (words.every((word) => said.includes(word))) yield event;
  }
}

function narrowedBy({ cause, source, type }: EventQuery): Query {
  return {
    ...(cause !== undefined && { cause }),
    ...(source !== undefined && { sources: source }),
    ...(type !== undefined && { types: type }),
  };
}

function fits(event: Envelope, { cause = {}, source, type }: EventQuery): boolean {
  if (type !== undefined && !type.includes(event.type)) return false;
  if (source !== undefined && !source.some((one) => one === event.source)) return false;
  return Object.entries(cause).every(([kind, id]) => event.cause?.[kind] === id);
}

function wordsOf(text = ""): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

function textOf({ command = "", event: { payload } }: Moment): string {
  return [command, payload.text, payload.instruction]
    .filter((part) => typeof part === "string")
    .join("\n")
    .toLowerCase();
}
