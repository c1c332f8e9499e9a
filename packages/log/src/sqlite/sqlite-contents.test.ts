import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { mkdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { bytesIn, bytesOf, failing, inPieces, sha256 } from "../testing/bytes.ts";
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
import { CONTENTS_FILE, CONTENTS_FOLDER, INCOMING_FOLDER } from "./places.ts";

keepDiskThread();
const { writer, reader } = stage(sqliteEngine);

async function home(): Promise<SqlitePlace> {
  const place = await sqlitePlace();
  onTestFinished(() => place.remove());
  return place;
}

/** The file of a content that was put alone. */
const pathOf = ({ dir }: SqlitePlace, hash: string) => chunksOf(dir, hash)[0]?.path ?? "";

function rowsOf({ dir }: SqlitePlace) {
  return withDatabase(join(dir, CONTENTS_FILE), (db) =>
    db
      .prepare(`SELECT lower(hex(hash)) AS hash, size, length(bytes) AS bytes, dropped IS NOT NULL AS dropped
        FROM content LEFT JOIN piece ON piece.id = content.piece`)
      .all(),
  );
}

test.each([0, 1, 65_535, 65_536])("SQL-7: %d bytes lie in contents.sqlite", async (size) => {
  const place = await home();
  const { contents } = await writer(place);
  const { hash } = await contents.put(inPieces(bytesOf(size), 30_000));
  expect(rowsOf(place)).toEqual([{ hash, size, bytes: size, dropped: 0 }]);
  expect(filesIn(place.dir)).toEqual([]);
});

test.each([65_537, 65_538, 500_000])("SQL-7: %d bytes lie in a file under contents/", async (size) => {
  const place = await home();
  const { contents } = await writer(place);
  for (const source of [bytesOf(size), inPieces(bytesOf(size), 30_000)]) {
    const { hash } = await contents.put(source);
    expect(rowsOf(place)).toEqual([{ hash, size, bytes: null, dropped: 0 }]);
    expect(filesIn(place.dir)).toEqual([{ path: pathOf(place, hash), size }]);
  }
});

test("SQL-7: contents are for nobody else to read", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const { hash } = await contents.put(bytesOf(100_000));
  expect((await stat(pathOf(place, hash))).mode & 0o077).toBe(0);
  expect((await stat(place.dir)).mode & 0o077).toBe(0);
});

test("CON-2: the same large content put twice at once is one file and one row", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const bytes = bytesOf(300_000);
  await Promise.all(range(1, 6).map((i) => contents.put(inPieces(bytes, 10_000 * i))));
  expect(filesIn(place.dir)).toEqual([{ path: pathOf(place, sha256(bytes)), size: bytes.length }]);
  expect(rowsOf(place)).toHaveLength(1);
});

test.each([0, 30_000, 65_536, 65_537, 400_000])(
  "CON-7: a source that fails after %d bytes leaves no file and no row",
  async (size) => {
    const place = await home();
    const { contents } = await writer(place);
    await expect(contents.put(failing(size))).rejects.toThrow("the source broke");
    expect(filesIn(place.dir)).toEqual([]);
    expect(rowsOf(place)).toEqual([]);
  },
);

test("CON-7: what a crash left on its way in is cleared away by the next writer, and by no reader", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const [written, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const source = (async function* () {
    yield bytesOf(2_000_000);
    written.resolve(); // the first megabyte is on its way by now
    await gate.promise;
  })();
  const put = contents.put(source);
  await written.promise;
  await expect.poll(() => filesIn(place.dir).length).toBe(1);
  const left = await place.crash();
  onTestFinished(() => left.remove());
  await (await reader(left)).close();
  expect(filesIn(left.dir)).toHaveLength(1);
  await writer(left);
  expect(filesIn(left.dir)).toEqual([]);
  gate.resolve();
  expect(await contents.check((await put).hash)).toBe("present");
});

test("CON-7: what version 2 had on its way in when it crashed is cleared away", async () => {
  const place = await home();
  await (await writer(place)).close();
  await mkdir(join(place.dir, INCOMING_FOLDER), { recursive: true });
  await writeFile(join(place.dir, INCOMING_FOLDER, "left-over"), "half");
  await writer(place);
  expect(filesIn(place.dir)).toEqual([]);
});

