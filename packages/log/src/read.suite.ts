import type { Draft, Envelope } from "@choiros/contract";
import { describe, expect, test } from "vitest";
import type { Log, Query } from "./log.ts";
import { acknowledged, appendAll, message, messages, range, seqs, setting, take } from "./testing/drafts.ts";
import type { Engine, Place } from "./testing/engine.ts";
import { stage } from "./testing/stage.ts";

export function readSuite(engine: Engine): void {
  describe("read", () => {
    queries(engine);
    moments(engine);
    marks(engine);
    strangers(engine);
    damage(engine);
    heads(engine);
  });
}

/** Seq 2 to 41: three types, and causes that cross them. */
function mixed(): Draft[] {
  return range(2, 41).map((seq) => {
    const cause = {
      ask: `a${seq % 4}`,
      ...(seq % 5 === 0 && { task: `t${seq % 2}` }),
      ...(seq % 7 === 0 && { call: "x" }),
    };
    if (seq % 3 === 0) return setting({ source: "agent" }, { cause });
    if (seq % 3 === 1) return message(`${seq}`, { cause });
    return { source: "agent", type: "task.started", payload: { attempt: seq } };
  });
}

function queries(engine: Engine): void {
  const { place, writer, reader } = stage(engine);

  const cases: [what: string, query: Query, matches: (event: Envelope) => boolean, limit?: number][] = [
    ["everything", {}, () => true],
    ["from a seq on", { from: 17 }, ({ seq }) => seq >= 17],
    ["up to a seq", { to: 17 }, ({ seq }) => seq <= 17],
    ["from one to another, both inclusive", { from: 5, to: 9 }, ({ seq }) => seq >= 5 && seq <= 9],
    ["one event", { from: 41, to: 41 }, ({ seq }) => seq === 41],
    ["a stretch that ends past the head", { from: 40, to: 900 }, ({ seq }) => seq >= 40],
    ["a stretch that begins before the first", { from: -3, to: 2 }, ({ seq }) => seq <= 2],
    ["nothing, where it begins past the head", { from: 42 }, () => false],
    ["nothing, where it ends before it begins", { from: 9, to: 5 }, () => false],
    ["nothing, where it ends before the first", { to: 0 }, () => false],
    ["one type", { types: ["message"] }, ({ type }) => type === "message"],
    [
      "some types",
      { types: ["message", "task.started"] },
      ({ type }) => type !== "settings.change" && type !== "log.created",
    ],
    ["a type named twice", { types: ["message", "message"] }, ({ type }) => type === "message"],
    ["nothing of a type that never came", { types: ["file.write"] }, () => false],
    ["nothing of no types", { types: [] }, () => false],
    ["some sources", { sources: ["system", "agent"] }, ({ source }) => source !== "user"],
    ["nothing of no sources", { sources: [] }, () => false],
    ["one source, whatever a payload says of it", { sources: ["agent"] }, ({ source }) => source === "agent"],
    ["one cause", { cause: { ask: "a2" } }, ({ cause }) => cause?.ask === "a2"],
    [
      "all of several causes",
      { cause: { ask: "a1", task: "t1" } },
      ({ cause }) => cause?.ask === "a1" && cause.task === "t1",
    ],
    ["nothing of a cause that never was", { cause: { conversation: "a2" } }, () => false],
    ["everything, where the cause names nothing", { cause: {} }, () => true],
    ["the first few", { limit: 3 }, () => true, 3],
    ["nothing, with a limit of none", { limit: 0 }, () => true, 0],
    ["no more than there are", { limit: 900 }, () => true],
    [
      "what fits all of it together",
      { from: 6, to: 39, types: ["message", "settings.change"], sources: ["user"], cause: { ask: "a0" }, limit: 4 },
      ({ seq, source, cause }) => seq >= 6 && seq <= 39 && source === "user" && cause?.ask === "a0",
      4,
    ],
  ];

  test("LOG-11: read gives every event as it was appended, in order of seq", async () => {
    const { log } = await writer();
    const drafts = mixed();
    const answers = await appendAll(log, drafts);
    const expected = drafts.map((draft, i) => {
      const { seq, hash, id, ts } = acknowledged(answers[i] ?? { ok: false, reason: "invalid", message: "" });
      return { ...draft, v: 1, seq, hash, id, ts, user_id: "ada" };
    });
    expect(await Array.fromAsync(log.read({ from: 2 }))).toEqual(expected);
  });

  test("LOG-11: from, to, types, sources, cause and limit narrow it down, together; for a reader as for the writer", async () => {
    const home = await place();
    const { log } = await writer(home);
    await appendAll(log, mixed());
    const other = await reader(home);
    const all = await Array.fromAsync(log.read());
    for (const [what, query, matches, limit] of cases) {
      const expected = all.filter(matches).slice(0, limit);
      expect(await Array.fromAsync(log.read(query)), what).toEqual(expected);
      expect(await Array.fromAsync(other.log.read(query)), what).toEqual(expected);
    }
  });

  test("LOG-11: a limit gives exactly as many, also where it meets the end of what is fetched at once", async () => {
    const { log } = await writer();
    await appendAll(log, messages(1300));
    for (const limit of [1, 511, 512, 513, 1024, 1025, 1300]) {
      expect(seqs(await Array.fromAsync(log.read({ limit })))).toEqual(range(1, limit));
      expect(seqs(await Array.fromAsync(log.read({ limit, types: ["message"] })))).toEqual(range(2, limit + 1));
    }
  });

  test("LOG-11: large events come back one and all, also between small ones", async () => {
    const { log } = await writer();
    const sizes = [10, 300_000, 10, 520_000, 520_000, 10, 10, 262_144, 262_144];
    await appendAll(
      log,
      sizes.map((size) => setting("x".repeat(size))),
    );
    const events = await Array.fromAsync(log.read({ types: ["settings.change"] }));
    expect(
      events.map((event) => JSON.stringify(event.payload).length - JSON.stringify(setting("").payload).length),
    ).toEqual(sizes);
  });

  test("LOG-11: many reads at once, each at its own pace, don't mix", async () => {
    const { log } = await writer();
    await appendAll(log, messages(700, 1000));
    const reads = range(1, 12).map((i) => Array.fromAsync(log.read({ from: i * 50, to: i * 50 + 560 })));
    for (const [i, events] of (await Promise.all(reads)).entries()) {
      expect(seqs(events)).toEqual(range((i + 1) * 50, Math.min((i + 1) * 50 + 560, 701)));
    }
  });
}

