import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { zstdCompressSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import type { Contents, Version } from "../contents.ts";
import { bytesIn, bytesOf, sha256 } from "../testing/bytes.ts";
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
import { MAX_CHAIN } from "./contents-file.ts";
import { migrate } from "./migrate.ts";
import { CONTENTS_FILE, CONTENTS_FOLDER } from "./places.ts";
import { CONTENTS_MIGRATIONS } from "./schema.ts";

keepDiskThread();
const { writer } = stage(sqliteEngine);

async function home(): Promise<SqlitePlace> {
  const place = await sqlitePlace();
  onTestFinished(() => place.remove());
  return place;
}

async function packAll(contents: Contents, versions: readonly Version[]): Promise<void> {
  for (let rest = versions; rest.length > 0; ) rest = rest.slice((await contents.pack(rest)).done);
}

/** How many pieces it takes to put each content together, in the order in which they came. */
function chainsIn({ dir }: SqlitePlace): number[] {
  const rows = withDatabase(join(dir, CONTENTS_FILE), (db) =>
    db
      .prepare(`WITH RECURSIVE chain (of, id, depth) AS (
          SELECT id, id, 1 FROM content
          UNION ALL SELECT chain.of, content.base, depth + 1 FROM chain JOIN content ON content.id = chain.id
            WHERE content.base IS NOT NULL AND depth < 1000)
        SELECT max(depth) AS depth FROM chain GROUP BY of ORDER BY of`)
      .all(),
  );
  return rows.map(({ depth }) => Number(depth));
}

test("SQL-8: however many versions there are, none takes more than so many pieces, and the newest stands by itself", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const refs = await Promise.all(range(1, 90).map((i) => contents.put(textOf(2000, i))));
  const versions = refs.map(({ hash }, i) => ({ hash, ...(refs[i - 1] && { former: refs[i - 1]?.hash ?? "" }) }));
  for (const version of versions) await contents.pack([version]);
  const chains = chainsIn(place);
  expect(Math.max(...chains)).toBe(MAX_CHAIN + 1);
  expect(chains.at(-1)).toBe(1);
  for (const { hash } of refs) expect(await contents.check(hash)).toBe("present");
});

test("SQL-8: a text that goes back and forth between two versions makes no circle", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const [a, b, c] = await Promise.all(range(1, 3).map((i) => contents.put(textOf(2000, i))));
  if (a === undefined || b === undefined || c === undefined) throw new Error("three were put");
  const turns = [a, b, a, c, b, a, b, c, a];
  await packAll(
    contents,
    turns.slice(1).map(({ hash }, i) => ({ hash, former: turns[i]?.hash ?? "" })),
  );
  expect(Math.max(...chainsIn(place))).toBeLessThanOrEqual(3);
  for (const { hash } of turns) expect(await contents.check(hash)).toBe("present");
});

test("SQL-8: bases that go in a circle, by a damaged disk, are told as damage, not followed for ever", async () => {
  const place = await home();
  const { contents } = await writer(place);
  const [first, second] = [await contents.put(textOf(2000, 1)), await contents.put(textOf(2000, 2))];
  await contents.pack([{ hash: second.hash, former: first.hash }]);
  withDatabase(join(place.dir, CONTENTS_FILE), (db) => db.exec("UPDATE content SET form = 3, base = 3 - id"));
  for (const { hash } of [first, second]) expect(await contents.check(hash)).toBe("damaged");
  expect(await contents.drop(second.hash)).toBe(true);
  await contents.put(textOf(2000, 1));
  expect(await contents.check(first.hash)).toBe("present");
});

test("SQL-9: the file gets smaller by what packing and dropping save", async () => {
  const place = await home();
  const first = await writer(place);
  const refs = await Promise.all(range(1, 100).map((i) => first.contents.put(textOf(30_000, i))));
  await first.close();
  const size = async () => (await stat(join(place.dir, CONTENTS_FILE))).size;
  expect(await size()).toBeGreaterThan(3_000_000);
  const second = await writer(place);
  await packAll(
    second.contents,
    refs.map(({ hash }, i) => ({ hash, ...(refs[i - 1] && { former: refs[i - 1]?.hash ?? "" }) })),
  );
  await second.close();
  expect(await size()).toBeLessThan(200_000);
});

test("SQL-2: contents of version 1 are brought up to date, with every byte and everything dropped, and can shrink then", async () => {
  const place = await home();
  const first = await writer(place);
  await first.close();
  const large = await wholeFile(place, bytesOf(100_000));
  const path = join(place.dir, CONTENTS_FILE);
  const small = range(1, 50).map((i) => textOf(5000, i));
  versionOne(path, small, large);
  const second = await place.open({ mode: "write" });
  if (!second.ok) throw new Error(second.message);
  expect(second.store.contents).toBeDefined();
  const { contents } = second.store;
  for (const text of small) expect((await bytesIn(contents, sha256(text)))?.equals(text)).toBe(true);
  expect(await contents.check(large)).toBe("present");
  expect(await contents.check("d".repeat(64))).toBe("pruned");
  const versions = small.map((text, i) => ({
    hash: sha256(text),
    ...(i > 0 && { former: sha256(small[i - 1] ?? text) }),
  }));
  await packAll(contents, versions);
  await second.store.close();
  expect((await stat(path)).size).toBeLessThan(60_000);
  expect((await stat(`${path}.v1`)).size).toBeGreaterThan(250_000);
});

