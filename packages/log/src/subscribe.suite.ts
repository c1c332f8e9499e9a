import { getEventListeners } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Envelope } from "@choiros/contract";
import { describe, expect, test } from "vitest";
import type { Log } from "./log.ts";
import { appendAll, message, messages, range, seqs, setting, take } from "./testing/drafts.ts";
import type { Engine } from "./testing/engine.ts";
import { memoryInUse } from "./testing/memory.ts";
import { stage } from "./testing/stage.ts";

export function subscribeSuite(engine: Engine): void {
  describe("subscribe", () => {
    following(engine);
    slowness(engine);
    endings(engine);
    closing(engine);
  });
}

const MODES = ["write", "read"] as const;

function following(engine: Engine): void {
  const { place, writer, reader } = stage(engine);

  test.each(MODES)(
    "LOG-14: subscribe gives what is there, then each new event, once and in order, in mode %s",
    async (mode) => {
      const home = await place();
      const { log } = await writer(home);
      await appendAll(log, messages(20));
      const followed = mode === "write" ? log : (await reader(home)).log;
      const events = take(followed.subscribe(), 60);
      for (const draft of messages(39)) await log.append(draft);
      expect(await events).toEqual(await Array.fromAsync(log.read()));
    },
  );

  test.each(MODES)(
    "LOG-14: wherever it starts in the middle of bursts, it has no gap and no double, in mode %s",
    async (mode) => {
      const home = await place();
      const { log } = await writer(home);
      const followed = mode === "write" ? log : (await reader(home)).log;
      const subscriptions: Promise<number[]>[] = [];
      const appends: Promise<unknown>[] = [];
      for (const round of range(1, 20)) {
        appends.push(appendAll(log, messages(30)));
        const from = 1 + ((round * 37) % 400);
        subscriptions.push(take(followed.subscribe({ from }), 601 - from + 1).then(seqs));
        if (round % 3 === 0) await nextTurn();
        if (round % 7 === 0) await Promise.all(appends);
      }
      for (const [i, got] of (await Promise.all(subscriptions)).entries()) {
        expect(got).toEqual(range(1 + (((i + 1) * 37) % 400), 601));
      }
    },
  );

  test("LOG-14: a subscription from a seq to come waits for it", async () => {
    const { log } = await writer();
    const events = take(log.subscribe({ from: 5 }), 2);
    await appendAll(log, messages(5));
    expect(seqs(await events)).toEqual([5, 6]);
  });

  test("LOG-14: a subscription from the head's next gives the next", async () => {
    const { log } = await writer();
    const { seq } = await log.head();
    const events = take(log.subscribe({ from: seq + 1 }), 1);
    await log.append(message("next"));
    expect((await events)[0]?.payload).toEqual({ text: "next" });
  });

  test("LOG-14: large events come through whole, among small ones", async () => {
    const { log } = await writer();
    const sizes = [10, 500_000, 10, 300_000, 300_000, 500_000, 10];
    const events = take(log.subscribe({ from: 2 }), sizes.length);
    for (const size of sizes) await log.append(setting("x".repeat(size)));
    expect(await events).toEqual(await Array.fromAsync(log.read({ from: 2 })));
  });

  test("LOG-14: any number follow at once, and each gets everything", async () => {
    const { log } = await writer();
    const all = range(1, 100).map(() => take(log.subscribe(), 121));
    for (const _ of range(1, 4)) await appendAll(log, messages(30));
    for (const events of await Promise.all(all)) expect(seqs(events)).toEqual(range(1, 121));
  });

  test("LOG-14: appending from inside a subscription is followed too", async () => {
    const { log } = await writer();
    const given: number[] = [];
    for await (const event of log.subscribe()) {
      given.push(event.seq);
      if (event.seq >= 50) break;
      await log.append(message(`after ${event.seq}`));
    }
    expect(given).toEqual(range(1, 50));
  });

  test("LOG-14: what one subscriber does to an event, no other one sees", async () => {
    const { log } = await writer();
    const [a, b] = [take(log.subscribe({ from: 2 }), 1), take(log.subscribe({ from: 2 }), 1)];
    await log.append(message("as it was"));
    const [[first], [second]] = [await a, await b];
    try {
      Object.assign(first?.payload ?? {}, { text: "scribbled over" });
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError); // an engine may also hand out what can't be written to
    }
    expect(second?.payload).toEqual({ text: "as it was" });
    expect((await take(log.subscribe({ from: 2 }), 1))[0]?.payload).toEqual({ text: "as it was" });
  });
}

