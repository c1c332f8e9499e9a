import { createHash } from "node:crypto";
import {
  body,
  type Draft,
  FIRST_PREVIOUS,
  link,
  MAX_DEPTH,
  MAX_EVENT_BYTES,
  newId,
  recognise,
} from "@choiros/contract";
import { describe, expect, test } from "vitest";
import type { Log } from "./log.ts";
import { LogError } from "./log-error.ts";
import {
  acknowledged,
  appendAll,
  draftOfBytes,
  message,
  messages,
  range,
  seqs,
  setting,
  take,
} from "./testing/drafts.ts";
import type { Engine } from "./testing/engine.ts";
import { stage } from "./testing/stage.ts";

export function appendSuite(engine: Engine): void {
  describe("append", () => {
    durability(engine);
    ids(engine);
    expectations(engine);
    refusals(engine);
    chain(engine);
    failures(engine);
  });
}

function durability(engine: Engine): void {
  const { place, writer, crash } = stage(engine);

  test("LOG-1: what was acknowledged is there after the process is killed", async () => {
    const home = await place();
    const other = await home.spawnWriter();
    const answers = await Promise.all(messages(40).map((draft) => other.append(draft)));
    await other.kill();
    const { log } = await writer(home);
    const kept = (await Array.fromAsync(log.read({ from: 2 }))).map(({ seq, id, hash, ts }) => ({ seq, id, hash, ts }));
    expect(kept).toEqual(answers.map(acknowledged).map(({ seq, id, hash, ts }) => ({ seq, id, hash, ts })));
  });

  test("LOG-1: each append is there after a crash as soon as it is acknowledged", async () => {
    const home = await place();
    const { log } = await writer(home);
    for (const text of ["one", "two", "three"]) {
      const { seq, hash } = acknowledged(await log.append(message(text)));
      const left = await writer(await crash(home));
      expect(await left.log.head()).toEqual({ seq, hash });
      expect(await Array.fromAsync(left.log.read())).toEqual(await Array.fromAsync(log.read()));
    }
  });

  test("LOG-2: seq starts at 1 and has no gap and no double, whoever appends at the same time", async () => {
    const { log } = await writer();
    const writers = range(1, 16).map(async (number) => {
      const got: number[] = [];
      for (const text of ["a", "b", "c"]) got.push(acknowledged(await log.append(message(`${number}${text}`))).seq);
      return got;
    });
    const bursts = await Promise.all([appendAll(log, messages(100)).then(seqs), ...writers]);
    expect(bursts.flat().sort((a, b) => a - b)).toEqual(range(2, 149));
    expect(seqs(await Array.fromAsync(log.read()))).toEqual(range(1, 149));
    for (const own of bursts) expect(own).toEqual(own.toSorted((a, b) => a - b));
  });
}

function ids(engine: Engine): void {
  const { place, writer, crash } = stage(engine);

  test("LOG-3: an append whose id is in the log returns what the first one got, and changes nothing", async () => {
    const { log } = await writer();
    const first = acknowledged(await log.append(message("first", { id: "same" })));
    await log.append(message("between"));
    expect(first.repeated).toBe(false);
    expect(await log.append(message("again", { id: "same" }))).toEqual({ ...first, repeated: true });
    expect(await log.append(setting(1, { id: "same" }))).toEqual({ ...first, repeated: true });
    const events = await Array.fromAsync(log.read({ from: 2 }));
    expect(events.map((event) => event.payload)).toEqual([{ text: "first" }, { text: "between" }]);
    expect(events[0]).toMatchObject({ id: "same", ts: first.ts });
  });

  test("LOG-3: of those that carry one id into the same commit, one is new and the others repeat it", async () => {
    const { log } = await writer();
    const drafts = range(1, 20).map((i) => message(`try ${i}`, { id: i % 2 === 0 ? "even" : "odd" }));
    const answers = await appendAll(log, drafts);
    for (const id of ["even", "odd"]) {
      const own = answers.filter((answer) => answer.id === id);
      const [first] = own.filter((answer) => !answer.repeated);
      expect(own.filter((answer) => answer.repeated)).toEqual(Array(9).fill({ ...first, repeated: true }));
    }
    expect(seqs(await Array.fromAsync(log.read()))).toEqual([1, 2, 3]);
  });

  test("LOG-3: an id is known after a restart, and after a crash", async () => {
    const home = await place();
    const first = await writer(home);
    const answer = acknowledged(await first.log.append(message("once", { id: "retry" })));
    const left = await writer(await crash(home));
    expect(await left.log.append(message("once", { id: "retry" }))).toEqual({ ...answer, repeated: true });
    await first.close();
    const second = await writer(home);
    expect(await second.log.append(message("once", { id: "retry" }))).toEqual({ ...answer, repeated: true });
    expect((await second.log.head()).seq).toBe(2);
  });

  test("LOG-3: the id of event 1 is taken too", async () => {
    const { log } = await writer();
    const [first] = await take(log.read(), 1);
    if (first === undefined) throw new Error("a log has a first event");
    const { seq, hash, id, ts } = first;
    expect(await log.append(message("x", { id }))).toEqual({ ok: true, seq, hash, id, ts, repeated: true });
  });

  test("LOG-3: without an id each append gets one of its own", async () => {
    const { log } = await writer();
    const answers = await appendAll(log, Array(50).fill(message("same text")));
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(50);
  });
}

