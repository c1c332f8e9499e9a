import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { withDatabase } from "../testing/sqlite-place.ts";
import { type Migration, migrate } from "./migrate.ts";

const FIRST: Migration = (db) => db.exec("CREATE TABLE a (x)");
const SECOND: Migration = (db) => db.exec("ALTER TABLE a ADD COLUMN y; UPDATE a SET y = x * 10");
const THIRD: Migration = (db) => db.exec("CREATE TABLE b (z)");

async function file(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "choir-migrate-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  return join(dir, "x.sqlite");
}

/** A file of version 1 with three rows. */
async function versionOne(): Promise<string> {
  const path = await file();
  withDatabase(path, (db) => {
    expect(migrate(db, path, [FIRST])).toEqual([]);
    db.exec("INSERT INTO a VALUES (1), (2), (3)");
  });
  return path;
}

function look(path: string) {
  return withDatabase(path, (db) => ({
    version: db.prepare("PRAGMA user_version").get()?.user_version,
    rows: db.prepare("SELECT * FROM a").all(),
  }));
}

test("SQL-2: a file of an older version is brought up to date, step by step, after a copy is put beside it", async () => {
  const path = await versionOne();
  const notices = withDatabase(path, (db) => migrate(db, path, [FIRST, SECOND, THIRD]));
  expect(notices).toEqual([expect.stringContaining(`${path}.v1`)]);
  expect(look(path)).toEqual({ version: 3, rows: [1, 2, 3].map((x) => ({ x, y: x * 10 })) });
  expect(look(`${path}.v1`)).toEqual({ version: 1, rows: [1, 2, 3].map((x) => ({ x })) });
  expect(withDatabase(path, (db) => migrate(db, path, [FIRST, SECOND, THIRD]))).toEqual([]);
});

test("SQL-2: a migration that fails half way changes nothing, and can be tried again", async () => {
  const path = await versionOne();
  const broken: Migration = (db) => {
    db.exec("DELETE FROM a");
    throw new Error("no room");
  };
  expect(() => withDatabase(path, (db) => migrate(db, path, [FIRST, SECOND, broken]))).toThrow("no room");
  expect(look(path)).toEqual({ version: 1, rows: [1, 2, 3].map((x) => ({ x })) });
  withDatabase(path, (db) => migrate(db, path, [FIRST, SECOND, THIRD]));
  expect(look(path)).toMatchObject({ version: 3 });
  expect(look(`${path}.v1`)).toMatchObject({ version: 1 });
});

test("SQL-2: a migration that is cut off leaves the file as it was", async () => {
  const path = await versionOne();
  const dying: Migration = (db) => {
    db.exec("DELETE FROM a");
    db.close(); // as the end of the process would
  };
  expect(() => withDatabase(path, (db) => migrate(db, path, [FIRST, dying]))).toThrow();
  expect(look(path)).toMatchObject({ version: 1, rows: [{}, {}, {}] });
});

test("SQL-2: a copy that an earlier try left half done is made anew", async () => {
  const path = await versionOne();
  withDatabase(`${path}.v1`, (db) => db.exec("CREATE TABLE half (done)"));
  withDatabase(path, (db) => migrate(db, path, [FIRST, SECOND]));
  expect(look(`${path}.v1`)).toMatchObject({ version: 1, rows: [{ x: 1 }, { x: 2 }, { x: 3 }] });
});

test("SQL-2: what is not in the file yet, but in its write-ahead log, is in the copy too", async () => {
  const path = await versionOne();
  const other = new DatabaseSync(path);
  other.exec("PRAGMA journal_mode = WAL; INSERT INTO a VALUES (4)");
  withDatabase(path, (db) => migrate(db, path, [FIRST, SECOND]));
  other.close();
  expect(look(`${path}.v1`).rows).toEqual([1, 2, 3, 4].map((x) => ({ x })));
  expect(look(path).rows).toHaveLength(4);
});

test("SQL-2: a new file gets the newest version, and there is nothing to copy", async () => {
  const path = await file();
  expect(withDatabase(path, (db) => migrate(db, path, [FIRST, SECOND]))).toEqual([]);
  expect(look(path)).toEqual({ version: 2, rows: [] });
  expect(await readdir(join(path, ".."))).toEqual(["x.sqlite"]);
});

test("SQL-3: a file of a newer version is refused with both versions", async () => {
  const path = await versionOne();
  withDatabase(path, (db) => migrate(db, path, [FIRST, SECOND]));
  expect(() => withDatabase(path, (db) => migrate(db, path, [FIRST]))).toThrow(/version 2.*up to 1.*newer ChoirOS/);
  expect(look(path)).toMatchObject({ version: 2 });
});

test("SQL-3: a file of another program is refused, also an empty one", async () => {
  for (const sql of [
    "CREATE TABLE recipe (x)",
    "PRAGMA user_version = 1",
    "PRAGMA application_id = 7",
    "PRAGMA user_version = 9",
  ]) {
    const path = await file();
    withDatabase(path, (db) => db.exec(sql));
    expect(() => withDatabase(path, (db) => migrate(db, path, [FIRST])), sql).toThrow("not made by ChoirOS");
  }
});
