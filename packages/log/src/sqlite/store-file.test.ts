import { randomBytes } from "node:crypto";
import { copyFile, mkdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bytesOf } from "../testing/bytes.ts";
import { keepDiskThread } from "../testing/disk-thread.ts";
import { appendAll, message, messages } from "../testing/drafts.ts";
import { filesIn } from "../testing/folder.ts";
import { type SqlitePlace, sqliteEngine, sqlitePlace, withDatabase } from "../testing/sqlite-place.ts";
import { stage } from "../testing/stage.ts";
import { LogFile } from "./log-file.ts";
import { CONTENTS_FILE, LOG_FILE } from "./places.ts";
import { LOG_MIGRATIONS } from "./schema.ts";
import { verifyInThread } from "./verify.ts";

keepDiskThread();
const scene = stage({ name: sqliteEngine.name, place: async () => (latest = await sqlitePlace()) });
let latest: SqlitePlace | undefined;

/** A closed store with a few events and contents. */
async function closedStore(): Promise<SqlitePlace> {
  const store = await scene.writer();
  await appendAll(store.log, messages(5));
  await store.contents.put(bytesOf(100));
  await store.contents.put(bytesOf(100_000));
  await store.close();
  if (latest === undefined) throw new Error("the stage has made no place");
  return latest;
}

async function emptyPlace(): Promise<SqlitePlace> {
  await scene.place();
  if (latest === undefined) throw new Error("the stage has made no place");
  return latest;
}

const FILES = [LOG_FILE, CONTENTS_FILE];
const MODES = ["write", "read"] as const;

test.each(FILES)("SQL-3: %s of a newer version is refused with the reason, and left as it is", async (file) => {
  const home = await closedStore();
  withDatabase(join(home.dir, file), (db) => db.exec("PRAGMA user_version = 99"));
  const before = filesIn(home.dir);
  for (const mode of MODES) {
    expect(await home.open({ mode })).toEqual({
      ok: false,
      reason: "newer",
      message: expect.stringMatching(/version 99.*up to \d\..*Use a newer ChoirOS/),
    });
    expect(filesIn(home.dir)).toEqual(before);
  }
});

const foreign: [what: string, make: (path: string) => Promise<void> | void][] = [
  [
    "another program's database",
    (path) => withDatabase(path, (db) => db.exec("CREATE TABLE recipe (x); INSERT INTO recipe VALUES (1)")),
  ],
  [
    "another program's database with a write-ahead log",
    (path) => withDatabase(path, (db) => db.exec("PRAGMA journal_mode = WAL; CREATE TABLE recipe (x)")),
  ],
  [
    "another program's database, still empty",
    (path) => withDatabase(path, (db) => db.exec("PRAGMA application_id = 77")),
  ],
  ["a text", (path) => writeFile(path, "Dear diary,\n".repeat(1000))],
  ["a short text", (path) => writeFile(path, "x")],
  ["bytes of chance", (path) => writeFile(path, randomBytes(20_000))],
];

test.each(FILES.flatMap((file) => foreign.map(([what, make]) => [file, what, make] as const)))(
  "SQL-3: where %s is %s, it is refused with the reason, and left as it is",
  async (file, _, make) => {
    const home = await closedStore();
    await rm(join(home.dir, file));
    await make(join(home.dir, file));
    const before = filesIn(home.dir);
    for (const mode of MODES) {
      expect(await home.open({ mode })).toEqual({
        ok: false,
        reason: "damaged",
        message: expect.stringContaining(home.dir),
      });
      expect(filesIn(home.dir)).toEqual(before);
    }
  },
);

test("SQL-2: a log of an older version is migrated on opening, and its events stay", async () => {
  const home = await closedStore();
  const path = join(home.dir, LOG_FILE);
  const newer = [
    ...LOG_MIGRATIONS,
    (db: Parameters<(typeof LOG_MIGRATIONS)[number]>[0]) => db.exec("CREATE TABLE extra (x)"),
  ];
  expect(() => new LogFile(path, "read", newer)).toThrow(/version 1.*open it once for writing/);
  const file = new LogFile(path, "write", newer);
  expect(file.notices).toEqual([expect.stringContaining(`${path}.v1 is how it was`)]);
  expect(file.head.seq).toBe(6);
  file.close();
  expect(await home.open({ mode: "write" })).toMatchObject({ ok: false, reason: "newer" });
  await rename(`${path}.v1`, path);
  expect(await (await scene.reader(home)).log.verify()).toMatchObject({ ok: true, events: 6 });
});

/** Gives the last row the number of an earlier one, as a page may that was only half written. */
async function renumberLast({ dir }: SqlitePlace, from: number, to: number): Promise<void> {
  const path = join(dir, LOG_FILE);
  const id = withDatabase(path, (db) => String(db.prepare("SELECT id FROM event WHERE seq = ?").get(from)?.id));
  const bytes = await readFile(path);
  for (let at = bytes.indexOf(id); at >= 0; at = bytes.indexOf(id, at + 1)) {
    // A row: its number, then a header that begins with its own length, then its texts, of which the id is the first.
    for (let header = at - 1; header > at - 32; header--) {
      if (bytes[header] === at - header && bytes[header - 1] === from) bytes[header - 1] = to;
    }
  }
  await writeFile(path, bytes);
}

test.each(["read", "write"] as const)(
  "LOG-13: a last event with another one's number is told on opening to %s",
  async (mode) => {
    const home = await closedStore();
    await renumberLast(home, 6, 3);
    const opened = await home.open({ mode });
    expect(opened).toMatchObject({
      ok: false,
      reason: "damaged",
      message: expect.stringContaining("the last event, 3, is not"),
    });
    expect(await verifyInThread(home.dir)).toMatchObject({ ok: false, good: { seq: 5 }, firstBad: 6 });
  },
);

