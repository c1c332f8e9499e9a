import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { Contents } from "../contents.ts";
import { bytesIn, chance, inPieces, sha256 } from "../testing/bytes.ts";
import { keepDiskThread } from "../testing/disk-thread.ts";
import { range } from "../testing/drafts.ts";
import {
  chunksOf,
  filesIn,
  type SqlitePlace,
  sqliteEngine,
  sqlitePlace,
  withDatabase,
} from "../testing/sqlite-place.ts";
import { stage } from "../testing/stage.ts";
import { textOf } from "../testing/texts.ts";
import { CONTENTS_FILE } from "./places.ts";

keepDiskThread();
const { writer, reader } = stage(sqliteEngine);

async function home(): Promise<SqlitePlace> {
  const place = await sqlitePlace();
  onTestFinished(() => place.remove());
  return place;
}

const MB = 1_000_000;

/** What the contents take on the disk. */
function sizeOf({ dir }: SqlitePlace): number {
  const list = [CONTENTS_FILE, `${CONTENTS_FILE}-wal`].map((name) => statSync(join(dir, name)).size);
  return [...list, ...filesIn(dir).map(({ size }) => size)].reduce((sum, size) => sum + size, 0);
}

function holdsAnywhere({ dir }: SqlitePlace, bytes: Buffer): boolean {
  return filesIn(dir).some(({ path }) => readFileSync(path).includes(bytes));
}

/** Every file is listed and every byte in it belongs to a chunk that a content has. */
function expectTidy({ dir }: SqlitePlace): void {
  const rows = withDatabase(join(dir, CONTENTS_FILE), (db) => ({
    files: db
      .prepare("SELECT name, state, (SELECT sum(stored) FROM chunk WHERE file = file.id) AS size FROM file")
      .all(),
    unused: db
      .prepare(`SELECT id FROM chunk WHERE NOT EXISTS (
      SELECT 1 FROM run WHERE chunk.id BETWEEN first AND first + count - 1)`)
      .all(),
  }));
  const listed = rows.files.map(({ name, state, size }) => ({ name, state, size }));
  const there = filesIn(dir).map(({ path, size }) => ({ name: path.slice(-36), state: 0, size }));
  const byName = (a: { name: unknown }, b: { name: unknown }) => (String(a.name) < String(b.name) ? -1 : 1);
  expect(listed.sort(byName)).toEqual(there.sort(byName));
  expect(rows.unused).toEqual([]);
}

async function expectWhole(contents: Contents, ...all: Uint8Array[]): Promise<void> {
  for (const bytes of all) expect((await bytesIn(contents, sha256(bytes)))?.equals(bytes)).toBe(true);
}

/** A source that waits, after so many bytes, until it is let go on. */
function gated(bytes: Uint8Array, first: number) {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const source = (async function* () {
    yield bytes.slice(0, first);
    reached.resolve();
    await gate.promise;
    yield bytes.slice(first);
  })();
  return { source, reached: reached.promise, goOn: gate.resolve, fail: gate.reject };
}

test.each([
  ["appended to", (bytes: Buffer, i: number) => Buffer.concat([bytes, chance(500, `more ${i}`)])],
  ["inserted into near its start", (bytes: Buffer, i: number) => insert(bytes, 1000 * i, chance(10, `new ${i}`))],
])("CON-13: a content of 20 MB that is %s 15 times costs less than one and a half of it", async (_, edit) => {
  const place = await home();
  const { contents } = await writer(place);
  let bytes = chance(20 * MB, "large");
  for (const i of range(1, 16)) {
    await contents.put(bytes);
    bytes = edit(bytes, i);
  }
  expect(sizeOf(place)).toBeLessThan(1.5 * 20 * MB);
  await contents.put(bytes);
  await expectWhole(contents, bytes);
});

function insert(bytes: Buffer, at: number, put: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at)]);
}

test("CON-13: a put that brings nothing new writes no file", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const bytes = chance(2 * MB, "a");
  await contents.put(bytes);
  const before = filesIn(place.dir);
  await contents.put(bytes);
  await contents.put(Buffer.concat([bytes.subarray(0, chunksOf(place.dir, sha256(bytes))[3]?.at), bytes])); // known chunks
  expect(filesIn(place.dir)).toEqual(before);
});

test("CON-13: what repeats within a content is stored once", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const bytes = Buffer.concat(range(1, 6).map(() => chance(2 * MB, "again")));
  await contents.put(inPieces(bytes, 65_536));
  expect(filesIn(place.dir)[0]?.size).toBeLessThan(3 * MB);
  await expectWhole(contents, bytes);
  expectTidy(place);
});

test("CON-13: a large content is stored compressed where that pays", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const text = textOf(MB);
  await contents.put(text);
  expect(filesIn(place.dir)[0]?.size).toBeLessThan(MB / 2);
  await expectWhole(contents, text);
  await contents.put(Buffer.concat([text, chance(MB, "noise"), text]));
  expectTidy(place);
});

