import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Draft } from "@choiros/contract";
import { openStore, type Store } from "@choiros/log";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { carry } from "../change-list.ts";
import { file } from "../testing/events.ts";
import { type OpenedState, type OpenStateOptions, openState } from "./open-state.ts";
import { listSnapshots, snapshotPath, takeSnapshot } from "./snapshot-file.ts";

/** One stays open, so that the threads are started once. */
let leave: () => Promise<void>;
beforeAll(async () => {
  const dir = mkdtempSync(join(tmpdir(), "choir-open-state-"));
  const store = await storeIn(dir);
  const { close } = await openState({ dir, log: store.log, contents: store.contents });
  leave = async () => {
    await close();
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  };
});
afterAll(() => leave());

interface Place {
  readonly dir: string;
  readonly state: string;
  readonly snapshots: string;
}

function place(): Place {
  const dir = mkdtempSync(join(tmpdir(), "choir-open-state-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return { dir, state: join(dir, "state.sqlite"), snapshots: join(dir, "snapshots") };
}

async function storeIn(dir: string): Promise<Store> {
  const opened = await openStore({ dir, userId: "ada", mode: "write", create: true });
  if (!opened.ok) throw new Error(opened.message);
  return opened.store;
}

/** Opens store and state, does something, and closes both. */
async function using<T>(
  { dir }: Place,
  work: (opened: OpenedState, store: Store) => Promise<T>,
  more: Partial<OpenStateOptions> = {},
) {
  const store = await storeIn(dir);
  try {
    const opened = await openState({ dir, log: store.log, contents: store.contents, ...more });
    try {
      return await work(opened, store);
    } finally {
      await opened.close();
    }
  } finally {
    await store.close();
  }
}

const written = (name: string, text: string): Draft => ({
  source: "user",
  type: "file.write",
  payload: { changes: [{ path: `workspace/${name}`, before: null, after: file(text) }] },
});

async function append(store: Store, ...drafts: readonly Draft[]): Promise<void> {
  for (const draft of drafts) expect(await store.log.append(draft)).toMatchObject({ ok: true });
}

const found = (opened: OpenedState) => opened.state.hash().then((hash) => ({ hash, notices: opened.notices }));

/** A computer with five events, closed; and the hash of its state. */
async function filled(): Promise<Place & { hash: string }> {
  const at = place();
  await using(at, async (_, store) => append(store, ...["a", "b", "a", "c"].map((name, i) => written(name, `${i}`))));
  const { hash } = await using(at, found);
  return { ...at, hash };
}

/** Damages a file from somewhere on. */
function spoil(path: string, from: number, length = Number.POSITIVE_INFINITY): void {
  const bytes = readFileSync(path);
  bytes.fill(0x5a, from, Math.min(from + length, bytes.length));
  writeFileSync(path, bytes);
}

test("STATE-13: opening applies what the log has and the state hasn't, and says how far it is", async () => {
  const at = await filled();
  const { hash } = at;
  rmSync(at.state);
  const progress: number[] = [];
  const again = await using(at, found, { onProgress: ({ done }) => progress.push(done) });
  expect([again, progress.at(-1)]).toEqual([{ hash, notices: [] }, 5]);
});

test("STATE-13: a list of changes beside the log is read from there", async () => {
  const at = place();
  const many = Array.from({ length: 5000 }, (_, i) => ({ key: `workspace/${i}`, before: null, after: file(`${i}`) }));
  const first = await using(at, async (opened, store) => {
    const carried = await carry(store.contents, many);
    await append(store, { source: "user", type: "files.changed", payload: { by: "import", ...carried } } as Draft);
    await opened.rebuild();
    return [await opened.state.hash(), (await opened.state.counts()).tree];
  });
  rmSync(at.state);
  expect(await using(at, async ({ state }) => [await state.hash(), (await state.counts()).tree])).toEqual(first);
  expect(first[1]).toBe(5000);
});

test("STATE-14: a rebuild throws everything away and comes to the same hash", async () => {
  const at = await filled();
  const rebuilt = await using(at, async (opened) => {
    await opened.rebuild();
    return found(opened);
  });
  expect(rebuilt).toEqual({ hash: at.hash, notices: [] });
});

test.each<[string, (at: Place) => void]>([
  ["is no database", ({ state }) => writeFileSync(state, "no database, but long enough to look like one".repeat(20))],
  ["was cut to nothing", ({ state }) => writeFileSync(state, "")],
  ["has its pages spoilt", ({ state }) => spoil(state, 4096)],
  ["is of another version", ({ state }) => withDatabase(state, (db) => db.exec("PRAGMA user_version = 99"))],
  ["is another program's", ({ state }) => withDatabase(state, (db) => db.exec("PRAGMA application_id = 7"))],
])("STATE-15: a state that %s is made again", async (_, damage) => {
  const at = await filled();
  damage(at);
  expect((await using(at, found)).hash).toBe(at.hash);
  expect(await using(at, found)).toEqual({ hash: at.hash, notices: [] });
});

test("STATE-15: a state whose damage only shows when more is applied is made again, and that is said", async () => {
  const at = await filled();
  await using(at, async (_, store) => append(store, written("a", "more")));
  const page = withDatabase(at.state, (db) =>
    db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'now'").get(),
  );
  spoil(at.state, (Number(page?.rootpage) - 1) * 4096, 4096);
  const { notices } = await using(at, found);
  expect(notices).toEqual([expect.stringContaining("made again from the log")]);
  expect((await using(at, found)).notices).toEqual([]);
});

test("STATE-15: a state that passes for one that may only be read, by one flipped bit, is made again, and that is said", async () => {
  const at = await filled();
  const bytes = readFileSync(at.state);
  bytes.writeUInt8(bytes.readUInt8(18) ^ 4, 18);
  writeFileSync(at.state, bytes);
  const { notices } = await using(at, async (opened, store) => {
    await append(store, written("a", "more"));
    return found(opened);
  });
  expect(notices).toEqual([expect.stringContaining("made again from the log")]);
});

test("STATE-16: a state that knows more than the log says so, and is put aside", async () => {
  const at = await filled();
  const before = place();
  await using(before, async (_, store) => append(store, written("x", "other")));
  for (const name of readdirSync(before.dir).filter((name) => name.startsWith("log.sqlite"))) {
    copyFileSync(join(before.dir, name), join(at.dir, name));
  }
  const { notices } = await using(at, found);
  expect(notices).toEqual([
    expect.stringMatching(/contradicts the log: it knows events up to 5, and the log ends with 2/),
  ]);
  expect(withDatabase(`${at.state}.5`, (db) => db.prepare("SELECT count(*) AS n FROM file").get()?.n)).toBe(4);
  expect((await using(at, found)).notices).toEqual([]);
});

test("STATE-16: a state of another log is put aside, and said", async () => {
  const at = await filled();
  const other = await filled();
  copyFileSync(other.state, at.state);
  const opened = await using(at, found);
  expect(opened).toEqual({ hash: at.hash, notices: [expect.stringContaining("event 5 in it is another one")] });
  expect(existsSync(`${at.state}.5`)).toBe(true);
});

test("STATE-17: a state that is missing begins with the newest snapshot, and comes to the same hash", async () => {
  const at = await filled();
  takeSnapshot(at.state, at.snapshots);
  const { hash } = await using(at, async (opened, store) => {
    await append(store, written("d", "later"));
    await opened.rebuild();
    takeSnapshot(at.state, at.snapshots);
    await append(store, written("e", "last"));
    return { hash: "" };
  }).then(() => using(at, found));
  rmSync(at.state);
  const progress: number[] = [];
  expect(await using(at, found, { onProgress: ({ done }) => progress.push(done) })).toEqual({ hash, notices: [] });
  expect(progress[0]).toBe(6);
});

test.each<[string, (at: Place) => void]>([
  ["whose bytes changed", ({ snapshots }) => spoil(snapshotPath(snapshots, 5), 5000)],
  [
    "whose note changed",
    ({ snapshots }) => writeFileSync(join(snapshots, "5.json"), '{"seq":5,"hash":"","sha256":""}'),
  ],
  ["whose note is cut off", ({ snapshots }) => writeFileSync(join(snapshots, "5.json"), '{"seq":5,')],
  ["that is gone but for its note", ({ snapshots }) => rmSync(snapshotPath(snapshots, 5))],
])("STATE-18: a snapshot %s is removed and named", async (_, damage) => {
  const at = await filled();
  takeSnapshot(at.state, at.snapshots);
  damage(at);
  rmSync(at.state);
  const opened = await using(at, found);
  expect(opened).toEqual({ hash: at.hash, notices: [expect.stringContaining("5.sqlite was removed")] });
  expect(listSnapshots(at.snapshots)).toEqual([]);
});

test("STATE-18: a snapshot that knows more than the log is put aside, and said", async () => {
  const at = await filled();
  takeSnapshot(at.state, at.snapshots);
  const other = place();
  await using(other, async (_, store) => append(store, written("x", "other")));
  cpSync(at.snapshots, other.snapshots, { recursive: true });
  rmSync(other.state);
  expect((await using(other, found)).notices).toEqual([expect.stringContaining("the log has lost its end")]);
  expect(existsSync(`${other.state}.5`)).toBe(true);
});

test("STATE-19: the newest two snapshots are kept, and what a cut-off one left is cleared away", async () => {
  const at = await filled();
  takeSnapshot(at.state, at.snapshots);
  writeFileSync(join(at.snapshots, "snapshot.new"), "half");
  writeFileSync(join(at.snapshots, "3.sqlite"), "never got its note");
  for (const text of ["1", "2"]) {
    await using(at, async (_, store) => append(store, written("s", text)));
    await using(at, found);
    takeSnapshot(at.state, at.snapshots);
  }
  expect(readdirSync(at.snapshots).sort()).toEqual(["6.json", "6.sqlite", "7.json", "7.sqlite"]);
});

test("STATE-19: one is taken when a computer with much news is closed", async () => {
  const at = place();
  await using(at, async (_, store) => {
    await Promise.all(
      Array.from({ length: 2100 }, () =>
        store.log.append({ source: "user", type: "message", payload: { text: "hi" } }),
      ),
    );
  });
  const { hash } = await using(at, found);
  expect(listSnapshots(at.snapshots)).toEqual([2101]);
  rmSync(at.state);
  expect(await using(at, found)).toEqual({ hash, notices: [] });
});

function withDatabase<T>(path: string, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
}
