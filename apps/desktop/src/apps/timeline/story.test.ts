import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { DeskApi, EventQuery } from "../../desk/api.ts";
import type { Moment } from "../../desk/socket.ts";
import { isFold } from "./fold.ts";
import { Story } from "./story.ts";

/** A log of plain events, of which every fifth belongs to a call with the one before it. */
class Log implements Pick<DeskApi, "events" | "head"> {
  readonly asked: EventQuery[] = [];
  #head: number;
  /** Lets what was asked for be answered when the test wants it. */
  gate: Promise<void> = Promise.resolve();

  readonly #causeOf: CauseOf;

  constructor(head: number, causeOf: CauseOf = pairs) {
    this.#head = head;
    this.#causeOf = causeOf;
  }

  head = (): number => this.#head;

  more(count: number): Moment[] {
    const moments = Array.from({ length: count }, (_, i) => momentOf(this.#head + 1 + i, this.#causeOf));
    this.#head += count;
    return moments;
  }

  events: DeskApi["events"] = async (query, { onItem, signal }) => {
    this.asked.push(query);
    const { from = 1, limit = Number.POSITIVE_INFINITY, newest = false, source } = query;
    const to = Math.min(query.to ?? this.#head, this.#head);
    await Promise.race([this.gate, aborted(signal)]);
    const seqs = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => (newest ? to - i : from + i));
    const found = seqs
      .map((seq) => momentOf(seq, this.#causeOf))
      .filter(({ event }) => source === undefined || source.some((one) => one === event.source));
    for (const moment of found.slice(0, limit)) onItem(moment);
    return null;
  };
}

test("TIME-3: of a million events only the pages in sight are read, and only some of them are kept", async () => {
  const log = new Log(1_000_000);
  const story = new Story(log);
  expect(story.total).toBeGreaterThan(300_000);
  await seen(story, 0);
  expect(log.asked.length).toBe(1);
  for (let at = 0; at < 60; at++) await seen(story, Math.floor((story.total / 60) * at));
  expect(log.asked.length).toBeLessThan(140);
  expect(story.pages).toBeLessThanOrEqual(41);
  await seen(story, story.total - 1);
  expect(story.row(story.total - 1)).toMatchObject({ moment: { event: { seq: 1 } } });
});

test("TIME-3: somebody who scrolls on finds the next page read already, and lines that stay aren't made anew", async () => {
  const log = new Log(100_000, () => ({}));
  const story = new Story(log);
  await seen(story, 0);
  const before = story.row(100);
  const gate = Promise.withResolvers<void>();
  log.gate = gate.promise;
  for (let at = 200; at <= 320; at += 20) story.want(at, at + 20);
  gate.resolve();
  await settled(story);
  expect(story.row(100)).toBe(before);
  expect(log.asked.map(({ from }) => from)).toEqual([99_841, 99_585, 99_329]);
  expect(story.row(500)).toBeDefined();
});

test("TIME-3: read from one end to the other, each event is told once, in order", async () => {
  const log = new Log(3000);
  const story = new Story(log);
  const told: number[] = [];
  for (let index = 0; index < story.total; index++) {
    await seen(story, index);
    const row = story.row(index);
    if (row !== undefined) told.push(...(isFold(row) ? row.moments : [row.moment]).map(({ event }) => event.seq));
  }
  expect(told).toEqual(Array.from({ length: 3000 }, (_, i) => 3000 - i));
});

test("TIME-2: what belongs together is one line also where it goes over pages, and opens there", async () => {
  const log = new Log(3000, (seq) => (seq >= 1000 && seq <= 1600 && seq % 2 === 0 ? { ask: "long" } : {}));
  const story = new Story(log);
  for (let at = 0; at < story.total; at += 20) await seen(story, at);
  const all = () => Array.from({ length: story.total }, (_, index) => story.row(index));
  const folds = () => all().flatMap((row) => (row !== undefined && isFold(row) ? [row] : []));
  expect(folds().map(({ id, moments }) => [id, moments.length])).toEqual([["ask:long", 301]]);
  expect(story.total).toBe(3000 - 300);
  expect(story.row(story.indexOfEvent(1002) ?? -1)?.id).toBe("ask:long");
  expect(await story.reveal(1002)).toBe(true);
  expect(story.row(story.indexOfEvent(1002) ?? -1)).toMatchObject({ depth: 1, id: "event:1002" });
  expect(story.indexOfRow("event:1002", 1002)).toBe(story.indexOfEvent(1002));
  expect(new Set(all().map((row) => row?.id)).size).toBe(story.total);
});

test("TIME-2: one that goes on and on is told again, so that not all of it has to be read for one line", async () => {
  const story = new Story(new Log(100_000, () => ({ ask: "endless" })));
  await seen(story, 0);
  expect(story.row(1)).toMatchObject({ of: "endless", kind: "ask" });
  expect(story.pages).toBeLessThan(300);
});

test("TIME-4: what comes while a page is being read, or faster than it can be, is neither lost nor told twice", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 600 }),
      fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 5 }),
      async (head, bursts) => {
        const log = new Log(head);
        const gate = Promise.withResolvers<void>();
        log.gate = gate.promise;
        const story = new Story(log);
        story.want(0, 30);
        for (const burst of bursts) story.add(log.more(burst));
        gate.resolve();
        await seen(story, 0);
        story.add(log.more(3));
        await seen(story, 0);
        const told = Array.from({ length: 20 }, (_, index) => story.row(index)).flatMap((row) =>
          row === undefined ? [] : isFold(row) ? row.moments : [row.moment],
        );
        expect(told.map(({ event }) => event.seq)).toEqual(told.map((_, i) => log.head() - i));
        expect(told.length).toBeGreaterThanOrEqual(Math.min(20, story.total));
      },
    ),
    { numRuns: 50 },
  );
});

