import type { Draft } from "@choiros/contract";
import { describe, expect, test } from "vitest";
import { acknowledged, appendAll, message, messages, range, seqs, take } from "./testing/drafts.ts";
import type { Engine, OpenPlace } from "./testing/engine.ts";
import { stage } from "./testing/stage.ts";

export function openingSuite(engine: Engine): void {
  describe("open and close", () => {
    writers(engine);
    readers(engine);
    length(engine);
    ends(engine);
  });
}

function writers(engine: Engine): void {
  const { place, writer, open } = stage(engine);

  test("LOG-18: a second writer in another process's way is refused at once, with a sentence that names the holder", async () => {
    const home = await place();
    const other = await home.spawnWriter();
    const started = performance.now();
    const opening = await home.open({ mode: "write" });
    expect(opening).toEqual({ ok: false, reason: "held", message: expect.stringContaining(`'${other.who}'`) });
    expect(performance.now() - started).toBeLessThan(2000);
    expect(await other.append(message("undisturbed"))).toMatchObject({ ok: true, seq: 2 });
  });

  test("LOG-18: a second writer in the same process is refused too, and the first goes on", async () => {
    const home = await place();
    const first = await open(home, { mode: "write", who: "the first" });
    for (const _ of range(1, 3)) {
      expect(await home.open({ mode: "write" })).toEqual({
        ok: false,
        reason: "held",
        message: expect.stringContaining("'the first'"),
      });
    }
    await expect(home.spawnWriter()).rejects.toThrow("'the first'");
    expect(await first.log.append(message("x"))).toMatchObject({ ok: true, seq: 2 });
  });

  test("LOG-18: a holder that died is no holder", async () => {
    const home = await place();
    const other = await home.spawnWriter();
    await other.append(message("last words"));
    await other.kill();
    const { log } = await writer(home);
    expect(await log.append(message("x"))).toMatchObject({ ok: true, seq: 3 });
  });

  test("LOG-18: who closed is no holder, in this process and in another", async () => {
    const home = await place();
    await (await writer(home)).close();
    const other = await home.spawnWriter();
    await other.append(message("x"));
    await other.close();
    expect((await (await writer(home)).log.head()).seq).toBe(2);
  });

  test("LOG-18: of several that want to write at once, and make the log, one does", async () => {
    const home = await place();
    const openings = await Promise.all(range(1, 6).map((i) => home.open({ mode: "write", who: `number ${i}` })));
    const stores = openings.filter((opening) => opening.ok).map((opening) => opening.store);
    expect(stores).toHaveLength(1);
    const reasons = openings.filter((opening) => !opening.ok).map((opening) => opening.reason);
    expect(reasons).toEqual(Array(5).fill("held"));
    for (const store of stores) {
      expect(await store.log.append(message("x"))).toMatchObject({ seq: 2 });
      await store.close();
    }
  });

  test("LOG-18: where there is no log, none is made unless asked", async () => {
    const home = await place();
    for (const mode of ["read", "write"] as const) {
      expect(await home.open({ mode, create: false })).toMatchObject({ ok: false, reason: "missing" });
    }
    expect((await (await writer(home)).log.head()).seq).toBe(1);
  });

  test("LOG-18: a log that could not be opened is not held by the one who tried", async () => {
    const home = await place();
    const store = await writer(home);
    await store.log.append(message("x"));
    await store.close();
    home.tamper.swap(1, 2);
    expect(await home.open({ mode: "write" })).toMatchObject({ ok: false, reason: "damaged" });
    home.tamper.swap(1, 2);
    expect((await (await writer(home)).log.head()).seq).toBe(2);
  });

  test("LOG-13: a log whose last event was altered takes no more, for that would be lost with it; it can be read up to there", async () => {
    const home = await place();
    const store = await writer(home);
    await appendAll(store.log, messages(5));
    await store.close();
    home.tamper.alter(6);
    expect(await home.open({ mode: "write" })).toMatchObject({ ok: false, reason: "damaged" });
    const { log } = await open(home, { mode: "read" });
    expect(seqs(await Array.fromAsync(log.read({ to: 5 })))).toEqual(range(1, 5));
  });

  test("LOG-18: the same log under another user id is the same log", async () => {
    const home = await place();
    const first = await writer(home);
    const { logId } = first.log;
    const head = await first.log.head();
    await first.close();
    const { log } = await open(home, { mode: "write", userId: "bob-2" });
    expect([log.userId, log.logId, await log.head()]).toEqual(["bob-2", logId, head]);
    expect(await Array.fromAsync(log.read())).toMatchObject([{ user_id: "bob-2" }]);
  });
}