test("SQL-2: large contents of version 2, plain and packed, are read as they are, and what a crash left of them goes", async () => {
  const place = await home();
  await (await writer(place)).close();
  const [plain, text, gone] = [bytesOf(300_000), textOf(300_000), bytesOf(100_000)];
  const hashes = [await wholeFile(place, plain), await wholeFile(place, text, ".zst"), await wholeFile(place, gone)];
  await wholeFile(place, text); // packed, and the packing was cut off before this one was removed
  const path = join(place.dir, CONTENTS_FILE);
  olderVersion(path, 2, (db) => {
    const insert = db.prepare("INSERT INTO content (hash, size, form, height, dropped) VALUES (unhex(?), ?, ?, 0, ?)");
    for (const [i, hash] of hashes.entries()) {
      insert.run(hash, i === 2 ? 100_000 : 300_000, i === 1 ? 2 : i, i === 2 ? "2026-01-01T00:00:00.000Z" : null);
    }
  });
  const { contents } = await writer(place);
  expect(
    filesIn(place.dir)
      .map((file) => basename(file.path))
      .toSorted(),
  ).toEqual([hashes[0], `${hashes[1]}.zst`].toSorted());
  const [one = "", two = "", three = ""] = hashes;
  expect(await Promise.all(hashes.map((hash) => contents.check(hash)))).toEqual(["present", "present", "pruned"]);
  expect((await bytesIn(contents, one))?.equals(plain)).toBe(true);
  expect((await bytesIn(contents, two))?.equals(text)).toBe(true);
  await contents.put(text); // now in chunks
  expect((await bytesIn(contents, two))?.equals(text)).toBe(true);
  for (const hash of [one, two]) expect(await contents.drop(hash)).toBe(true);
  expect(await contents.check(three)).toBe("pruned");
  expect(filesIn(place.dir)).toEqual([]);
});

test("SQL-2: a large content of version 2 that is damaged, cut off or grown is damaged, and putting it again mends it", async () => {
  for (const ending of ["", ".zst"] as const) {
    const place = await home();
    await (await writer(place)).close();
    const text = textOf(300_000);
    const hash = await wholeFile(place, text, ending);
    olderVersion(join(place.dir, CONTENTS_FILE), 2, (db) => {
      db.prepare("INSERT INTO content (hash, size, form, height) VALUES (unhex(?), ?, ?, 0)").run(
        hash,
        300_000,
        ending ? 2 : 0,
      );
    });
    const { contents } = await writer(place);
    const path = chunksOf(place.dir, hash)[0]?.path ?? "";
    const bytes = await readFile(path);
    const grown = Buffer.concat([bytes, Buffer.of(1)]);
    const cut = [bytes.subarray(1), bytes.subarray(0, -1), Buffer.alloc(0)];
    for (const altered of ending === "" ? [grown, ...cut] : cut) {
      await writeFile(path, altered);
      expect(await contents.check(hash)).toBe("damaged");
    }
    await contents.put(text);
    expect(await contents.check(hash)).toBe("present");
    expect(filesIn(place.dir).map((file) => file.path)).not.toContain(path);
  }
});

/** A large content as versions 1 and 2 stored it. */
async function wholeFile({ dir }: SqlitePlace, bytes: Uint8Array, ending: "" | ".zst" = ""): Promise<string> {
  const hash = sha256(bytes);
  await mkdir(join(dir, CONTENTS_FOLDER, hash.slice(0, 2)), { recursive: true });
  await writeFile(
    join(dir, CONTENTS_FOLDER, hash.slice(0, 2), `${hash}${ending}`),
    ending ? zstdCompressSync(bytes) : bytes,
  );
  return hash;
}

/** A file as an older version made it, in place of the one that is there. */
function olderVersion(path: string, version: number, fill: (db: DatabaseSync) => void): void {
  const tables = ["content", "piece", "file", "chunk", "run"].map((name) => `DROP TABLE ${name}; `).join("");
  withDatabase(path, (db) => db.exec(`${tables} PRAGMA user_version = 0`));
  withDatabase(path, (db) => {
    db.exec("PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM; PRAGMA application_id = 0");
    migrate(db, path, CONTENTS_MIGRATIONS.slice(0, version));
    fill(db);
  });
}

function versionOne(path: string, small: readonly Uint8Array[], large: string): void {
  olderVersion(path, 1, (db) => {
    const insert = db.prepare("INSERT INTO content VALUES (?, ?, ?, ?)");
    for (const bytes of small) insert.run(sha256(bytes), bytes.length, bytes, null);
    insert.run(large, 100_000, null, null);
    insert.run("d".repeat(64), 3, null, "2026-01-01T00:00:00.000Z");
  });
}