function expectations(engine: Engine): void {
  const { writer } = stage(engine);

  test("LOG-4: an append succeeds while the head is the expected one", async () => {
    const { log } = await writer();
    for (const expectedSeq of [1, 2, 3]) {
      expect(await log.append(message("x"), { expectedSeq })).toMatchObject({ ok: true, seq: expectedSeq + 1 });
    }
  });

  test.each([0, 1, 3, -1, 2.5, Number.MAX_SAFE_INTEGER])(
    "LOG-4: with the head at 2, an append that expects %d is a conflict with the head, and changes nothing",
    async (expectedSeq) => {
      const { log } = await writer();
      const { seq, hash } = acknowledged(await log.append(message("x")));
      expect(await log.append(message("y"), { expectedSeq })).toEqual({
        ok: false,
        reason: "conflict",
        head: { seq, hash },
        message: expect.stringContaining("2"),
      });
      expect(await log.head()).toEqual({ seq, hash });
    },
  );

  test("LOG-4: of several appends with the same expectedSeq exactly one succeeds", async () => {
    const { log } = await writer();
    for (const expectedSeq of [1, 2, 3]) {
      const answers = await Promise.all(messages(20).map((draft) => log.append(draft, { expectedSeq })));
      expect(answers.filter((answer) => answer.ok).map((answer) => answer.seq)).toEqual([expectedSeq + 1]);
      const conflicts = answers.filter((answer) => !answer.ok && answer.reason === "conflict");
      expect(conflicts).toHaveLength(19);
    }
    expect(seqs(await Array.fromAsync(log.read()))).toEqual(range(1, 4));
  });

  test("LOG-4: appends that expect one another's seq succeed in the same burst", async () => {
    const { log } = await writer();
    const answers = await Promise.all(range(1, 10).map((expectedSeq) => log.append(message("x"), { expectedSeq })));
    expect(seqs(answers.map(acknowledged))).toEqual(range(2, 11));
  });

  test("LOG-4: a repeated id is answered with the first result, whatever is expected", async () => {
    const { log } = await writer();
    const first = acknowledged(await log.append(message("x", { id: "same" }), { expectedSeq: 1 }));
    for (const expectedSeq of [1, 2, 7]) {
      expect(await log.append(message("x", { id: "same" }), { expectedSeq })).toEqual({ ...first, repeated: true });
    }
  });

  test("LOG-4: a conflict does not use up the id", async () => {
    const { log } = await writer();
    expect(await log.append(message("x", { id: "later" }), { expectedSeq: 9 })).toMatchObject({ reason: "conflict" });
    expect(await log.append(message("x", { id: "later" }), { expectedSeq: 1 })).toMatchObject({
      ok: true,
      seq: 2,
      repeated: false,
    });
  });
}