function moments(engine: Engine): void {
  const { place, writer, reader } = stage(engine);

  test("LOG-11: a read under way gives nothing that was appended after the call", async () => {
    const { log } = await writer();
    await appendAll(log, messages(700));
    const given: number[] = [];
    for await (const event of log.read()) {
      if (given.length % 100 === 0) await log.append(message("later"));
      given.push(event.seq);
    }
    expect(given).toEqual(range(1, 701));
  });

  test.each(["write", "read"] as const)(
    "LOG-11: what counts is when read was called, not when the first event was asked for, in mode %s",
    async (mode) => {
      const home = await place();
      const { log } = await writer(home);
      const opened = mode === "write" ? log : (await reader(home)).log;
      await log.append(message("before"));
      const events = opened.read();
      if (mode === "read") await opened.head();
      await log.append(message("after"));
      expect(seqs(await Array.fromAsync(events))).toEqual([1, 2]);
    },
  );

  test("LOG-11: what was acknowledged before the call is in it, whoever reads", async () => {
    const home = await place();
    const { log } = await writer(home);
    const other = await reader(home);
    for (const seq of range(2, 12)) {
      await log.append(message("x"));
      expect(seqs(await Array.fromAsync(log.read()))).toEqual(range(1, seq));
      expect(seqs(await Array.fromAsync(other.log.read()))).toEqual(range(1, seq));
    }
  });

  test("LOG-11: a read that is left half way disturbs nothing", async () => {
    const { log } = await writer();
    await appendAll(log, messages(700));
    for (const count of [1, 511, 512, 513]) expect(seqs(await take(log.read(), count))).toEqual(range(1, count));
    expect(await log.append(message("x"))).toMatchObject({ ok: true, seq: 702 });
  });
}

function marks(engine: Engine): void {
  const { place, writer, reader } = stage(engine);

  test("LOG-25: marks tells when each of many events was appended and by whom, by which means and for which ask, whoever asks", async () => {
    const home = await place();
    const { log } = await writer(home);
    const appended = await appendAll(log, messages(1200));
    const expected = appended.map((one) => ({
      ts: acknowledged(one).ts,
      source: "user",
      type: "message",
      by: null,
      ask: null,
    }));
    const after = { kind: "dir", mode: 0o755 } as const;
    const payload = { by: "command", changes: [{ path: "workspace/a", before: null, after }] } as const;
    const cause = { ask: "a1" };
    await log.append({
      ...{ source: "user", type: "files.changed", cause },
      payload: { ...payload, changes: [...payload.changes] },
    });
    for (const asked of [log, (await reader(home)).log]) {
      expect(await asked.marks([1202])).toMatchObject([{ type: "files.changed", by: "command", ask: "a1" }]);
      expect(await asked.marks(range(2, 1201))).toEqual(expected);
      expect(await asked.marks([1201, 9999, 2])).toEqual([expected.at(-1), undefined, expected[0]]);
    }
  });
}

