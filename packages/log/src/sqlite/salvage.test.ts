import { closeSync, existsSync, mkdirSync, openSync, renameSync, utimesSync, writeSync } from "node:fs";
import { copyFile, cp, readdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import type { Head } from "../log.ts";
import { bytesOf } from "../testing/bytes.ts";
import { keepDiskThread } from "../testing/disk-thread.ts";
import { appendAll, message, messages, range, seqs } from "../testing/drafts.ts";
import { filesIn } from "../testing/folder.ts";
import { type SqlitePlace, sqliteEngine, sqlitePlace, withDatabase } from "../testing/sqlite-place.ts";
import { stage } from "../testing/stage.ts";
import { LOG_FILE, SALVAGED_FILE } from "./places.ts";
import { salvage } from "./salvage.ts";
import { finishSalvage } from "./salvage-swap.ts";
import { verifyFile } from "./verify-file.ts";

keepDiskThread();
const { reader, writer } = stage(sqliteEngine);

interface Damaged {
  readonly home: SqlitePlace;
  readonly heads: readonly Head[];
  readonly content: string;
}

/** A closed log of nine events with a content, damaged as told. */
async function damagedStore(damage: (home: SqlitePlace) => void): Promise<Damaged> {
  const home = await sqlitePlace();
  onTestFinished(() => home.remove());
  const store = await writer(home);
  await appendAll(store.log, messages(8));
  const { hash } = await store.contents.put(bytesOf(100));
  const heads = (await Array.fromAsync(store.log.read())).map((event) => ({ seq: event.seq, hash: event.hash }));
  await store.close();
  damage(home);
  return { home, heads, content: hash };
}

async function keptFolders(dir: string): Promise<string[]> {
  return (await readdir(dir)).filter((name) => name.startsWith("damaged-")).map((name) => join(dir, name));
}

/** The store is the good prefix, takes more, and what it was before is kept. */
async function expectSalvaged({ home, heads, content }: Damaged, good: number, kept: string): Promise<void> {
  expect(verifyFile(join(kept, LOG_FILE), undefined, () => {})).toMatchObject({ ok: false });
  const { log, contents, close } = await writer(home);
  expect(await log.head()).toEqual(heads[good - 1]);
  expect(seqs(await Array.fromAsync(log.read()))).toEqual(range(1, good));
  expect(await contents.check(content)).toBe("present");
  expect(await log.append(message("after"))).toMatchObject({ ok: true, seq: good + 1 });
  expect(await log.verify()).toMatchObject({ ok: true, events: good + 1 });
  await close();
  expect(Object.keys(filesIn(home.dir)).filter((name) => name.startsWith(SALVAGED_FILE))).toEqual([]);
}

const altered = (home: SqlitePlace) => home.tamper.alter(6);

const cases: [what: string, damage: (home: SqlitePlace) => void, good: number][] = [
  ["an altered event", altered, 5],
  ["a missing event", (home) => home.tamper.lose(3), 2],
  ["only event 1 left", (home) => home.tamper.alter(2), 1],
  ["a damaged last event", (home) => home.tamper.alter(9), 8],
  [
    "a column that says something else",
    (home) => withDatabase(join(home.dir, LOG_FILE), (db) => db.exec("UPDATE event SET type = 'x' WHERE seq = 7")),
    6,
  ],
  [
    "nothing wrong but an index",
    (home) => withDatabase(join(home.dir, LOG_FILE), (db) => db.exec("DROP INDEX event_by_id")),
    9,
  ],
];

test.each(cases)(
  "SQL-5: of a log with %s, salvage makes a new one of the good prefix, and keeps the old one",
  async (_, damage, good) => {
    const damaged = await damagedStore(damage);
    const before = filesIn(damaged.home.dir)[LOG_FILE];
    const salvaged = salvage(damaged.home.dir, "choir doctor");
    if (!salvaged.ok) throw new Error(salvaged.message);
    expect(salvaged.head).toEqual(damaged.heads[good - 1]);
    expect(filesIn(salvaged.kept)[LOG_FILE]).toBe(before);
    await expectSalvaged(damaged, good, salvaged.kept);
  },
);

test("SQL-5: a damaged index page costs no event", async () => {
  const damaged = await damagedStore(({ dir }) => {
    const path = join(dir, LOG_FILE);
    const page = withDatabase(path, (db) =>
      Number(db.prepare("SELECT rootpage AS n FROM sqlite_schema WHERE name = 'event_by_id'").get()?.n),
    );
    overwrite(path, page * 4096 - 40, Buffer.alloc(20, 0xff));
  });
  const salvaged = salvage(damaged.home.dir, "choir doctor");
  if (!salvaged.ok) throw new Error(salvaged.message);
  await expectSalvaged(damaged, 9, salvaged.kept);
});

test.each([
  ["its first bytes", 0, 16],
  ["its header", 0, 100],
  ["the list of its tables", 100, 3996],
  ["the whole of its first page", 0, 4096],
])("SQL-5: a log that lost %s loses no event by it", async (_, at, count) => {
  const damaged = await damagedStore(({ dir }) => overwrite(join(dir, LOG_FILE), at, Buffer.alloc(count, 0xa5)));
  const salvaged = salvage(damaged.home.dir, "choir doctor");
  if (!salvaged.ok) throw new Error(salvaged.message);
  expect(salvaged.head).toEqual(damaged.heads[8]);
  await expectSalvaged(damaged, 9, salvaged.kept);
});

test("SQL-5: what is no log, with or without a first page, is not salvaged, and stays as it is", async () => {
  const { home } = await damagedStore(({ dir }) => overwrite(join(dir, LOG_FILE), 0, Buffer.alloc(20_000, 0xa5)));
  const before = filesIn(home.dir);
  expect(salvage(home.dir, "choir doctor")).toMatchObject({ ok: false, message: expect.stringContaining("Keep") });
  expect(filesIn(home.dir)).toEqual(before);
});

function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

const refused: [what: string, damage: (home: SqlitePlace) => void, says: string][] = [
  ["whole", () => {}, "whole"],
  ["bad from event 1 on", (home) => home.tamper.alter(1), "event 1"],
  ["without event 1", (home) => home.tamper.lose(1), "event 1"],
  [
    "of a newer version",
    ({ dir }) => withDatabase(join(dir, LOG_FILE), (db) => db.exec("PRAGMA user_version = 9")),
    "newer",
  ],
];

test.each(refused)("SQL-5: a log that is %s is not salvaged, and stays as it is", async (_, damage, says) => {
  const { home } = await damagedStore(damage);
  const before = filesIn(home.dir);
  expect(salvage(home.dir, "choir doctor")).toEqual({ ok: false, message: expect.stringContaining(says) });
  expect(filesIn(home.dir)).toEqual(before);
});

test("SQL-5: a log that somebody writes to is not salvaged, and the holder is named", async () => {
  const { home } = await damagedStore(altered);
  const opening = await home.open({ mode: "write", who: "choir start" });
  expect(salvage(home.dir, "choir doctor")).toMatchObject({
    ok: false,
    message: expect.stringContaining("'choir start'"),
  });
  if (opening.ok) await opening.store.close();
  expect(salvage(home.dir, "choir doctor")).toMatchObject({ ok: true });
});

test("SQL-5: what stands only in the write-ahead log is salvaged and kept too", async () => {
  const { home } = await damagedStore(() => {});
  const open = new DatabaseSync(join(home.dir, LOG_FILE));
  open.prepare("SELECT count(*) FROM event").get(); // as long as it looks, the write-ahead log is not folded in
  const store = await writer(home);
  await appendAll(store.log, messages(5));
  await store.close();
  home.tamper.alter(13);
  const copy = await home.crash();
  onTestFinished(() => copy.remove());
  open.close();
  expect(filesIn(copy.dir)).toHaveProperty(`${LOG_FILE}-wal`);
  const salvaged = salvage(copy.dir, "choir doctor");
  if (!salvaged.ok) throw new Error(salvaged.message);
  expect(salvaged.head.seq).toBe(12);
  expect(verifyFile(join(salvaged.kept, LOG_FILE), undefined, () => {})).toMatchObject({ events: 14, firstBad: 13 });
  expect((await (await writer(copy)).log.head()).seq).toBe(12);
});

/** When the salvage was that was cut off. */
const MADE = new Date("2026-01-02T03:04:05.678Z");

/** A damaged store, with its good prefix beside it as salvage leaves it just before the two change places. */
async function readyToSwap(): Promise<Damaged & { kept: string }> {
  const damaged = await damagedStore(altered);
  const { dir } = damaged.home;
  const twin = await sqlitePlace();
  onTestFinished(() => twin.remove());
  await cp(dir, twin.dir, { recursive: true });
  expect(salvage(twin.dir, "choir doctor")).toMatchObject({ ok: true });
  await copyFile(join(twin.dir, LOG_FILE), join(dir, SALVAGED_FILE));
  await writeFile(join(dir, `${LOG_FILE}-wal`), ""); // there is one after a crash
  utimesSync(join(dir, SALVAGED_FILE), MADE, MADE);
  return { ...damaged, kept: join(dir, await nameOfKept(dir)) };
}

/** Where the swap puts the old log: the same place, however often it is begun. */
async function nameOfKept(dir: string): Promise<string> {
  const twin = await sqlitePlace();
  onTestFinished(() => twin.remove());
  await cp(dir, twin.dir, { recursive: true, preserveTimestamps: true });
  return basename(finishSalvage(twin.dir) ?? "");
}

const STEPS = ["nothing", "the folder", `${LOG_FILE}-wal`, LOG_FILE];

/** Does what the swap does, up to and with this step. */
function swapUpTo(step: string, dir: string, kept: string): void {
  for (const done of STEPS.slice(1, STEPS.indexOf(step) + 1)) {
    if (done === "the folder") mkdirSync(kept);
    else renameSync(join(dir, done), join(kept, done));
  }
}

test.each(STEPS)("SQL-5: cut off once %s was moved, the next opening finishes it", async (step) => {
  const damaged = await readyToSwap();
  swapUpTo(step, damaged.home.dir, damaged.kept);
  await expectSalvaged(damaged, 5, damaged.kept);
  expect(await keptFolders(damaged.home.dir)).toHaveLength(1);
});

test.each(STEPS)("SQL-5: cut off after %s was moved, salvage finishes it too", async (step) => {
  const damaged = await readyToSwap();
  swapUpTo(step, damaged.home.dir, damaged.kept);
  expect(salvage(damaged.home.dir, "choir doctor")).toMatchObject({ ok: true, kept: damaged.kept });
  await expectSalvaged(damaged, 5, damaged.kept);
  expect(await keptFolders(damaged.home.dir)).toEqual([damaged.kept]);
});

test.each(STEPS)(
  "SQL-5: cut off after %s was moved, a reader sees the old log, the new one, or says why not",
  async (step) => {
    const damaged = await readyToSwap();
    swapUpTo(step, damaged.home.dir, damaged.kept);
    const before = filesIn(damaged.home.dir);
    const opening = await damaged.home.open({ mode: "read" });
    if (opening.ok) {
      expect(seqs(await Array.fromAsync(opening.store.log.read({ to: 5 })))).toEqual(range(1, 5));
      await opening.store.close();
    } else expect(opening.message).toContain(damaged.home.dir);
    expect(filesIn(damaged.home.dir)).toEqual(before);
  },
);

test("SQL-5: cut off while the good prefix was copied, the old log is untouched, and salvage begins anew", async () => {
  const damaged = await damagedStore(altered);
  const { dir } = damaged.home;
  await writeFile(join(dir, `${SALVAGED_FILE}.new`), "half");
  await writeFile(join(dir, `${SALVAGED_FILE}.new-journal`), "half");
  const before = filesIn(dir)[LOG_FILE];
  const { log, close } = await reader(damaged.home);
  expect((await log.head()).seq).toBe(9);
  await close();
  expect(filesIn(dir)[LOG_FILE]).toBe(before);
  const salvaged = salvage(dir, "choir doctor");
  if (!salvaged.ok) throw new Error(salvaged.message);
  await expectSalvaged(damaged, 5, salvaged.kept);
});

test("SQL-5: a second salvage, however soon, doesn't cover what the first one kept", async () => {
  const damaged = await readyToSwap();
  const { home, kept } = damaged;
  await expectSalvaged(damaged, 5, kept);
  const first = filesIn(kept)[LOG_FILE];
  const second = filesIn(home.dir)[LOG_FILE];
  await copyFile(join(home.dir, LOG_FILE), join(home.dir, SALVAGED_FILE));
  const soon = new Date(MADE.getTime() + 100); // in the same second
  utimesSync(join(home.dir, SALVAGED_FILE), soon, soon);
  await (await writer(home)).close();
  expect(existsSync(join(home.dir, SALVAGED_FILE))).toBe(false);
  const folders = await keptFolders(home.dir);
  expect(folders.map((folder) => filesIn(folder)[LOG_FILE]).toSorted()).toEqual([first, second].toSorted());
});

test("SQL-5: where there is no store, nothing is made", async () => {
  const home = await sqlitePlace();
  onTestFinished(() => home.remove());
  expect(salvage(home.dir, "choir doctor")).toMatchObject({ ok: false });
  await rm(home.dir, { recursive: true, force: true });
  mkdirSync(home.dir);
  expect(salvage(home.dir, "choir doctor")).toMatchObject({ ok: false });
  expect(filesIn(home.dir)).toEqual({});
});
