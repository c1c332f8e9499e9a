import { mkdtempSync } from "node:fs";
import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Head, VerifyReport } from "../log.ts";
import { appendAll, message, messages, range } from "../testing/drafts.ts";
import { withDatabase } from "../testing/sqlite-place.ts";
import { openStore } from "./open-store.ts";
import { LOG_FILE } from "./places.ts";
import { verifyInThread } from "./verify.ts";
import { verifyFile } from "./verify-file.ts";

let root: string;
/** Nine events, each with all causes. */
let small: Model;
/** Enough events for some dozens of pages. */
let long: Model;

interface Model {
  readonly path: string;
  readonly heads: readonly Head[];
  readonly bodies: readonly string[];
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "choir-verify-"));
  const cause = (i: number) => ({ ask: `a${i}`, call: `x${i}`, conversation: `c${i}`, task: `t${i}` });
  small = await model(
    "small",
    range(1, 8).map((i) => message(`${i}`, { cause: cause(i) })),
  );
  long = await model("long", messages(150, 600));
});

afterAll(() => rm(root, { recursive: true }));

async function model(name: string, drafts: Parameters<typeof appendAll>[1]): Promise<Model> {
  const opened = await openStore({ dir: join(root, name), userId: "ada", mode: "write", create: true });
  if (!opened.ok) throw new Error(opened.message);
  await appendAll(opened.store.log, drafts);
  await opened.store.close();
  const path = join(root, name, LOG_FILE);
  const rows = withDatabase(path, (db) => db.prepare("SELECT seq, hash, body FROM event ORDER BY seq").all());
  return {
    path,
    heads: rows.map(({ seq, hash }) => ({ seq: Number(seq), hash: String(hash) })),
    bodies: rows.map(({ body }) => String(body)),
  };
}

/** A copy of a log, to be damaged. */
async function copyOf({ path }: Model): Promise<string> {
  const copy = join(mkdtempSync(join(root, "copy-")), LOG_FILE);
  await copyFile(path, copy);
  return copy;
}

const verify = (path: string, expected?: Head) => verifyFile(path, expected, () => {});

async function damaged(how: (db: DatabaseSync) => void): Promise<VerifyReport> {
  const path = await copyOf(small);
  withDatabase(path, how);
  return verify(path);
}

function run(sql: string, ...values: (string | number)[]): (db: DatabaseSync) => void {
  return (db) => {
    if (db.prepare(sql).run(...values).changes === 0) throw new Error(`nothing was changed by: ${sql}`);
  };
}

describe("one row", () => {
  const columns: [column: string, change: string][] = [
    ["seq", "seq + 1000"],
    ["id", "'z' || substr(id, 2)"],
    ["type", "'massage'"],
    ["ask", "'b' || substr(ask, 2)"],
    ["ask", "NULL"],
    ["call", "'y' || substr(call, 2)"],
    ["call", "NULL"],
    ["conversation", "'d' || substr(conversation, 2)"],
    ["conversation", "NULL"],
    ["task", "'u' || substr(task, 2)"],
    ["task", "NULL"],
    ["hash", "replace(hash, substr(hash, 7, 1), CASE substr(hash, 7, 1) WHEN '0' THEN '1' ELSE '0' END)"],
    ["hash", "upper(hash) || ' '"],
    ["body", "replace(body, '\"v\":1', '\"v\":2')"],
    ["body", "body || ' '"],
    ["body", "''"],
  ];

  test.each(columns)(
    "LOG-22: a change in column %s, to %s, is found in the middle, at the start and at the end",
    async (column, change) => {
      for (const seq of [5, 2, 9]) {
        const report = await damaged(run(`UPDATE event SET ${column} = ${change} WHERE seq = ?`, seq));
        expect(report).toMatchObject({ ok: false, firstBad: seq, good: small.heads[seq - 2] });
        expect(report.problems[0]?.seq).toBe(seq);
      }
    },
  );

  test("LOG-22: a cause where there was none is found", async () => {
    for (const column of ["ask", "call", "conversation", "task"]) {
      const report = await damaged(run(`UPDATE event SET ${column} = 'new' WHERE seq = 1`));
      expect(report).toMatchObject({ ok: false, firstBad: 1, problems: [{ kind: "column", seq: 1 }] });
    }
  });

  test("LOG-22: where not even event 1 is good, there is no good prefix", async () => {
    for (const sql of [
      "DELETE FROM event WHERE seq = 1",
      "UPDATE event SET hash = 'x' WHERE seq = 1",
      "DELETE FROM event",
    ]) {
      const report = await damaged(run(sql));
      expect(report).toMatchObject({ ok: false, firstBad: 1 });
      expect(report.good).toBeUndefined();
    }
  });

  test("LOG-22: every single altered character of a body is found", async () => {
    const path = await copyOf(small);
    const body = small.bodies[4] ?? "";
    withDatabase(path, (db) => {
      db.exec("PRAGMA synchronous = OFF");
      const alter = db.prepare("UPDATE event SET body = ? WHERE seq = 5");
      for (const at of range(0, body.length - 1)) {
        alter.run(`${body.slice(0, at)}${String.fromCharCode(body.charCodeAt(at) ^ 1)}${body.slice(at + 1)}`);
        expect(verify(path)).toMatchObject({ ok: false, firstBad: 5, good: { seq: 4 } });
      }
    });
  });
});