function readers(engine: Engine): void {
  const { place, writer, reader } = stage(engine);

  test("LOG-19: any number of readers see each event once it is durable, and can follow", async () => {
    const home = await place();
    const { log } = await writer(home);
    const all = await Promise.all(range(1, 8).map(() => reader(home)));
    const followed = all.map((store) => take(store.log.subscribe(), 31));
    for (const _ of range(1, 30)) {
      const { seq, hash } = acknowledged(await log.append(message("x")));
      expect(await all[seq % 8]?.log.head()).toEqual({ seq, hash });
    }
    const events = await Array.fromAsync(log.read());
    for (const got of await Promise.all(followed)) expect(got).toEqual(events);
  });

  test("LOG-19: a reader follows what another process writes, and outlives it", async () => {
    const home = await place();
    const other = await home.spawnWriter();
    const { log } = await reader(home);
    const followed = take(log.subscribe(), 12);
    for (const draft of messages(10)) await other.append(draft);
    await other.kill();
    const next = await writer(home);
    await next.log.append(message("by the next writer"));
    const events = await followed;
    expect(events).toEqual(await Array.fromAsync(next.log.read()));
    expect(events.at(-1)?.payload).toEqual({ text: "by the next writer" });
  });

  test("LOG-19: a reader can't append, put or drop", async () => {
    const home = await place();
    const first = await writer(home);
    const { hash } = await first.contents.put(Buffer.from("kept"));
    const { log, contents } = await reader(home);
    const refused = { name: "LogError", code: "read-only" };
    await expect(log.append(message("x"))).rejects.toMatchObject(refused);
    await expect(contents.put(Buffer.from("small"))).rejects.toMatchObject(refused);
    await expect(contents.put(Buffer.alloc(100_000, "l"))).rejects.toMatchObject(refused);
    await expect(contents.drop(hash)).rejects.toMatchObject(refused);
    expect((await log.head()).seq).toBe(1);
    expect(await contents.has(hash)).toBe(true);
  });

  test("LOG-19: readers need no writer", async () => {
    const home = await place();
    const first = await writer(home);
    await appendAll(first.log, messages(5));
    await first.close();
    const all = await Promise.all(range(1, 3).map(() => reader(home)));
    for (const { log } of all) expect(seqs(await Array.fromAsync(log.read()))).toEqual(range(1, 6));
  });
}

function length(engine: Engine): void {
  const { place, writer, open } = stage(engine);

  test("LOG-20: opening looks at none of the events between the first and the last ones", async () => {
    const home = await place();
    const first = await writer(home);
    await appendAll(first.log, messages(60));
    const head = await first.log.head();
    await first.close();
    for (const seq of range(3, 58)) home.tamper.alter(seq);
    for (const mode of ["read", "write"] as const) {
      const { log } = await open(home, { mode });
      expect(await log.head()).toEqual(head);
      await expect(Array.fromAsync(log.read())).rejects.toMatchObject({ code: "damaged" });
    }
  });
}