function slowness(engine: Engine): void {
  const { place, writer, reader } = stage(engine);

  test.each(MODES)(
    "LOG-15: a subscriber that stops in the middle holds up nobody, and misses nothing, in mode %s",
    async (mode) => {
      const home = await place();
      const { log } = await writer(home);
      const followed = mode === "write" ? log : (await reader(home)).log;
      const slow = followed.subscribe()[Symbol.asyncIterator]();
      const given = [(await slow.next()).value?.seq];
      const quick = take(followed.subscribe(), 1501);
      for (const _ of range(1, 3)) await appendAll(log, messages(500));
      expect(seqs(await quick)).toEqual(range(1, 1501));
      while (given.length < 1501) given.push((await slow.next()).value?.seq);
      expect(given).toEqual(range(1, 1501));
      await slow.return?.();
    },
  );

  test("LOG-15: subscribers of every pace get the same", async () => {
    const { log } = await writer();
    const paced = async (pace: number) => {
      const given: number[] = [];
      for await (const event of log.subscribe()) {
        given.push(event.seq);
        if (given.length === 901) return given;
        if (pace > 0 && event.seq % pace === 0) await nextTurn();
      }
      return given;
    };
    const all = [0, 1, 2, 7, 50].map(paced);
    for (const _ of range(1, 30)) await appendAll(log, messages(30, 3000));
    for (const given of await Promise.all(all)) expect(given).toEqual(range(1, 901));
  });

  test("LOG-15: what a subscriber hasn't taken yet costs no memory", async () => {
    const { log } = await writer();
    const stalled = range(1, 20).map(() => log.subscribe()[Symbol.asyncIterator]());
    for (const subscription of stalled) await subscription.next();
    await appendAll(log, messages(50, 30_000));
    const before = memoryInUse();
    for (const _ of range(1, 20)) await appendAll(log, messages(50, 30_000));
    expect(memoryInUse() - before).toBeLessThan(10_000_000); // 30 MB came in
    for (const subscription of stalled) {
      expect((await subscription.next()).value?.seq).toBe(2);
      await subscription.return?.();
    }
  });
}

function endings(engine: Engine): void {
  const { place, writer, reader } = stage(engine);

  test.each(MODES)("LOG-16: a subscription that waits ends when its signal aborts, in mode %s", async (mode) => {
    const home = await place();
    const { log } = await writer(home);
    const followed = mode === "write" ? log : (await reader(home)).log;
    const stop = new AbortController();
    const events = Array.fromAsync(followed.subscribe({ signal: stop.signal }));
    await take(followed.subscribe(), 1); // by now the first one waits for a second event
    stop.abort();
    expect(seqs(await events)).toEqual([1]);
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  });

  test("LOG-16: an abort in the middle of a replay ends it there", async () => {
    const { log } = await writer();
    await appendAll(log, messages(700));
    const stop = new AbortController();
    const given: number[] = [];
    for await (const event of log.subscribe({ signal: stop.signal })) {
      given.push(event.seq);
      if (event.seq === 100) stop.abort();
    }
    expect(given).toEqual(range(1, 100));
  });

  test("LOG-16: with a signal that has aborted there is nothing", async () => {
    const { log } = await writer();
    expect(await Array.fromAsync(log.subscribe({ signal: AbortSignal.abort() }))).toEqual([]);
  });

  test("LOG-16: a subscription leaves nothing on its signal for each event that it waited for", async () => {
    const { log } = await writer();
    const { signal } = new AbortController();
    const given: number[] = [];
    const reading = (async () => {
      for await (const event of log.subscribe({ signal })) {
        given.push(event.seq);
        if (event.seq === 30) return;
      }
    })();
    for (const _ of range(1, 29)) await log.append(message("x"));
    await reading;
    expect(given).toEqual(range(1, 30));
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("LOG-16: a reader that stops while it waits is let go at once", { timeout: 5000 }, async () => {
    const { log } = await writer();
    const subscription = log.subscribe()[Symbol.asyncIterator]();
    await subscription.next();
    const waiting = subscription.next();
    await subscription.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await log.append(message("nobody listens"))).toMatchObject({ ok: true });
  });
}

function closing(engine: Engine): void {
  const { place, writer, reader, open } = stage(engine);

  test.each(MODES)("LOG-16: a subscription that waits ends when the log closes, in mode %s", async (mode) => {
    const home = await place();
    const first = await writer(home);
    const store = mode === "write" ? first : await reader(home);
    const all = range(1, 5).map(() => Array.fromAsync(store.log.subscribe()));
    await take(store.log.subscribe(), 1);
    await store.close();
    for (const events of await Promise.all(all)) expect(seqs(events)).toEqual([1]);
  });

  test.each(MODES)(
    "LOG-16: a subscription in the middle of its replay ends when the log closes, in mode %s",
    async (mode) => {
      const home = await place();
      const first = await writer(home);
      await appendAll(first.log, messages(1200));
      const store = mode === "write" ? first : await reader(home);
      const given: number[] = [];
      for await (const event of store.log.subscribe()) {
        given.push(event.seq);
        if (event.seq === 400) await store.close();
      }
      expect(given).toEqual(range(1, given.length));
    },
  );

  test.each(MODES)(
    "LOG-16: a subscription ends, and doesn't fail, at whatever moment the log closes, in mode %s",
    async (mode) => {
      const home = await place();
      const first = await writer(home);
      await appendAll(first.log, messages(600));
      await first.close();
      for (const turns of range(0, 12)) {
        const store = await open(home, { mode });
        await endsWell(store.log, () => store.close(), turns);
      }
    },
  );

  /** Begins to follow, closes after so many turns of the event loop, and sees that what came was right. */
  async function endsWell(log: Log, close: () => Promise<void>, turns: number): Promise<void> {
    const given: Envelope[] = [];
    const reading = (async () => {
      for await (const event of log.subscribe()) given.push(event);
    })();
    for (const _ of range(1, turns)) await (turns % 2 === 0 ? nextTurn() : Promise.resolve());
    await close();
    await reading;
    expect(seqs(given)).toEqual(range(1, given.length));
  }
}