test("CON-13: overlapping contents that are put at once are whole, each of them, and so is each without the others", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const shared = chance(2 * MB, "shared");
  const all = range(1, 5).map((i) =>
    Buffer.concat([chance(100_000, `head ${i}`), shared, chance(100_000, `tail ${i}`)]),
  );
  await Promise.all(all.map((bytes, i) => contents.put(i % 2 === 0 ? bytes : inPieces(bytes, 50_000))));
  await expectWhole(contents, ...all);
  for (const [i, bytes] of all.entries()) {
    expect(await contents.drop(sha256(bytes))).toBe(true);
    await expectWhole(contents, ...all.slice(i + 1));
    expectTidy(place);
  }
  expect(filesIn(place.dir)).toEqual([]);
});

test("CON-5: what only the dropped content had is gone from the disk, and what others have too is still there", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const [shared, secret] = [chance(MB, "shared"), chance(MB, "secret")];
  const [first, second] = [Buffer.concat([shared, secret]), Buffer.concat([shared, chance(MB, "other")])];
  await contents.put(first);
  await contents.put(second);
  const needle = secret.subarray(600_000, 600_100);
  expect(holdsAnywhere(place, needle)).toBe(true);
  await contents.drop(sha256(first));
  expect(holdsAnywhere(place, needle)).toBe(false);
  await expectWhole(contents, second);
  expectTidy(place);
});

test("CON-5: a drop that is cut off anywhere is finished by the next opening, and nothing else is lost", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const [shared, secret] = [chance(4 * MB, "shared"), chance(MB, "secret")];
  const [first, second] = [Buffer.concat([shared, secret]), Buffer.concat([shared, chance(MB, "other")])];
  await contents.put(first);
  await contents.put(second);
  let dropped = false;
  const drop = contents.drop(sha256(first)).finally(() => {
    dropped = true;
  });
  for (let rounds = 0; rounds < 10 && (rounds === 0 || !dropped); rounds++) {
    const left = await place.crash();
    onTestFinished(() => left.remove());
    const { contents: after } = await writer(left);
    const state = await after.check(sha256(first));
    expect(["present", "pruned"]).toContain(state);
    expect(holdsAnywhere(left, secret.subarray(600_000, 600_100))).toBe(state === "present");
    await expectWhole(after, second);
    expectTidy(left);
  }
  await drop;
});

test("CON-5: a drop whose bytes could not be removed says so, and the next opening does it", async () => {
  const place = await home();
  const first = await writer(place);
  const [shared, secret] = [chance(MB, "shared"), chance(MB, "secret")];
  const bytes = Buffer.concat([shared, secret]);
  await first.contents.put(bytes);
  await first.contents.put(shared);
  withDatabase(join(place.dir, CONTENTS_FILE), (db) =>
    db.exec(`CREATE TRIGGER broken BEFORE UPDATE OF file ON chunk BEGIN SELECT RAISE(ROLLBACK, 'disk I/O error'); END`),
  );
  await expect(first.contents.drop(sha256(bytes))).rejects.toMatchObject({ name: "LogError" });
  expect(await first.contents.check(sha256(bytes))).toBe("pruned");
  await first.close();
  withDatabase(join(place.dir, CONTENTS_FILE), (db) => db.exec("DROP TRIGGER broken"));
  const { contents } = await writer(place);
  expect(holdsAnywhere(place, secret.subarray(600_000, 600_100))).toBe(false);
  await expectWhole(contents, shared);
  expectTidy(place);
});

test("CON-5: a put that counts on chunks of a content that is dropped meanwhile still has them", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const shared = chance(3 * MB, "shared");
  const [first, second] = [Buffer.concat([shared, chance(MB, "x")]), Buffer.concat([shared, chance(MB, "y")])];
  await contents.put(first);
  const { source, reached, goOn } = gated(second, 2.5 * MB);
  const put = contents.put(source);
  await reached;
  await contents.drop(sha256(first));
  goOn();
  await put;
  await expectWhole(contents, second);
  expect(await contents.check(sha256(first))).toBe("pruned");
  expectTidy(place);
});

test("CON-5: where such a put fails in the end, the chunks that it counted on are gone too", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const bytes = chance(3 * MB, "shared");
  await contents.put(bytes);
  const { source, reached, fail } = gated(bytes, 2.5 * MB);
  const put = contents.put(source).catch((error: Error) => error.message);
  await reached;
  await contents.drop(sha256(bytes));
  fail(new Error("the source broke"));
  expect(await put).toBe("the source broke");
  expect(filesIn(place.dir)).toEqual([]);
  expectTidy(place);
});

test.each(["damageContent", "loseContent"] as const)(
  "CON-11: after %s of a shared chunk each content with it says so, and putting one of them mends them all",
  async (harm) => {
    const place = await home();
    const { contents } = await writer(place);
    const shared = chance(MB, "shared");
    const all = range(1, 3).map((i) => Buffer.concat([shared, chance(MB, `own ${i}`)]));
    for (const bytes of all) await contents.put(bytes);
    const [first = shared, ...others] = all;
    const states = () => Promise.all(all.map((bytes) => contents.check(sha256(bytes))));
    place.tamper[harm](sha256(first));
    const bad = harm === "damageContent" ? "damaged" : "missing";
    expect(await states()).toEqual([bad, bad, bad]);
    await contents.put(first);
    expect(await states()).toEqual(["present", "present", "present"]);
    await expectWhole(contents, first, ...others);
    expectTidy(place);
  },
);

