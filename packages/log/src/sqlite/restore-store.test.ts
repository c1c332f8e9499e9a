import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { bytesIn, bytesOf, inPieces, sha256 } from "../testing/bytes.ts";
import { keepDiskThread } from "../testing/disk-thread.ts";
import { message, range } from "../testing/drafts.ts";
import { verifyContents } from "../verify-contents.ts";
import type { Store } from "./open-store.ts";
import { openStore } from "./open-store.ts";
import {
  bodyOf,
  type RestoredContent,
  type RestoredEvent,
  type RestoreOptions,
  restoreStore,
} from "./restore-store.ts";

keepDiskThread();

/** What an export would hold. */
interface Copy {
  readonly events: RestoredEvent[];
  readonly contents: RestoredContent[];
}

let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "choir-restore-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
});

async function withStore<T>(dir: string, work: (store: Store) => Promise<T>, userId = "ada"): Promise<T> {
  const opened = await openStore({ dir, userId, mode: "write", create: !existsSync(dir) });
  if (!opened.ok) throw new Error(opened.message);
  try {
    return await work(opened.store);
  } finally {
    await opened.store.close();
  }
}

/** A store with events, small and large contents, and one that was dropped; and its copy. */
async function original(dir: string): Promise<Copy> {
  return withStore(dir, async ({ log, contents }) => {
    const list: RestoredContent[] = [];
    for (const size of [0, 10, 5000, 65_536, 65_537, 300_000]) {
      const content = await contents.put(bytesOf(size, size + 1));
      await log.append({ source: "agent", type: "note.observed", payload: { content } });
      list.push({ ...content, source: bytesOf(size, size + 1) });
    }
    const gone = await contents.put(Buffer.from("to be dropped"));
    await log.append({ source: "agent", type: "note.observed", cause: { task: "t1" }, payload: { content: gone } });
    await contents.drop(gone.hash);
    await Promise.all(range(1, 600).map((i) => log.append(message(`${i}, "seq":${i}, ü`))));
    const events = (await Array.fromAsync(log.read())).map((event) => ({ body: bodyOf(event), hash: event.hash }));
    return { events, contents: [...list, { ...gone, source: "pruned" }] };
  });
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

/** Some of them as streams. */
async function* streamed(contents: readonly RestoredContent[]): AsyncGenerator<RestoredContent> {
  for (const one of contents) {
    const streams = one.source instanceof Uint8Array && one.size % 2 === 1;
    yield streams ? { ...one, source: inPieces(one.source as Uint8Array, 9000) } : one; // checked in the line above
  }
}

function restore({ events, contents }: Copy, more: Partial<RestoreOptions> = {}) {
  return restoreStore({ dir: join(home, "new"), events: each(events), contents: streamed(contents), ...more });
}

test("SQL-10: a restored store has the same events, hashes and identity, the same contents, and goes on", async () => {
  const copy = await original(join(home, "old"));
  const last = copy.events.at(-1);
  const head = { seq: copy.events.length, hash: last?.hash };
  expect(await restore(copy)).toEqual({ ok: true, head });
  const before = await withStore(join(home, "old"), async ({ log }) => ({
    id: log.logId,
    all: await Array.fromAsync(log.read()),
  }));
  await withStore(
    join(home, "new"),
    async ({ log, contents }) => {
      expect(log.logId).toBe(before.id);
      const events = await Array.fromAsync(log.read());
      expect(events).toEqual(before.all.map((event) => ({ ...event, user_id: "eve" })));
      for (const { hash, source } of copy.contents) {
        expect(await contents.check(hash)).toBe(source === "pruned" ? "pruned" : "present");
        if (source !== "pruned") expect(sha256((await bytesIn(contents, hash)) ?? Buffer.of(1))).toBe(hash);
      }
      expect(await Array.fromAsync(log.read({ cause: { task: "t1" } }))).toHaveLength(1);
      expect(await log.append(message("on"))).toMatchObject({ ok: true, seq: copy.events.length + 1 });
      expect(await log.verify()).toMatchObject({ ok: true });
    },
    "eve",
  );
  expect(await readdir(home)).toEqual(["new", "old"]);
});

test("SQL-10: what is to be said of a copy is in the log before the store takes its place, or there is none", async () => {
  const copy = await original(join(home, "old"));
  const dir = join(home, "new");
  const last = () => {
    expect(existsSync(dir)).toBe(false);
    return [message("it came from elsewhere")];
  };
  expect(await restore(copy, { last })).toMatchObject({ ok: true, head: { seq: copy.events.length + 1 } });
  await withStore(dir, async ({ log }) => {
    const [said] = await Array.fromAsync(log.read({ from: copy.events.length + 1 }));
    expect(said?.payload).toEqual({ text: "it came from elsewhere" });
    expect(await log.verify()).toMatchObject({ ok: true });
  });
  await rm(dir, { recursive: true });
  const unsayable = () => [message("")];
  await expect(restore(copy, { last: unsayable })).rejects.toThrow("payload");
  expect(await readdir(home)).toEqual(["old"]);
});

test("SQL-10: what the copy says it lacks is missing in the store, and not pruned", async () => {
  const copy = await original(join(home, "old"));
  const { hash, size } = content(copy, 2);
  const contents = copy.contents.with(2, { hash, size, source: "missing" });
  expect(await restore({ ...copy, contents })).toMatchObject({ ok: true });
  await withStore(join(home, "new"), async (store) => {
    expect(await store.contents.check(hash)).toBe("missing");
    expect((await verifyContents(store.log, store.contents)).problems).toMatchObject([{ hash, state: "missing" }]);
  });
});

const WRONG: [what: string, harm: (copy: Copy) => Copy, says: RegExp][] = [
  ["no events", (copy) => ({ ...copy, events: [] }), /no events/],
  ["no first event", (copy) => ({ ...copy, events: copy.events.slice(1) }), /event 2 stands where 1/],
  ["a missing event", (copy) => ({ ...copy, events: copy.events.toSpliced(300, 1) }), /event 302 stands where 301/],
  [
    "a doubled event",
    (copy) => ({ ...copy, events: copy.events.toSpliced(300, 0, one(copy, 299)) }),
    /event 300 stands where 301/,
  ],
  [
    "an altered event",
    (copy) => ({ ...copy, events: copy.events.with(400, altered(one(copy, 400))) }),
    /event 401 is not what its hash covers/,
  ],
  [
    "an altered first event",
    (copy) => ({ ...copy, events: copy.events.with(0, altered(one(copy, 0))) }),
    /event 1 is not what its hash covers/,
  ],
  [
    "an event that is no JSON",
    (copy) => ({ ...copy, events: copy.events.with(9, { ...one(copy, 9), body: "{" }) }),
    /not JSON/,
  ],
  [
    "spaces in an event",
    (copy) => ({ ...copy, events: copy.events.with(9, { ...one(copy, 9), body: ` ${one(copy, 9).body}` }) }),
    /event 10 is not one/,
  ],
  ["a missing content", (copy) => ({ ...copy, contents: copy.contents.slice(1) }), /which event 2 names, is missing/],
  ["a missing note of what was pruned", (copy) => ({ ...copy, contents: copy.contents.slice(0, -1) }), /is missing/],
  [
    "an altered content",
    (copy) => ({ ...copy, contents: copy.contents.with(2, { ...content(copy, 2), source: bytesOf(5000, 9) }) }),
    /is not what its hash says/,
  ],
  [
    "a content that is cut off",
    (copy) => ({
      ...copy,
      contents: copy.contents.with(5, { ...content(copy, 5), source: inPieces(bytesOf(299_999), 7000) }),
    }),
    /is not what its hash says/,
  ],
];

function one({ events }: Copy, at: number): RestoredEvent {
  const event = events[at];
  if (event === undefined) throw new Error(`there is no event at ${at}`);
  return event;
}

function content({ contents }: Copy, at: number): RestoredContent {
  const found = contents[at];
  if (found === undefined) throw new Error(`there is no content at ${at}`);
  return found;
}

function altered({ body, hash }: RestoredEvent): RestoredEvent {
  return { body: body.replace('"ts":"2', '"ts":"1'), hash };
}

test("SQL-10: a copy with anything wrong in it is refused, and nothing is left behind", async () => {
  const whole = await original(join(home, "old"));
  for (const [what, harm, says] of WRONG) {
    const copy = harm(whole);
    expect(await restore(copy), what).toEqual({ ok: false, reason: "invalid", message: expect.stringMatching(says) });
    expect(await readdir(home), what).toEqual(["old"]);
  }
});

test("SQL-10: events that are missing at the end are missed where the copy's last one is known", async () => {
  const copy = await original(join(home, "old"));
  const expected = { seq: copy.events.length, hash: one(copy, copy.events.length - 1).hash };
  const short = { ...copy, events: copy.events.slice(0, -1) };
  expect(await restore(short, { expect: expected })).toMatchObject({ ok: false, reason: "invalid" });
  expect(await readdir(home)).toEqual(["old"]);
});

test("SQL-10: a source that fails, or a signal, ends it with that error, and nothing is left behind", async () => {
  const copy = await original(join(home, "old"));
  const broken = (async function* () {
    yield* copy.events.slice(0, 300);
    throw new Error("the source broke");
  })();
  await expect(restore(copy, { events: broken })).rejects.toThrow("the source broke");
  await expect(restore(copy, { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
  expect(await readdir(home)).toEqual(["old"]);
});

test("SQL-10: a place that is taken is left as it is; what a try left that was cut off is cleared away", async () => {
  const copy = await original(join(home, "old"));
  expect(await restore(copy, { dir: join(home, "old") })).toMatchObject({ ok: false, reason: "exists" });
  await mkdir(join(home, "new"));
  await mkdir(join(home, "new.importing"));
  await writeFile(join(home, "new.importing", "log.sqlite"), "half");
  expect(await restore(copy)).toMatchObject({ ok: true });
  expect(await readdir(home)).toEqual(["new", "old"]);
});

test("SQL-10: a refused copy leaves no folder behind, also none above its place", async () => {
  const copy = await original(join(home, "old"));
  const dir = join(home, "users", "eve", "new");
  expect(await restore({ ...copy, contents: [] }, { dir })).toMatchObject({ ok: false, reason: "invalid" });
  expect(await readdir(home)).toEqual(["old"]);
});

test("SQL-10: what a copy left that was cut off is removed when the store in its place is opened for writing", async () => {
  await mkdir(join(home, "new.importing"));
  await writeFile(join(home, "new.importing", "log.sqlite"), "half");
  await withStore(join(home, "new"), async () => {});
  expect(await readdir(home)).toEqual(["new"]);
});

test("SQL-10: while one is at work, a second into the same place is refused", async () => {
  const copy = await original(join(home, "old"));
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = (async function* () {
    begun.resolve();
    await gate.promise;
    yield* copy.contents;
  })();
  const first = restore(copy, { contents: slow });
  await begun.promise;
  expect(await restore({ events: copy.events, contents: [] })).toMatchObject({ ok: false, reason: "held" });
  gate.resolve();
  expect(await first).toMatchObject({ ok: true });
});
