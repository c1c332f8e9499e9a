import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { getMigrations } from "better-auth/db/migration";
import { expect, test } from "vitest";
import type { OpeningData } from "../testing/opening-thread.ts";
import { enter, ORIGIN, reopen, tempAccounts, tempFile } from "../testing/temp-accounts.ts";
import { optionsOf } from "./authority.ts";
import { openAccounts } from "./open-accounts.ts";

const THREAD = new URL("../testing/opening-thread.ts", import.meta.url);
const PROCESS = fileURLToPath(new URL("../testing/accounts-process.ts", import.meta.url));

async function inProcess(file: string, ...words: string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, [PROCESS, file, ...words]);
  return JSON.parse(stdout);
}

test("ACC-30: the file and what SQLite puts beside it are for their owner alone, also where the file was open to others", async () => {
  const { accounts, options } = tempAccounts();
  await accounts.add("bob", "member");
  for (const path of ["", "-wal", "-shm"].map((end) => options.file + end)) {
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
  accounts.close();
  chmodSync(options.file, 0o644);
  reopen(options);
  expect(statSync(options.file).mode & 0o777).toBe(0o600);
});

test("ACC-30: accounts and sessions are there when the file is opened again", async () => {
  const { accounts, options } = tempAccounts();
  await accounts.add("bob", "member");
  const cookie = await enter(accounts, "bob");
  accounts.close();
  const again = reopen(options);
  expect(await again.list()).toMatchObject([{ id: "ada" }, { id: "bob" }]);
  expect(await again.session(cookie)).toMatchObject({ account: { id: "bob" } });
});

test("ACC-31: of processes that open a new file at once each gets it, with one owner", async () => {
  const file = tempFile();
  const seen = await Promise.all(Array.from({ length: 4 }, () => inProcess(file)));
  for (const { accounts } of seen) expect(accounts).toEqual(seen[0].accounts);
  expect(seen[0].accounts).toMatchObject([{ id: "ada", role: "owner" }]);
});

test("ACC-31: it doesn't matter how far another is with making the file", async () => {
  const file = tempFile();
  const files = Array.from({ length: 60 }, (_, i) => `${file}-${i}`);
  const data: OpeningData = { files, gate: new Int32Array(new SharedArrayBuffer(4)), threads: 2 };
  const threads = Array.from({ length: data.threads }, () => new Worker(THREAD, { workerData: data }));
  const seen = await Promise.all(threads.map(async (thread) => (await once(thread, "message"))[0]));
  expect(new Set(seen.flat())).toEqual(new Set(["opened"]));
  const left = readdirSync(dirname(file)).map((name) => join(dirname(file), name));
  // Of two who close at once neither may be the last, and then SQLite leaves its own beside the file for the next one.
  expect(left.filter((path) => !/-(?:wal|shm)$/.test(path)).sort()).toEqual([...files].sort());
  expect(left.filter((path) => !files.includes(path.replace(/-(?:wal|shm)$/, "")))).toEqual([]);
});

test("ACC-33: better-auth is loaded late", async () => {
  const file = tempFile();
  expect(await inProcess(file)).toMatchObject({ before: 0, after: 0 });
  const warmed = await inProcess(file, "warm");
  expect(warmed.before).toBe(0);
  expect(warmed.after).toBeGreaterThan(0);
});

const SPOILED: [string, (file: string) => void, RegExp][] = [
  [
    "of a newer version",
    (file) => change(file, "PRAGMA user_version = 2"),
    /has version 2.*knows up to 1: use a newer one$/,
  ],
  ["another program's", (file) => change(file, "PRAGMA application_id = 7"), /is damaged: ChoirOS didn't write/],
  [
    "cut short",
    (file) => truncateSync(file, 8192),
    /is damaged: .*Put a copy of it back; or move it away.*choir user add/,
  ],
  ["no database", (file) => writeFileSync(file, "x".repeat(5000)), /is damaged: .*not a database/],
  ["empty", (file) => writeFileSync(file, ""), /is damaged: ChoirOS didn't write/],
  ["scrap", (file) => writeFileSync(file, "x"), /is damaged: /],
  ["with a page of noise", noise, /is damaged: /],
];

test.each(SPOILED)("ACC-32: a file that is %s is refused with what to do, and left as it is", (_, spoil, sentence) => {
  const { accounts, options } = tempAccounts();
  accounts.close();
  spoil(options.file);
  const before = readFileSync(options.file);
  const opened = openAccounts(options);
  expect(opened).toEqual({ ok: false, message: expect.stringMatching(sentence) });
  expect(opened).toMatchObject({ message: expect.stringContaining(options.file) });
  expect(readFileSync(options.file)).toEqual(before);
});

test("ACC-32: what a file that was moved away left of itself doesn't get into a new one", async () => {
  const { accounts, options } = tempAccounts();
  await accounts.add("bob", "member");
  const left = readFileSync(`${options.file}-wal`);
  accounts.close();
  rmSync(options.file);
  writeFileSync(`${options.file}-wal`, left);
  expect(openAccounts(options)).toMatchObject({ ok: false, message: expect.stringContaining("-wal is left of it") });
  rmSync(`${options.file}-wal`);
  expect(await reopen(options).list()).toMatchObject([{ id: "ada" }]);
});

test("ACC-32: a file that can't be made or opened is told with the reason", () => {
  const { options } = tempAccounts();
  expect(openAccounts({ ...options, file: `${options.file}/x` })).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^the accounts in .* can't be opened: ENOTDIR/),
  });
});

test("ACC-34: better-auth finds nothing to add to the tables", async () => {
  const { options } = tempAccounts();
  const db = new DatabaseSync(options.file);
  const given = optionsOf({
    db,
    origins: [ORIGIN],
    report: options.report,
    ended: () => {},
    spend: () => undefined,
    endOthers: () => {},
  });
  const { toBeCreated, toBeAdded, compileMigrations } = await getMigrations(given);
  const sql = await compileMigrations();
  db.close();
  expect([toBeCreated, toBeAdded, sql]).toEqual([[], [], ";"]);
});

function change(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

function noise(file: string): void {
  const bytes = readFileSync(file);
  bytes.fill(0xa5, 4096, 8192);
  writeFileSync(file, bytes);
}