function refusals(engine: Engine): void {
  const { writer } = stage(engine);

  test.each(["x", "é", "€", "😀"])(
    "LOG-5: a body of 524,288 bytes of %s is taken and given back whole",
    async (filling) => {
      const { log } = await writer();
      const draft = draftOfBytes(MAX_EVENT_BYTES, 2, filling);
      expect(await log.append(draft)).toMatchObject({ ok: true, seq: 2 });
      const [event] = await take(log.read({ from: 2 }), 1);
      expect(event?.payload).toEqual(draft.payload);
    },
  );

  test.each(["x", "é", "😀"])(
    "LOG-5: a body with one byte of %s more is too large, and nothing is appended",
    async (filling) => {
      const { log } = await writer();
      expect(await log.append(draftOfBytes(MAX_EVENT_BYTES + 1, 2, filling))).toEqual({
        ok: false,
        reason: "too-large",
        message: expect.stringContaining("contents"),
      });
      expect((await log.head()).seq).toBe(1);
      expect(await log.append(message("small", { id: "large" }))).toMatchObject({ ok: true, seq: 2, repeated: false });
    },
  );

  const invalid: [what: string, draft: unknown][] = [
    ["nothing at all", undefined],
    ["an unknown type", { source: "user", type: "mail.sent", payload: {} }],
    ["a type that breaks a subject", { source: "user", type: "file.*", payload: {} }],
    ["an unknown source", { source: "root", type: "message", payload: { text: "x" } }],
    ["a payload of another type", { source: "user", type: "message", payload: { changes: [] } }],
    ["a field too many", { source: "user", type: "message", payload: { text: "x", html: "<b>" } }],
    ["a field too many in the envelope", { ...message("x"), seq: 7 }],
    ["an id that is none", { ...message("x"), id: "a b" }],
    ["a cause that names nothing", { ...message("x"), cause: {} }],
    ["a cause of an unknown kind", { ...message("x"), cause: { mood: "good" } }],
    ["half a surrogate pair", message("\ud800")],
    ["a number that JSON has none for", setting(Number.NaN)],
    [
      "an object that is not plain",
      { ...setting(1), payload: { changes: [{ key: "x", before: null, after: new Date() }] } },
    ],
    ["what is nested too deeply", setting(nested(MAX_DEPTH + 1))],
  ];

  test.each(invalid)("LOG-6: %s is invalid with the reason, and nothing is appended", async (_, draft) => {
    const { log } = await writer();
    // What comes over a wire has no type yet, whatever the signature says.
    expect(await log.append(draft as Draft)).toEqual({ ok: false, reason: "invalid", message: expect.any(String) });
    expect((await log.head()).seq).toBe(1);
  });

  test("LOG-6: what is invalid does not take the others of its commit along", async () => {
    const { log } = await writer();
    const drafts = [
      message("a"),
      setting(Number.NaN),
      message("b"),
      draftOfBytes(MAX_EVENT_BYTES * 2, 2, "x"),
      message("c"),
    ];
    const answers = await Promise.all(drafts.map((draft) => log.append(draft)));
    expect(answers.map((answer) => (answer.ok ? answer.seq : answer.reason))).toEqual([
      2,
      "invalid",
      3,
      "too-large",
      4,
    ]);
  });

  test("LOG-7: event 1 is log.created with an id of the log's own, made with the log", async () => {
    const [a, b] = [await writer(), await writer()];
    const events = await Array.fromAsync(a.log.read());
    expect(events).toMatchObject([{ seq: 1, source: "system", type: "log.created", payload: { log_id: a.log.logId } }]);
    expect(events.map(recognise)).toMatchObject([{ ok: true }]);
    expect(a.log.logId).not.toBe(b.log.logId);
  });

  test("LOG-7: nobody can append another log.created", async () => {
    const { log } = await writer();
    const draft: Draft = { source: "system", type: "log.created", payload: { log_id: newId() } };
    expect(await log.append(draft)).toMatchObject({ ok: false, reason: "invalid" });
    expect((await log.head()).seq).toBe(1);
  });
}

