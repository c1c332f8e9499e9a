import { once } from "node:events";
import { mkdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as after } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { keepDiskThread } from "../testing/disk-thread.ts";
import { acknowledged, appendAll, message, messages, range, seqs } from "../testing/drafts.ts";
import type { Place } from "../testing/engine.ts";
import { sqliteEngine, sqlitePlace } from "../testing/sqlite-place.ts";
import { killProcess, startProcess } from "../testing/sqlite-process.ts";
import { stage } from "../testing/stage.ts";
import { openStore } from "./open-store.ts";
import { LOG_FILE } from "./places.ts";

keepDiskThread();
const { open, writer } = stage(sqliteEngine);

/** A folder for a store that is removed after the test. */
async function home() {
  const place = await sqlitePlace();
  onTestFinished(() => place.remove());
  return place;
}

async function start(dir: string, mode: "write" | "read", who = "a test") {
  const started = await startProcess(dir, mode, who);
  onTestFinished(() => killProcess(started.child));
  return started;
}

describe("two processes", () => {
  test("LOG-18: of processes that start to write at the same time, one does, and the others name it", async () => {
    const { dir } = await home();
    const started = await Promise.all(range(1, 3).map((i) => start(dir, "write", `number ${i}`)));
    const said = started.map((process) => process.said);
    expect(said.filter((answer) => answer.ok)).toHaveLength(1);
    for (const answer of said.filter((one) => !one.ok)) {
      expect(answer).toMatchObject({ reason: "held" });
      expect(answer.message).toMatch(/'number \d' \(process \d+, since .*\)|not written its name yet/);
    }
  });

  test("LOG-18: the card of a holder that died names nobody: the lock is what counts", async () => {
    const place = await home();
    const { child } = await start(place.dir, "write", "the dead");
    await killProcess(child);
    expect(await readFile(join(place.dir, "writer.json"), "utf8")).toContain("the dead");
    const { log } = await open(place, { mode: "write", who: "the living" });
    expect(await log.append(message("x"))).toMatchObject({ ok: true });
    expect(await place.open({ mode: "write" })).toMatchObject({ message: expect.stringContaining("'the living'") });
  });

  test("LOG-18: a card that holds nonsense doesn't hide that there is a holder", async () => {
    const place = await home();
    await start(place.dir, "write", "the holder");
    await writeFile(join(place.dir, "writer.json"), "nonsense");
    expect(await place.open({ mode: "write" })).toMatchObject({ ok: false, reason: "held" });
  });

  test("LOG-18: a lock whose card can't be written is not kept", async () => {
    const place = await home();
    await (await open(place, { mode: "write" })).close();
    await mkdir(join(place.dir, "writer.json"));
    expect(await place.open({ mode: "write" })).toMatchObject({ ok: false, reason: "denied" });
    await rmdir(join(place.dir, "writer.json"));
    expect((await (await writer(place)).log.head()).seq).toBe(1);
  });

  test("LOG-18: a reader that is killed leaves the writer as it was", async () => {
    const place = await home();
    const { log } = await writer(place);
    await appendAll(log, messages(10));
    const { child } = await start(place.dir, "read");
    await killProcess(child);
    expect(await log.append(message("x"))).toMatchObject({ ok: true, seq: 12 });
    expect(await place.open({ mode: "write" })).toMatchObject({ reason: "held" });
  });

  test("LOG-19: a reader in another process follows, event by event, through a change of writers", async () => {
    const place = await home();
    const first = await writer(place);
    await appendAll(first.log, messages(20));
    const seen: { seq: number; hash: string }[] = [];
    const { child } = await start(place.dir, "read");
    const all = new Promise<void>((resolve) => {
      child.on("message", (event: { seq: number; hash: string }) => {
        if (seen.push(event) === 41) resolve();
      });
    });
    await appendAll(first.log, messages(10));
    await first.close();
    const second = await writer(place);
    for (const draft of messages(10)) await second.log.append(draft);
    await all;
    expect(seen).toEqual((await Array.fromAsync(second.log.read())).map(({ seq, hash }) => ({ seq, hash })));
  });

  test("LOG-1: a writer killed in the middle of a burst leaves what it acknowledged, and a whole log", async () => {
    const place = await home();
    const other = await place.spawnWriter();
    const acked: number[] = [];
    const half = Promise.withResolvers<void>();
    for (const draft of messages(400, 2000)) {
      other.append(draft).then((appended) => {
        if (acked.push(acknowledged(appended).seq) === 100) half.resolve();
      });
    }
    await half.promise;
    await other.kill();
    const { log } = await writer(place);
    const there = seqs(await Array.fromAsync(log.read()));
    expect(there).toEqual(range(1, there.length));
    expect(there).toEqual(expect.arrayContaining(acked));
    expect(await log.verify()).toMatchObject({ ok: true, events: there.length });
  });

  test("LOG-21: a process whose store is closed ends by itself", async () => {
    const { dir } = await home();
    const { child } = await start(dir, "write");
    const gone = once(child, "exit");
    child.send({ number: 0 });
    expect(await gone).toEqual([0, null]);
  });
});

describe("a slow disk", () => {
  /** Holds the file like a commit that takes long. Whoever wants to write waits for it, for up to 5 s. */
  function hold(dir: string, file: string): DatabaseSync {
    const db = new DatabaseSync(join(dir, file));
    db.exec("BEGIN IMMEDIATE");
    onTestFinished(() => {
      if (db.isOpen) db.close();
    });
    return db;
  }

  test.each([
    [
      "an append",
      LOG_FILE,
      (place: Place) =>
        writer(place).then(
          ({ log }) =>
            () =>
              log.append(message("slow")),
        ),
    ],
    [
      "a put",
      "contents.sqlite",
      (place: Place) =>
        writer(place).then(
          ({ contents }) =>
            () =>
              contents.put(Buffer.from("slow")),
        ),
    ],
  ])("SQL-1: while %s waits for the disk, the event loop goes on", async (_, file, prepare) => {
    const place = await home();
    const call = await prepare(place);
    const held = hold(place.dir, file);
    let settled = false;
    const waiting = call().finally(() => {
      settled = true;
    });
    for (const _tick of range(1, 30)) await after(5);
    expect(settled).toBe(false);
    held.exec("ROLLBACK");
    expect(await waiting).toBeDefined();
  });

  test("SQL-1: while a store waits to be opened, the event loop goes on", async () => {
    const place = await home();
    await (await writer(place)).close();
    const held = new DatabaseSync(join(place.dir, LOG_FILE));
    held.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT; BEGIN EXCLUSIVE");
    onTestFinished(() => {
      if (held.isOpen) held.close();
    });
    let settled = false;
    const opening = openStore({ dir: place.dir, userId: "ada", mode: "write" }).finally(() => {
      settled = true;
    });
    for (const _tick of range(1, 20)) await after(5);
    expect(settled).toBe(false);
    held.close();
    const opened = await opening;
    expect(opened).toMatchObject({ ok: true });
    if (opened.ok) await opened.store.close();
  });
});