function ends(engine: Engine): void {
  const { place, writer, reader } = stage(engine);
  const closed = { name: "LogError", code: "closed" };

  test("LOG-21: close waits for the appends under way, and they are durable", async () => {
    const home = await place();
    const first = await writer(home);
    let settled = 0;
    const appends = messages(200).map(async (draft) => {
      await first.log.append(draft);
      settled++;
    });
    await first.close();
    expect(settled).toBe(200);
    await Promise.all(appends);
    expect((await (await writer(home)).log.head()).seq).toBe(201);
  });

  test("LOG-21: whoever closes a second time waits as long", async () => {
    const { log } = await writer();
    let settled = false;
    const append = log.append(message("x")).then(() => {
      settled = true;
    });
    const first = log.close();
    await log.close();
    expect(settled).toBe(true);
    await Promise.all([first, append]);
  });

  test("LOG-21: close waits for a verification under way", async () => {
    const { log, close } = await writer();
    let settled = false;
    const verification = log.verify().then((report) => {
      settled = true;
      return report;
    });
    await close();
    expect(settled).toBe(true);
    expect(await verification).toMatchObject({ ok: true, events: 1 });
  });

  const calls: [what: string, (store: OpenPlace) => Promise<unknown>][] = [
    ["append", ({ log }) => log.append(message("x"))],
    ["append of what is invalid", ({ log }) => log.append({} as Draft)], // closed comes first
    ["read", ({ log }) => Array.fromAsync(log.read())],
    ["subscribe", ({ log }) => Array.fromAsync(log.subscribe())],
    ["head", ({ log }) => log.head()],
    ["verify", ({ log }) => log.verify()],
    ["put", ({ contents }) => contents.put(Buffer.from("x"))],
    ["put of something large", ({ contents }) => contents.put(Buffer.alloc(100_000))],
    ["get", ({ contents }) => contents.get("0".repeat(64))],
    ["has", ({ contents }) => contents.has("0".repeat(64))],
    ["drop", ({ contents }) => contents.drop("0".repeat(64))],
    ["check", ({ contents }) => contents.check("0".repeat(64))],
  ];

  test.each(calls)("LOG-21: after close, %s is refused as closed", async (_, call) => {
    const home = await place();
    const first = await writer(home);
    const other = await reader(home);
    for (const store of [first, other]) {
      await store.close();
      await expect(call(store)).rejects.toMatchObject(closed);
    }
  });

  test("LOG-21: a put after close takes nothing from its source", async () => {
    const { contents, close } = await writer();
    await close();
    let taken = 0;
    const source = (async function* () {
      for (; taken < 10; taken++) yield Buffer.alloc(100_000);
    })();
    await expect(contents.put(source)).rejects.toMatchObject(closed);
    expect(taken).toBe(0);
  });

  test.each([1, 300])(
    "LOG-21: a read that was %d events far when the log closed goes no further than what it has, as closed",
    async (taken) => {
      const home = await place();
      const keeper = await writer(); // others stay open meanwhile
      const first = await writer(home);
      await appendAll(first.log, messages(2000));
      const given: number[] = [];
      const reading = (async () => {
        for await (const event of first.log.read()) {
          given.push(event.seq);
          if (given.length === taken) await first.close();
        }
      })();
      await expect(reading).rejects.toMatchObject(closed);
      expect(given).toEqual(range(1, given.length));
      expect(await keeper.log.append(message("x"))).toMatchObject({ ok: true });
    },
  );

  test("LOG-21: a read that has begun when the log closes gives its events or is refused as closed", async () => {
    const home = await place();
    const first = await writer(home);
    await appendAll(first.log, messages(50));
    await first.close();
    for (const mode of ["write", "read"] as const) {
      const store = mode === "write" ? await writer(home) : await reader(home);
      const reading = Promise.allSettled([Array.fromAsync(store.log.read())]);
      await store.close();
      const [result] = await reading;
      if (result.status === "fulfilled") expect(seqs(result.value)).toEqual(range(1, 51));
      else expect(result.reason).toMatchObject(closed);
    }
  });

  test("LOG-21: closing one log leaves the others open", async () => {
    const [a, b] = [await writer(), await writer()];
    const following = take(b.log.subscribe(), 3);
    await Promise.all([a.close(), b.log.append(message("meanwhile"))]);
    expect(await b.log.append(message("after"))).toMatchObject({ ok: true, seq: 3 });
    expect(seqs(await following)).toEqual([1, 2, 3]);
  });
}
