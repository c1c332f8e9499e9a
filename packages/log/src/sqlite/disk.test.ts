import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { acknowledged, appendAll, message, messages, range, seqs, setting } from "../testing/drafts.ts";
import { type SqlitePlace, sqliteEngine, sqlitePlace } from "../testing/sqlite-place.ts";
import { killProcess } from "../testing/sqlite-process.ts";
import { stage } from "../testing/stage.ts";
import { LOG_FILE } from "./places.ts";

const { writer } = stage(sqliteEngine);

async function home(): Promise<SqlitePlace> {
  const place = await sqlitePlace();
  onTestFinished(() => place.remove());
  return place;
}

describe("one commit", () => {
  /** Commits in a write-ahead log: each ends with a frame that tells the size of the database. */
  function commitsIn({ dir }: SqlitePlace): number {
    const wal = readFileSync(join(dir, `${LOG_FILE}-wal`));
    const salt = wal.subarray(16, 24);
    let commits = 0;
    for (let at = 32; at + 24 <= wal.length; at += 24 + 4096) {
      if (wal.subarray(at + 8, at + 16).equals(salt) && wal.readUInt32BE(at + 4) > 0) commits++;
    }
    return commits;
  }

  test("LOG-9: appends one after the other have a commit each, and those at the same time share one", async () => {
    const place = await home();
    const { log } = await writer(place);
    for (const draft of messages(10)) await log.append(draft);
    expect(commitsIn(place)).toBe(10);
    await appendAll(log, messages(128));
    expect(commitsIn(place) - 10).toBeLessThanOrEqual(8);
  });
});

describe("the thread", () => {
  test("LOG-21: stores may come and go at the same time, with the thread that serves them all", async () => {
    const places = await Promise.all(range(1, 6).map(home));
    const lives = places.map(async (place, i) => {
      for (const round of range(1, 4)) {
        const opening = await place.open({ mode: "write" });
        if (!opening.ok) throw new Error(opening.message);
        const { log, close } = opening.store;
        const appends = appendAll(log, messages(i + 1));
        if ((i + round) % 2 === 0) await appends;
        await close();
        expect((await appends).at(-1)?.seq).toBe(1 + round * (i + 1));
      }
    });
    const failures = range(1, 10).map(async () => {
      const opening = await (await home()).open({ mode: "write", create: false });
      expect(opening).toMatchObject({ ok: false, reason: "missing" });
    });
    await Promise.all([...lives, ...failures]);
  });

  test("LOG-21: a store can be opened while the last one closes", async () => {
    const [a, b] = [await home(), await home()];
    for (const _ of range(1, 3)) {
      const first = await a.open({ mode: "write" });
      if (!first.ok) throw new Error(first.message);
      const [, second] = await Promise.all([first.store.close(), b.open({ mode: "write" })]);
      if (!second.ok) throw new Error(second.message);
      expect(await second.store.log.append(message("x"))).toMatchObject({ ok: true });
      await second.store.close();
    }
  });
});

describe("a disk that refuses", () => {
  /** Of util-linux, which is on every Linux. */
  const PRLIMIT = "prlimit";

  /** A writer in a process whose files can't grow past this size, until it is lifted. */
  async function limitedWriter(dir: string, bytes: number) {
    const script = fileURLToPath(new URL("../testing/store-process.ts", import.meta.url));
    const child = fork(script, [dir, "write", "limited"], { execArgv: [] });
    onTestFinished(() => killProcess(child));
    await once(child, "message");
    const limit = (size: number | "unlimited") =>
      execFileSync(PRLIMIT, ["--pid", String(child.pid), `--fsize=${size}:unlimited`]);
    limit(bytes);
    type Said = { number: number; appended?: object; failed?: { code: string } };
    const waiting = new Map<number, (said: Said) => void>();
    child.on("message", (said: Said) => waiting.get(said.number)?.(said));
    const append = (draft: object) =>
      new Promise<Said>((resolve) => {
        const number = waiting.size + 1;
        waiting.set(number, resolve);
        child.send({ number, draft });
      });
    return { append, lift: () => limit("unlimited"), kill: () => killProcess(child) };
  }

  test("LOG-10: where a file can't grow, appends throw; once it can, the log goes on by itself", async () => {
    const place = await home();
    const child = await limitedWriter(place.dir, 400_000);
    const drafts = range(1, 12).map((i) => setting("x".repeat(100_000), { id: `large-${i}` }));
    const answers = await Promise.all(drafts.map((draft) => child.append(draft)));
    const small = await child.append(message("small", { id: "small" }));
    const failed = [...answers, small].filter((answer) => answer.failed !== undefined);
    expect(failed.length).toBeGreaterThan(0);
    for (const answer of failed) expect(["io", "disk-full"]).toContain(answer.failed?.code);
    child.lift();
    for (const draft of drafts) expect(await child.append(draft)).toMatchObject({ appended: { ok: true } });
    await child.kill();
    const { log } = await writer(place);
    const events = await Array.fromAsync(log.read());
    expect(seqs(events)).toEqual(range(1, events.length));
    const ids = events.slice(1).map((event) => event.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(drafts.map((draft) => draft.id)));
    expect(acknowledged(await log.append(message("x"))).seq).toBe(events.length + 1);
    expect(await log.verify()).toMatchObject({ ok: true });
  });
});

describe("nonsense", () => {
  test("LOG-11: a query that can't be handed to the thread fails alone", { timeout: 5000 }, async () => {
    const { log } = await writer();
    const nonsense = [() => {}] as unknown as string[]; // what a caller without types may pass
    await expect(Array.fromAsync(log.read({ types: nonsense }))).rejects.toThrow();
    expect(await log.append(message("x"))).toMatchObject({ ok: true, seq: 2 });
  });
});