/** A large source that says how it ended. */
function watchedSource() {
  const watched = { ended: false, source: undefined as unknown as AsyncGenerator<Uint8Array> };
  watched.source = (async function* () {
    try {
      yield* inPieces(bytesOf(400_000), 20_000);
    } finally {
      watched.ended = true;
    }
  })();
  return watched;
}

test("CON-7: a put that the disk refuses fails with what to do, gives out nothing, and lets go of its source", async () => {
  const place = await home();
  const { contents } = await writer(place);
  await writeFile(join(place.dir, CONTENTS_FOLDER), "in the way");
  const watched = watchedSource();
  await expect(contents.put(watched.source)).rejects.toMatchObject({ name: "LogError", code: "io" });
  expect(watched.ended).toBe(true);
  expect(await contents.has(sha256(bytesOf(400_000)))).toBe(false);
  await rm(join(place.dir, CONTENTS_FOLDER));
  expect(await contents.put(bytesOf(400_000))).toMatchObject({ size: 400_000 });
});

test("CON-7: a put that its store's closing cut short leaves nothing once the store is opened again", async () => {
  const place = await home();
  const { contents, close } = await writer(place);
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const source = (async function* () {
    yield bytesOf(2_500_000);
    begun.resolve();
    await gate.promise;
    yield bytesOf(2_500_000, 2);
  })();
  const put = contents.put(source).catch((error) => error.code);
  await begun.promise;
  await close();
  await writer(place);
  gate.resolve();
  expect(await put).toBe("closed");
  expect(filesIn(place.dir)).toEqual([]);
});

test("CON-7: a put that its store's closing cut short makes no folder anew", async () => {
  const place = await home();
  const { contents, close } = await writer(place);
  await close();
  await rm(place.dir, { recursive: true });
  await expect(contents.put(bytesOf(400_000))).rejects.toMatchObject({ code: "closed" });
  await expect(stat(place.dir)).rejects.toMatchObject({ code: "ENOENT" });
});

test("CON-6: a size that isn't the content's is damage, and putting it again mends it", async () => {
  for (const size of [1000, 100_000]) {
    const place = await home();
    const { contents } = await writer(place);
    const { hash } = await contents.put(bytesOf(size));
    withDatabase(join(place.dir, CONTENTS_FILE), (db) => db.exec("UPDATE content SET size = size + 1"));
    expect(await contents.check(hash)).toBe("damaged");
    await contents.put(bytesOf(size));
    expect(await contents.check(hash)).toBe("present");
  }
});

test("CON-6: a large content that was cut off is damaged", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const bytes = bytesOf(100_000);
  const { hash } = await contents.put(bytes);
  for (const altered of [bytes.slice(1), bytes.slice(0, -1), new Uint8Array(0)]) {
    await writeFile(pathOf(place, hash), altered);
    expect(await contents.check(hash)).toBe("damaged");
    await expect(bytesIn(contents, hash)).rejects.toMatchObject({ code: "damaged" });
  }
});

/** How many files under the place this process has open. */
function openFilesIn({ dir }: SqlitePlace): number {
  return readdirSync("/proc/self/fd").filter((number) => {
    try {
      return readlinkSync(`/proc/self/fd/${number}`).startsWith(`${join(dir, CONTENTS_FOLDER)}/`);
    } catch {
      return false; // it was closed meanwhile
    }
  }).length;
}

test("CON-3: a stream that nobody takes anything from holds no file open", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const { hash } = await contents.put(bytesOf(100_000));
  for (const _ of range(1, 20)) await contents.get(hash);
  await nextTurn();
  await expect.poll(() => openFilesIn(place)).toBe(0);
});

test("CON-3: a stream that is left half way closes its file", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const { hash } = await contents.put(bytesOf(1_000_000));
  for await (const _ of (await contents.get(hash)) ?? []) break;
  await expect.poll(() => openFilesIn(place)).toBe(0);
});

test("CON-4: a content that can't be opened fails whoever reads it, and nobody else", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const { hash } = await contents.put(bytesOf(100_000));
  const path = pathOf(place, hash);
  await rm(path);
  const socket = join(place.dir, "..", "s"); // it can be looked at, but not opened as a file
  const inTheWay = createServer().listen(socket);
  onTestFinished(() => void inTheWay.close());
  await once(inTheWay, "listening");
  await symlink(socket, path);
  const stream = await contents.get(hash);
  for (const _ of range(1, 20)) await nextTurn(); // the reader comes late
  await expect(Array.fromAsync(stream ?? [])).rejects.toMatchObject({ name: "LogError" });
});
