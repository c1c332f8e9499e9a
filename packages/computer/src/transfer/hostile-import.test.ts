import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { computerStage, folderOfOurOwn } from "../testing/computer-stage.ts";
import { PIECE_BYTES } from "./export-file.ts";
import { ExportReader } from "./export-reader.ts";
import { importComputer } from "./import-computer.ts";

const stage = computerStage();
const elsewhere = folderOfOurOwn();

/** An export of a computer with some small files and a large one. */
async function exported(): Promise<string> {
  const desk = await stage();
  for (let i = 0; i < 5; i++) await desk.write(`${i}`, `${i}`);
  await desk.write("large.bin", Buffer.alloc(5_000_000, 7));
  const file = join(elsewhere(), "ada.choir");
  await desk.computer.exportTo(file);
  return file;
}

function sql(statements: string): (file: string) => void {
  return (file) => {
    const db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
    db.exec(statements);
    db.close();
  };
}

/** With a table's own name and columns, so that whoever asks the table asks this. */
function instead(table: string, made: string): (file: string) => void {
  return sql(`DROP TABLE ${table}; ${made}`);
}

const ENDLESS = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
  SELECT printf('%064x', i) AS hash, 1 AS size, 'pruned' AS state FROM n`;
const CONTENT = "hash TEXT PRIMARY KEY, size INTEGER NOT NULL, state TEXT NOT NULL";

const HOSTILE: [what: string, spoil: (file: string) => void, why: RegExp][] = [
  [
    "a view over an endless query in place of a table",
    instead("content", `CREATE VIEW content AS ${ENDLESS}`),
    /view content/,
  ],
  ["a view beside the tables", sql(`CREATE VIEW more AS ${ENDLESS}`), /view more/],
  ["a trigger", sql("CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM event; END"), /trigger t/],
  ["another table", sql("CREATE TABLE more (x)"), /table more/],
  ["another index", sql("CREATE INDEX more ON event (length(body))"), /index more/],
  ["a virtual table", sql("CREATE VIRTUAL TABLE more USING fts5(x)"), /table more/],
  [
    "a generated column",
    instead(
      "content",
      `CREATE TABLE content (${CONTENT}, x INTEGER AS (length(zeroblob(1000000000)))) STRICT, WITHOUT ROWID`,
    ),
    /table content/,
  ],
  ["columns of other types", instead("content", "CREATE TABLE content (hash, size, state)"), /table content/],
  [
    "a piece that is larger than one may be",
    sql("UPDATE piece SET bytes = zeroblob(4194305) WHERE number = 0"),
    /larger than/,
  ],
  [
    "an event that is larger than one may be",
    sql("UPDATE event SET body = printf('%600000d', 1) WHERE seq = 2"),
    /event 2/,
  ],
  ["a fact that is larger than it may be", sql("UPDATE about SET value = printf('%600000d', 1)"), /never finished/],
  ["a size that is not so", sql("UPDATE content SET size = 9007199254740991"), /not what its hash says/],
  ["a size that is none", sql("UPDATE content SET size = -1"), /makes no sense/],
  ["contents that are no hashes", sql("UPDATE content SET hash = replace(hash, 'a', 'Z')"), /makes no sense/],
  ["a last event that is none", sql("UPDATE about SET value = '1e999' WHERE name = 'seq'"), /never finished/],
  ["the mark of another program", sql("PRAGMA application_id = 7"), /is not an export of ChoirOS$/],
  ["a journal to be kept beside it", sql("PRAGMA journal_mode = WAL"), /not as an export is written/],
  ["an end that is missing", (file) => truncateSync(file, readFileSync(file).length - 4096), /cut short/],
  ["a beginning and nothing else", (file) => truncateSync(file, 50), /is not an export of ChoirOS$/],
  ["pages of noise", (file) => noise(file), /is damaged|not what its hash says|makes no sense/],
];

/** The header stays; what follows the page of the schema doesn't. */
function noise(file: string): void {
  const bytes = readFileSync(file);
  for (let at = 4096; at < bytes.length; at++) bytes[at] = (bytes[at] ?? 0) ^ (at % 251);
  writeFileSync(file, bytes);
}

test("COMP-18: a file that was made to harm is refused before it is believed, with a sentence, and nothing is left behind", async () => {
  const file = await exported();
  for (const [what, spoil, why] of HOSTILE) {
    const [from, to] = [elsewhere(), elsewhere()];
    const copy = join(from, "x.choir");
    copyFileSync(file, copy);
    spoil(copy);
    const imported = await importComputer({ file: copy, root: join(to, "bob"), userId: "bob" });
    expect({ what, ...imported }).toMatchObject({ what, ok: false, reason: "damaged" });
    expect({ what, message: imported.ok ? "" : imported.message }).toEqual({
      what,
      message: expect.stringMatching(why),
    });
    expect(imported.ok ? "" : imported.message).toContain(copy);
    expect(imported.ok ? "" : imported.message).not.toMatch(/database|SQLITE|malformed/i);
    expect({ what, left: readdirSync(from) }).toEqual({ what, left: ["x.choir"] });
    expect({ what, left: files(to) }).toEqual({ what, left: [] });
  }
});

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name);
}

test("COMP-18: a folder, a FIFO and a device are named as what they are, and nobody waits for them", async () => {
  const folder = elsewhere();
  mkdirSync(join(folder, "folder"));
  execFileSync("mkfifo", [join(folder, "fifo")]);
  for (const [file, why] of [
    [join(folder, "folder"), "is a folder, not an export"],
    [join(folder, "fifo"), "is a FIFO, not an export"],
    ["/dev/zero", "is a character device, not an export"],
  ] as const) {
    const imported = await importComputer({ file, root: join(folder, "bob"), userId: "bob" });
    expect(imported).toEqual({ ok: false, reason: "damaged", message: `${file} ${why}` });
  }
});

test("COMP-18: a file gives no more than it holds, though its index may name the same bytes again and again", async () => {
  const file = await exported();
  const db = new DatabaseSync(file, { readOnly: true });
  const hash = String(db.prepare("SELECT hash FROM content ORDER BY size DESC LIMIT 1").get()?.hash);
  db.close();
  const reader = new ExportReader(file);
  expect(reader.piece(hash, 0)).toHaveLength(PIECE_BYTES);
  expect(() => reader.piece(hash, 0)).toThrow("again and again");
  reader.close();
});