test("CON-1: a put whose bytes are there, but damaged by now, isn't acknowledged before they are whole", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const text = textOf(2 * MB);
  await contents.put(text);
  const chunks = chunksOf(place.dir, sha256(text));
  place.tamper.damageContent(sha256(text));
  const more = Buffer.concat([text, textOf(100_000, 1, "more")]);
  await contents.put(more);
  await expectWhole(contents, more, text);
  expect(chunks.length).toBeGreaterThan(10);
  expectTidy(place);
});

test("CON-3: who reads a content, in whatever process, gets it though its chunks are moved or stored anew meanwhile", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const other = await reader(place);
  const [head, shared] = [chance(5 * MB, "head"), chance(40 * MB, "shared")];
  await contents.put(Buffer.concat([head, shared]));
  await contents.put(shared);
  const streams = await Promise.all([contents, other.contents].map((one) => one.get(sha256(shared))));
  const iterators = streams.map((stream) => stream?.[Symbol.asyncIterator]());
  const starts = await Promise.all(iterators.map(async (iterator) => (await iterator?.next())?.value ?? Buffer.of()));
  await contents.drop(sha256(Buffer.concat([head, shared])));
  for (const [i, iterator] of iterators.entries()) {
    const pieces = [starts[i] ?? Buffer.of()];
    for (let next = await iterator?.next(); next?.done === false; next = await iterator?.next())
      pieces.push(next.value);
    expect(sha256(Buffer.concat(pieces))).toBe(sha256(shared));
  }
});

test("CON-3: a content that is dropped while somebody reads it ends in an error, not in silence", async () => {
  const { contents } = await writer();
  const bytes = chance(40 * MB, "a");
  const { hash } = await contents.put(bytes);
  const read = Array.fromAsync((await contents.get(hash)) ?? [], async (piece, i) => {
    if (i === 0) await contents.drop(hash);
    return piece;
  });
  await expect(read).rejects.toMatchObject({ code: "io", message: expect.stringContaining("removed meanwhile") });
});

test("CON-7: a put that the list refuses in the end leaves no file and no row", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const bytes = chance(2 * MB, "a");
  withDatabase(join(place.dir, CONTENTS_FILE), (db) =>
    db.exec("CREATE TRIGGER broken BEFORE INSERT ON run BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END"),
  );
  await expect(contents.put(bytes)).rejects.toMatchObject({ name: "LogError" });
  withDatabase(join(place.dir, CONTENTS_FILE), (db) => db.exec("DROP TRIGGER broken"));
  expect(await contents.check(sha256(bytes))).toBe("missing");
  expect(filesIn(place.dir)).toEqual([]);
  expectTidy(place);
  await contents.put(bytes);
  await expectWhole(contents, bytes);
});

test("CON-13: any order of puts, drops, losses and openings leaves each content whole, pruned or told, and no byte that nobody has", async () => {
  const blocks = range(0, 4).map((i) => chance(400_000, `block ${i}`));
  const made = (recipe: readonly number[]) => Buffer.concat(recipe.map((i) => blocks[i] ?? Buffer.of()));
  const recipe = fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 4 });
  const order = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant("put" as const), recipe }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("drop" as const), recipe }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("lose" as const), recipe }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("open" as const), recipe }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(order, { maxLength: 12 }), async (orders) => {
      const place = await sqlitePlace();
      let store = await writer(place);
      const there = new Map<string, Buffer>();
      for (const { do: what, recipe: one } of orders) {
        const bytes = made(one);
        const hash = sha256(bytes);
        if (what === "put") await store.contents.put(bytes);
        if (what === "put") there.set(hash, bytes);
        if (what === "drop") expect(await store.contents.drop(hash)).toBe(there.delete(hash));
        if (what === "open") await store.close();
        if (what === "open") store = await writer(place);
        if (what !== "lose" || !there.has(hash)) continue;
        for (const { path } of chunksOf(place.dir, hash)) rmSync(path, { force: true });
        for (const lost of there.values()) await store.contents.put(lost);
      }
      await expectWhole(store.contents, ...there.values());
      expectTidy(place);
      await store.close();
      await place.remove();
    }),
    { numRuns: 25 },
  );
});

test("CON-14: what lies before the place that is asked for is not read: it may be damaged", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const bytes = chance(5 * MB, "long");
  const { hash } = await contents.put(bytes);
  place.tamper.damageContent(hash);
  const rest = Buffer.concat(await Array.fromAsync((await contents.get(hash, 4 * MB)) ?? []));
  expect(rest.equals(bytes.subarray(4 * MB))).toBe(true);
});