test("TIME-4: what somebody reads has the same place before and after something came above it", async () => {
  const log = new Log(5000);
  const story = new Story(log);
  await seen(story, 900);
  const place = story.placeAt(900);
  const row = story.row(900);
  story.add(log.more(300));
  await seen(story, 0);
  const index = place === undefined ? undefined : story.indexOf(place);
  expect(index).toBeGreaterThan(900);
  expect(story.row(index ?? 0)?.id).toBe(row?.id);
});

test("TIME-4: where something was missed, it is read", async () => {
  const log = new Log(100);
  const story = new Story(log);
  await seen(story, 0);
  log.more(5);
  story.add(log.more(1));
  await seen(story, 0);
  expect(story.row(0)?.id).toBe("event:106");
  expect(story.moment(103)).toBeDefined();
});

test("TIME-5: what a query finds comes page by page, the newest first, and what is new is asked for", async () => {
  const log = new Log(2000);
  const story = new Story(log, { source: ["agent"] });
  await seen(story, 0);
  expect(log.asked).toEqual([{ limit: 200, newest: true, source: ["agent"], to: 2000 }]);
  expect(story.complete).toBe(false);
  while (!story.complete) await seen(story, story.total - 1);
  expect(story.row(story.total - 1)).toMatchObject({ moment: { event: { seq: 3 } } });
  story.add(log.more(20));
  await vi.waitUntil(() => story.row(0)?.id === "event:2019");
  expect(log.asked.at(-1)).toEqual({ source: ["agent"], from: 2001, to: 2020 });
  story.close();
});

test("TIME-5: a search can be stopped, keeps what it found, and goes on where it was", async () => {
  const log = new Log(2000);
  const story = new Story(log, { source: ["agent"] });
  await seen(story, 0);
  log.gate = new Promise(() => {});
  const found = story.total;
  story.want(0, story.total);
  story.stop();
  log.gate = Promise.resolve();
  await settled(story);
  expect([story.stopped, story.problem, story.total]).toEqual([true, undefined, found]);
  story.retry();
  await seen(story, story.total - 1);
  expect(story.total).toBeGreaterThan(found);
});

test("TIME-8: an event is brought in sight wherever it is, out of what it is folded into", async () => {
  const log = new Log(100_000);
  const story = new Story(log);
  expect(await story.reveal(50_005)).toBe(true);
  expect(story.row(story.indexOfEvent(50_005) ?? -1)).toMatchObject({ depth: 1, id: "event:50005" });
  expect(await story.reveal(100_001)).toBe(false);
});

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
}

/** As if this line had come in sight. */
async function seen(story: Story, index: number): Promise<void> {
  story.want(index, index + 20);
  await settled(story);
}

async function settled(story: Story): Promise<void> {
  for (let quiet = 0; quiet < 8; ) {
    const before = story.version();
    await new Promise((resolve) => setImmediate(resolve));
    quiet = story.version() === before ? quiet + 1 : 0;
  }
}

type CauseOf = (seq: number) => { readonly [kind: string]: string };

function pairs(seq: number): ReturnType<CauseOf> {
  return seq % 5 === 0 || seq % 5 === 4 ? { call: `k${Math.ceil(seq / 5)}` } : {};
}

function momentOf(seq: number, causeOf: CauseOf): Moment {
  const source = seq % 4 === 3 ? "agent" : "user";
  const event = { cause: causeOf(seq), payload: {}, seq, source, type: "file.write" };
  return { event } as unknown as Moment; // only what is told by
}