const losses: [what: string, lose: (home: SqlitePlace) => Promise<unknown>][] = [
  ["is missing", ({ dir }) => rm(join(dir, LOG_FILE))],
  ["is empty", ({ dir }) => truncate(join(dir, LOG_FILE))],
  ["is missing together with the list of contents", ({ dir }) => Promise.all(FILES.map((file) => rm(join(dir, file))))],
  [
    "is empty beside a write-ahead log",
    async ({ dir }) => {
      await truncate(join(dir, LOG_FILE));
      await writeFile(join(dir, `${LOG_FILE}-wal`), randomBytes(10_000));
    },
  ],
  [
    "is missing beside a write-ahead log",
    async ({ dir }) => {
      for (const file of [...FILES, "contents"]) await rm(join(dir, file), { recursive: true });
      await writeFile(join(dir, `${LOG_FILE}-wal`), randomBytes(10_000));
    },
  ],
  ["has no events", async ({ dir }) => withDatabase(join(dir, LOG_FILE), (db) => db.exec("DELETE FROM event"))],
  ["begins with another event", async ({ tamper }) => tamper.swap(1, 2)],
];

test.each(losses)("SQL-4: a log whose file %s is refused as damaged, never made anew", async (_, lose) => {
  const home = await closedStore();
  await lose(home);
  const before = filesIn(home.dir);
  for (const mode of [...MODES, ...MODES]) {
    expect(await home.open({ mode, create: mode === "write" })).toMatchObject({ ok: false, reason: "damaged" });
    expect(filesIn(home.dir)).toEqual(before);
  }
});

const cutOff: [where: string, leave: (dir: string) => Promise<unknown>][] = [
  ["before its folder was made", async () => {}],
  ["after its folder was made", (dir) => mkdir(dir)],
  ["with an empty draft", (dir) => mkdir(dir).then(() => writeFile(join(dir, `${LOG_FILE}.new`), ""))],
  [
    "in the middle of a draft",
    (dir) => mkdir(dir).then(() => writeFile(join(dir, `${LOG_FILE}.new`), randomBytes(5000))),
  ],
  [
    "in the middle of a commit to the draft",
    async (dir) => {
      await mkdir(dir);
      withDatabase(join(dir, "x"), (db) => db.exec("CREATE TABLE half (x)"));
      await rename(join(dir, "x"), join(dir, `${LOG_FILE}.new`));
      await writeFile(join(dir, `${LOG_FILE}.new-journal`), randomBytes(2000));
    },
  ],
  ["with a draft that is complete", (dir) => draft(dir)],
];

/** A complete log under the draft's name. */
async function draft(dir: string): Promise<void> {
  const other = await closedStore();
  await mkdir(dir);
  await copyFile(join(other.dir, LOG_FILE), join(dir, `${LOG_FILE}.new`));
}

test.each(cutOff)("SQL-6: a log whose making was cut off %s is none, and can be made", async (_, leave) => {
  const home = await emptyPlace();
  await leave(home.dir);
  for (const mode of MODES) expect(await home.open({ mode, create: false })).toMatchObject({ reason: "missing" });
  const { log } = await scene.writer(home);
  expect(await Array.fromAsync(log.read())).toMatchObject([{ seq: 1, type: "log.created" }]);
  expect(await log.append(message("x"))).toMatchObject({ ok: true, seq: 2 });
  expect(await log.verify()).toMatchObject({ ok: true, events: 2 });
  expect(filesIn(home.dir)).not.toHaveProperty(`${LOG_FILE}.new`);
});

test.each(["absent", "empty"])(
  "SQL-6: a log whose making was cut off with the list of contents %s is there with its first event",
  async (list) => {
    const home = await emptyPlace();
    const first = await scene.writer(home);
    const { logId } = first.log;
    await first.close();
    if (list === "absent") await rm(join(home.dir, CONTENTS_FILE));
    else await truncate(join(home.dir, CONTENTS_FILE));
    const opening = await home.open({ mode: "read" });
    expect(opening).toMatchObject({ ok: false, message: expect.stringContaining("open it once for writing") });
    for (const open of [scene.writer, scene.reader]) {
      const { log, contents } = await open(home);
      expect([log.logId, await log.head()]).toMatchObject([logId, { seq: 1 }]);
      expect(await contents.has("0".repeat(64))).toBe(false);
    }
  },
);

test("LOG-17: a reader that can't read the head any more says so like any other failure of the log", async () => {
  const home = await closedStore();
  const { log } = await scene.reader(home);
  withDatabase(join(home.dir, LOG_FILE), (db) => db.exec("ALTER TABLE event RENAME TO gone"));
  for (const call of [() => log.head(), () => Array.fromAsync(log.read()), () => Array.fromAsync(log.subscribe())]) {
    await expect(call()).rejects.toMatchObject({ name: "LogError", message: expect.stringContaining("'ada'") });
  }
});

test("LOG-13: an event that was there and is gone ends a subscription in an error, not in a search for it", async () => {
  const home = await closedStore();
  const { log } = await scene.reader(home);
  expect((await log.head()).seq).toBe(6);
  home.tamper.lose(6);
  const following = Array.fromAsync(log.subscribe({ from: 6, signal: AbortSignal.timeout(2000) }));
  await expect(following).rejects.toMatchObject({ code: "damaged", message: expect.stringMatching(/\bevent 6\b/) });
});