describe("rows", () => {
  const cases: [what: string, how: (db: DatabaseSync) => void, firstBad: number, kind: string][] = [
    ["a missing row", run("DELETE FROM event WHERE seq = 5"), 5, "gap"],
    ["several missing rows", run("DELETE FROM event WHERE seq IN (3, 4, 8)"), 3, "gap"],
    [
      "a row that stands twice, under another id",
      run(
        "INSERT INTO event SELECT 10, 'other', type, ask, call, conversation, task, hash, body FROM event WHERE seq = 5",
      ),
      10,
      "hash",
    ],
    [
      "a row that stands twice, where nothing kept it out",
      (db) => {
        db.exec(
          "DROP INDEX event_by_id; INSERT INTO event SELECT 10, id, type, ask, call, conversation, task, hash, body FROM event WHERE seq = 9",
        );
      },
      10,
      "hash",
    ],
    [
      "two rows that changed places",
      (db) =>
        ["-1 WHERE seq = 3", "3 WHERE seq = 7", "7 WHERE seq = -1"].map((set) =>
          run(`UPDATE event SET seq = ${set}`)(db),
        ),
      3,
      "hash",
    ],
    [
      "all rows one further",
      (db) =>
        range(1, 9)
          .toReversed()
          .map((seq) => run("UPDATE event SET seq = seq + 1 WHERE seq = ?", seq)(db)),
      1,
      "gap",
    ],
    [
      "a foreign row with a right hash of its own",
      run("UPDATE event SET body = '{}', hash = lower(hex(randomblob(32))) WHERE seq = 6"),
      6,
      "hash",
    ],
  ];

  test.each(cases)("LOG-22: %s is found, with what was good before", async (_, how, firstBad, kind) => {
    const report = await damaged(how);
    expect(report).toMatchObject({ ok: false, firstBad });
    expect(report.good).toEqual(small.heads[firstBad - 2]);
    expect(report.problems).toEqual(expect.arrayContaining([expect.objectContaining({ kind, seq: firstBad })]));
  });

  test("LOG-22: a row before the first is found", async () => {
    const report = await damaged(run("UPDATE event SET seq = 0 WHERE seq = 9"));
    expect(report).toMatchObject({
      ok: false,
      problems: expect.arrayContaining([expect.objectContaining({ kind: "gap" })]),
    });
  });

  test("LOG-23: the last rows can go unseen, but not where one of them is known", async () => {
    const path = await copyOf(small);
    withDatabase(path, run("DELETE FROM event WHERE seq > 6"));
    expect(verify(path)).toEqual({ ok: true, events: 6, good: small.heads[5], problems: [] });
    expect(verify(path, small.heads[6])).toMatchObject({
      firstBad: 7,
      good: small.heads[5],
      problems: [{ kind: "short" }],
    });
    expect(verify(path, small.heads[5])).toMatchObject({ ok: true });
    expect(verify(path, { seq: 6, hash: "0".repeat(64) })).toMatchObject({ firstBad: 6, good: small.heads[4] });
  });
});