function strangers(engine: Engine): void {
  const { place, writer } = stage(engine);

  const newer = {
    v: 2,
    id: "from-the-future",
    ts: "2031-01-01T00:00:00.000Z",
    source: "agent",
    type: "dream.had",
    cause: { ask: "a1", mood: "calm" },
    payload: { sheep: [1, { electric: true }] },
  } as const;

  test("LOG-12: an event of an unknown version, type, cause and payload is given out as it was written", async () => {
    const home = await place();
    await (await writer(home)).close();
    home.tamper.plant(newer);
    home.tamper.plant({ ...newer, v: 1, id: "known-type", type: "message", payload: { haiku: 17 } });
    const { log } = await writer(home);
    const [, first, second] = await Array.fromAsync(log.read());
    expect(first).toMatchObject({ ...newer, seq: 2, user_id: "ada" });
    expect(second).toMatchObject({ type: "message", payload: { haiku: 17 } });
    expect(seqs(await Array.fromAsync(log.read({ types: ["dream.had"], cause: { ask: "a1" } })))).toEqual([2]);
    expect(seqs(await take(log.subscribe(), 3))).toEqual([1, 2, 3]);
  });

  test("LOG-12: the log goes on after such an event, and verifies", async () => {
    const home = await place();
    await (await writer(home)).close();
    home.tamper.plant(newer);
    const { log } = await writer(home);
    expect(await log.append(message("x"))).toMatchObject({ ok: true, seq: 3 });
    expect(await log.append(message("x", { id: newer.id }))).toMatchObject({ seq: 2, ts: newer.ts, repeated: true });
    expect(await log.verify()).toMatchObject({ ok: true, events: 3 });
  });
}

function damage(engine: Engine): void {
  const { place, writer, reader } = stage(engine);

  /** A log of 9 events that was closed, and then tampered with. */
  async function tampered(how: (place: Place) => void): Promise<Place> {
    const home = await place();
    const store = await writer(home);
    await appendAll(store.log, messages(8));
    await store.close();
    how(home);
    return home;
  }

  async function given(events: AsyncIterable<Envelope>): Promise<{ seqs: number[]; error: unknown }> {
    const list: number[] = [];
    try {
      for await (const event of events) list.push(event.seq);
    } catch (error) {
      return { seqs: list, error };
    }
    return { seqs: list, error: undefined };
  }

  const ways: [way: string, (log: Log) => AsyncIterable<Envelope>][] = [
    ["read", (log) => log.read()],
    ["read from it on", (log) => log.read({ from: 5 })],
    ["read up to it", (log) => log.read({ to: 5 })],
    ["read of its type", (log) => log.read({ types: ["message"] })],
    ["subscribe", (log) => log.subscribe({ from: 2 })],
  ];

  test.each(ways)(
    "LOG-13: an event that was altered is never given out by %s, which ends in an error that names it",
    async (_, way) => {
      const home = await tampered(({ tamper }) => tamper.alter(5));
      for (const open of [reader, writer]) {
        const result = await given(way((await open(home)).log));
        expect(result.error).toMatchObject({ code: "damaged", message: expect.stringMatching(/\bevent 5\b/) });
        expect(Math.max(0, ...result.seqs)).toBeLessThan(5);
      }
    },
  );

  test.each(ways)("LOG-13: an event that is gone is not passed over in silence by %s", async (_, way) => {
    const home = await tampered(({ tamper }) => tamper.lose(5));
    for (const open of [reader, writer]) {
      const result = await given(way((await open(home)).log));
      expect(result.error).toMatchObject({ code: "damaged", message: expect.stringMatching(/\bevent 5\b/) });
      expect(Math.max(0, ...result.seqs)).toBeLessThan(5);
    }
  });

  test("LOG-13: events that changed places are not given out", async () => {
    const home = await tampered(({ tamper }) => tamper.swap(4, 5));
    const { seqs: before, error } = await given((await reader(home)).log.read());
    expect(Math.max(0, ...before)).toBeLessThan(4);
    expect(error).toMatchObject({ code: "damaged", message: expect.stringMatching(/\bevent 4\b/) });
  });

  test("LOG-13: after an error the others can still be read", async () => {
    const home = await tampered(({ tamper }) => tamper.alter(5));
    const { log } = await reader(home);
    await expect(Array.fromAsync(log.read())).rejects.toThrow();
    expect(seqs(await Array.fromAsync(log.read({ to: 4 })))).toEqual([1, 2, 3, 4]);
    expect(seqs(await Array.fromAsync(log.read({ from: 6 })))).toEqual([6, 7, 8, 9]);
  });
}

function heads(engine: Engine): void {
  const { place, writer, reader } = stage(engine);

  test("LOG-17: head is the last event's seq and hash, also for a reader, after an append and after opening again", async () => {
    const home = await place();
    const first = await writer(home);
    const other = await reader(home);
    for (const open of [first, other]) {
      const [event] = await take(open.log.read(), 1);
      expect(await open.log.head()).toEqual({ seq: 1, hash: event?.hash });
    }
    const { seq, hash } = (await appendAll(first.log, messages(30))).at(-1) ?? {};
    expect(await first.log.head()).toEqual({ seq, hash });
    expect(await other.log.head()).toEqual({ seq, hash });
    await first.close();
    expect(await (await writer(home)).log.head()).toEqual({ seq, hash });
  });
}