function chain(engine: Engine): void {
  const { writer } = stage(engine);

  test("LOG-8: each event's hash is the contract's chain over the hash before and the body", async () => {
    const { log } = await writer();
    const cause = { task: "t1", ask: "a1", conversation: "c1", call: "x1" };
    const odd = JSON.parse('{"z":-0.5,"a":1e21,"__proto__":{"é":"\\u2028 😀"},"10":[null,true],"9":""}');
    const answers = await appendAll(log, [message("plain"), message('"quoted"\\\n\u0000', { cause }), setting(odd)]);
    const events = await Array.fromAsync(log.read());
    let previous = FIRST_PREVIOUS;
    for (const event of events) {
      expect(event.hash).toBe(
        createHash("sha256")
          .update(link(previous, body(event)))
          .digest("hex"),
      );
      previous = event.hash;
    }
    expect(events.slice(1).map((event) => event.hash)).toEqual(answers.map((answer) => answer.hash));
    expect(events[3]?.payload).toEqual({ changes: [{ key: "x", before: null, after: odd }] });
  });

  test("LOG-8: what the caller does to a draft after the call does not reach the log", async () => {
    const { log } = await writer();
    const payload = { text: "as it was" };
    const append = log.append({ source: "user", type: "message", payload });
    payload.text = "changed";
    await append;
    const [event] = await take(log.read({ from: 2 }), 1);
    expect(event?.payload).toEqual({ text: "as it was" });
  });

  test("LOG-9: appends at the same time are each acknowledged, and none waits for a reader", async () => {
    const { log } = await writer();
    await appendAll(log, messages(600, 1000));
    const reading = log.read()[Symbol.asyncIterator]();
    await reading.next(); // and now it holds still in the middle
    const following = log.subscribe()[Symbol.asyncIterator]();
    await following.next();
    expect(seqs(await appendAll(log, messages(200)))).toEqual(range(602, 801));
    await reading.return?.();
    await following.return?.();
  });
}

function failures(engine: Engine): void {
  const { place, writer } = stage(engine);

  test.each([0, 7])("LOG-10: on a disk with room for %d of a burst, whatever is not durable throws", async (room) => {
    const home = await place();
    const { log } = await writer(home);
    await log.append(message("before"));
    const mend = await home.breakDisk(room);
    const drafts = range(1, 40).map((i) => message(`${i}`, { id: `burst-${i}` }));
    const answers = await Promise.allSettled(drafts.map((draft) => log.append(draft)));
    const acked = answers.filter((answer) => answer.status === "fulfilled").map((answer) => acknowledged(answer.value));
    for (const answer of answers) if (answer.status === "rejected") expect(answer.reason).toBeInstanceOf(LogError);
    expect(acked.length).toBeLessThanOrEqual(room);
    expect(seqs(await Array.fromAsync(log.read()))).toEqual([1, 2, ...seqs(acked)]);
    await mend();
    await goesOn(log, drafts);
  });

  async function goesOn(log: Log, drafts: readonly Draft[]): Promise<void> {
    const again = await appendAll(log, drafts);
    expect(seqs(again).toSorted((a, b) => a - b)).toEqual(range(3, drafts.length + 2));
    const events = await Array.fromAsync(log.read({ from: 3 }));
    expect(events.map((event) => event.id).toSorted()).toEqual(drafts.map((draft) => draft.id).toSorted());
    expect(await log.verify()).toMatchObject({ ok: true, events: drafts.length + 2 });
  }

  test("LOG-10: who follows sees nothing of what failed, and everything once the disk is back", async () => {
    const home = await place();
    const { log } = await writer(home);
    const following = take(log.subscribe({ from: 2 }), 3);
    await log.append(message("before"));
    const mend = await home.breakDisk(0);
    await expect(log.append(message("lost", { id: "lost" }))).rejects.toThrow(LogError);
    await mend();
    await log.append(message("after"));
    await log.append(message("found", { id: "lost" }));
    const texts = (await following).map((event) => event.payload.text);
    expect(texts).toEqual(["before", "after", "found"]);
  });
}

function nested(levels: number): Parameters<typeof setting>[0] {
  return levels === 0 ? 1 : [nested(levels - 1)];
}