describe("the tables", () => {
  const cases: [what: string, how: (db: DatabaseSync) => void][] = [
    ["an index that is gone", (db) => db.exec("DROP INDEX event_by_type")],
    ["a table too many", (db) => db.exec("CREATE TABLE other (x)")],
    ["a trigger", (db) => db.exec("CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM event; END")],
    [
      "an index that is about something else",
      (db) => db.exec("DROP INDEX event_by_ask; CREATE INDEX event_by_ask ON event (call) WHERE ask IS NOT NULL"),
    ],
    [
      "an index that misses a row",
      (db) => {
        db.enableDefensive?.(false);
        db.exec(
          "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'call IS NOT NULL', 'call IS NOT ''x4''') WHERE name = 'event_by_call'; PRAGMA writable_schema = RESET; REINDEX",
        );
        db.exec(
          "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'call IS NOT ''x4''', 'call IS NOT NULL') WHERE name = 'event_by_call'; PRAGMA writable_schema = RESET",
        );
      },
    ],
  ];

  test.each(cases)("LOG-22: %s is found, and the events are good all the same", async (_, how) => {
    const report = await damaged(how);
    expect(report).toMatchObject({ ok: false, events: 9, good: small.heads[8] });
    expect(report.firstBad).toBeUndefined();
    expect(report.problems[0]).toMatchObject({ kind: "structure" });
  });
});

describe("the file", () => {
  /** What `verify` said of a damaged copy is right, as far as that can be known. */
  function judge(report: VerifyReport, { heads }: Model): void {
    expect(report.ok).toBe(false);
    expect(report.problems.length).toBeGreaterThan(0);
    if (report.good === undefined) return;
    expect(report.good).toEqual(heads[report.good.seq - 1]);
    if (report.firstBad !== undefined) expect(report.firstBad).toBe(report.good.seq + 1);
  }

  test("LOG-22: a file that was cut off, wherever, is found", async () => {
    const { length } = await readFile(long.path);
    const cuts = [0, 1, 50, 100, 512, 4095, 4096, 4097, 8192, length / 2, length / 2 + 77, length - 4096, length - 1];
    for (const at of cuts) {
      const path = await copyOf(long);
      await truncate(path, at);
      judge(verify(path), long);
    }
  });

  test("LOG-22: a page of zeros is found, whichever it is", async () => {
    const bytes = await readFile(long.path);
    const path = await copyOf(long);
    for (const page of range(0, bytes.length / 4096 - 1)) {
      await writeFile(path, Buffer.from(bytes).fill(0, page * 4096, (page + 1) * 4096));
      judge(verify(path), long);
    }
  });

  test("LOG-22: a flipped bit is found, or it changed nothing of any event", async () => {
    const bytes = await readFile(long.path);
    const path = await copyOf(long);
    for (const round of range(1, 150)) {
      const at = (round * 2_654_435_761) % bytes.length;
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (round % 8));
      await writeFile(path, flipped);
      const report = verify(path);
      if (report.ok)
        expect(report, `bit ${round % 8} of byte ${at}`).toMatchObject({ events: 151, good: long.heads[150] });
      else judge(report, long);
    }
  });

  test("LOG-22: what is no log is said to be none", async () => {
    const path = await copyOf(small);
    await writeFile(path, "Dear diary");
    expect(verify(path)).toMatchObject({ ok: false, events: 0, problems: [{ kind: "structure" }] });
    await rm(path);
    expect(verify(path)).toMatchObject({ ok: false, events: 0, problems: [{ kind: "structure" }] });
  });

  test("LOG-24: verify leaves every byte of the file as it was", async () => {
    const path = await copyOf(small);
    withDatabase(path, run("UPDATE event SET body = '' WHERE seq = 4"));
    const before = await readFile(path);
    expect(verify(path).ok).toBe(false);
    expect((await readFile(path)).equals(before)).toBe(true);
  });

  test("LOG-22: a store that is too damaged to open can be verified, off the event loop, and tells how far it is", async () => {
    const path = await copyOf(small);
    const grow =
      "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 20500) INSERT INTO event (seq, id, type, hash, body) SELECT i, 'i' || i, 'x', 'h', 'b' FROM n";
    withDatabase(path, run(grow));
    const progress: number[] = [];
    const report = await verifyInThread(join(path, ".."), { onProgress: (done, total) => progress.push(done, total) });
    expect(report).toMatchObject({ ok: false, events: 20_500, firstBad: 10, good: small.heads[8] });
    expect(progress).toEqual([10_000, 20_500, 20_000, 20_500]);
  });
});
