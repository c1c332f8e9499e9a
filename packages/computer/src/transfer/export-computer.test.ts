import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { computerStage, type Desk, done, folderOfOurOwn } from "../testing/computer-stage.ts";

const stage = computerStage();
const elsewhere = folderOfOurOwn();

async function filled(): Promise<Desk> {
  const desk = await stage();
  await desk.write("notes.md", "one\n");
  await desk.write("notes.md", "two\n");
  await desk.write("large.bin", Buffer.alloc(5_000_000, 7));
  for (let i = 0; i < 150; i++) desk.outside(`many/${i}`, `${i}`);
  await desk.computer.capture();
  return desk;
}

function query<Row>(file: string, sql: string): Row[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare(sql).all();
  db.close();
  return rows as unknown[] as Row[]; // whoever asks knows the columns
}

test("COMP-11: an export is one SQLite file with every event and every content, readable with plain SQL", async () => {
  const desk = await filled();
  const file = join(elsewhere(), "ada.choir");
  const exported = await desk.computer.exportTo(file);
  const head = await desk.computer.log.head();
  expect(exported).toMatchObject({ file, ...head, events: head.seq });
  expect(readdirSync(join(file, ".."))).toEqual(["ada.choir"]);
  const events = query<{ seq: number; type: string; hash: string; body: string }>(
    file,
    "SELECT * FROM event ORDER BY seq",
  );
  expect(events.map(({ seq, type, hash }) => ({ seq, type, hash }))).toEqual(
    (await desk.events()).map(({ seq, type, hash }) => ({ seq, type, hash })),
  );
  expect(events.every(({ body }) => !body.includes("user_id"))).toBe(true);
  const contents = query<{ hash: string; size: number; state: string }>(file, "SELECT * FROM content");
  expect(contents.every(({ state }) => state === "present")).toBe(true);
  expect(contents).toHaveLength(exported.contents);
  for (const { hash, size } of contents) {
    const pieces = query<{ bytes: Uint8Array }>(file, `SELECT bytes FROM piece WHERE hash = '${hash}' ORDER BY number`);
    const bytes = Buffer.concat(pieces.map((piece) => piece.bytes));
    expect([bytes.length, createHash("sha256").update(bytes).digest("hex")]).toEqual([size, hash]);
  }
  const about = Object.fromEntries(
    query<{ name: string; value: string }>(file, "SELECT * FROM about").map(({ name, value }) => [name, value]),
  );
  expect(about).toMatchObject({ format: "choiros-export", version: "1", user_id: "ada", seq: String(head.seq) });
});

test("COMP-11: an export takes no other file's place", async () => {
  const desk = await filled();
  const file = join(elsewhere(), "x.choir");
  writeFileSync(file, "the only copy of something");
  await expect(desk.computer.exportTo(file)).rejects.toThrow("is there already");
  expect(readFileSync(file, "utf8")).toBe("the only copy of something");
});

test("COMP-11: stopped on the way, it leaves nothing behind, and what an earlier one left is no hindrance", async () => {
  const desk = await filled();
  const folder = elsewhere();
  const file = join(folder, "x.choir");
  const stop = new AbortController();
  stop.abort(new Error("enough"));
  await expect(desk.computer.exportTo(file, { signal: stop.signal })).rejects.toThrow("enough");
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(`${file}.incomplete`, "cut off");
  await desk.computer.exportTo(file);
  expect(readdirSync(folder)).toEqual(["x.choir", "x.choir.incomplete"]);
});

test("COMP-11: one event with many files tells how far it is, and stops where it is told to, as does one large file", async () => {
  const desk = await stage();
  for (let i = 0; i < 2500; i++) desk.outside(`many/${i}`, `${i}`);
  await desk.computer.capture();
  const folder = elsewhere();
  const told: number[] = [];
  await desk.computer.exportTo(join(folder, "whole"), { onProgress: ({ done }) => told.push(done) });
  expect(told.length).toBeGreaterThan(4);
  expect(await stoppedAt(desk, join(folder, "x"), (done) => done > 900)).toBeLessThan(2000);
  await desk.write("large.bin", Buffer.alloc(30_000_000, 7));
  let steps = 0;
  await stoppedAt(desk, join(folder, "x"), (done) => done > 2500 && ++steps === 3);
  expect(readdirSync(folder)).toEqual(["whole"]);
});

/** How far it had told it was. */
async function stoppedAt(desk: Desk, file: string, when: (done: number) => boolean): Promise<number> {
  const stop = new AbortController();
  let last = 0;
  const onProgress = ({ done }: { done: number }) => {
    last = done;
    if (when(done)) stop.abort(new Error("enough"));
  };
  await expect(desk.computer.exportTo(file, { onProgress, signal: stop.signal })).rejects.toThrow("enough");
  return last;
}

test("COMP-11: of two exports to one name at once, one is written and one refused, and nothing is left of it", async () => {
  const desk = await filled();
  const folder = elsewhere();
  const file = join(folder, "x.choir");
  const both = await Promise.allSettled([desk.computer.exportTo(file), desk.computer.exportTo(file)]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const [refused] = both.filter((one) => one.status === "rejected");
  expect(String(refused?.reason)).toContain("is there already");
  expect(readdirSync(folder)).toEqual(["x.choir"]);
  expect(query(file, "SELECT count(*) AS n FROM event")).toEqual([{ n: await desk.head() }]);
});

test("COMP-11: where there is no folder, or something that is no file, that is said, and nothing is made", async () => {
  const desk = await filled();
  const folder = elsewhere();
  execFileSync("mkfifo", [join(folder, "fifo")]);
  symlinkSync("nowhere", join(folder, "link"));
  writeFileSync(join(folder, "file"), "");
  for (const [name, why] of [
    ["no/such/x.choir", "there is no folder"],
    ["file/x.choir", "is not a folder"],
    ["fifo", "is a FIFO: name a file instead"],
    ["link", "is there already"],
    ["", "is there already"],
  ] as const) {
    await expect(desk.computer.exportTo(join(folder, name))).rejects.toThrow(why);
  }
  await expect(desk.computer.exportTo("/dev/null")).rejects.toThrow("is a character device: name a file instead");
  expect(readdirSync(folder)).toEqual(["fifo", "file", "link"]);
});

test("COMP-11: others write meanwhile, and the export has exactly what stood when it began", async () => {
  const desk = await filled();
  const file = join(elsewhere(), "x.choir");
  const head = await desk.head();
  const exporting = desk.computer.exportTo(file);
  for (let i = 0; i < 5; i++) await desk.write("notes.md", `meanwhile ${i}\n`);
  const exported = await exporting;
  expect(exported.seq).toBeGreaterThanOrEqual(head);
  expect(exported.seq).toBeLessThan(await desk.head());
  expect(query(file, "SELECT max(seq) AS last, count(*) AS n FROM event")).toEqual([
    { last: exported.seq, n: exported.seq },
  ]);
  expect(await desk.text("notes.md")).toBe("meanwhile 4\n");
});

test("COMP-11: a content that was pruned, is gone or is damaged is named as such, and all the rest is there", async () => {
  const desk = await filled();
  const entry = (await desk.computer.read("workspace/notes.md", 2))?.entry;
  const large = (await desk.computer.read("workspace/large.bin"))?.entry;
  if (entry?.kind !== "file" || large?.kind !== "file") throw new Error("they are files");
  await desk.computer.contents.drop(entry.hash);
  const path = largeFile(desk.root);
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  const file = join(elsewhere(), "x.choir");
  await desk.computer.exportTo(file);
  expect(query(file, "SELECT hash, state FROM content WHERE state <> 'present' ORDER BY state")).toEqual([
    { hash: large.hash, state: "missing" },
    { hash: entry.hash, state: "pruned" },
  ]);
  expect(query(file, `SELECT number FROM piece WHERE hash IN ('${large.hash}', '${entry.hash}')`)).toEqual([]);
  expect(await desk.text("notes.md")).toBe("two\n");
  expect(done(await desk.computer.write("workspace/after", Buffer.from("1"))).ok).toBe(true);
});

test("COMP-11: where a list of changes is damaged, it is named as missing, and all the rest is there", async () => {
  const desk = await filled();
  const db = new DatabaseSync(join(desk.root, ".choir/contents.sqlite"));
  const [list] = db
    .prepare("SELECT lower(hex(hash)) AS hash, piece FROM content WHERE size BETWEEN 10000 AND 65536")
    .all();
  db.prepare("UPDATE piece SET bytes = zeroblob(length(bytes)) WHERE id = ?").run(Number(list?.piece));
  db.close();
  const file = join(elsewhere(), "x.choir");
  const exported = await desk.computer.exportTo(file);
  expect(exported.seq).toBe(await desk.head());
  expect(query(file, "SELECT hash FROM content WHERE state <> 'present'")).toEqual([{ hash: list?.hash }]);
});

/** Where the only large content lies. */
function largeFile(root: string): string {
  const entries = readdirSync(join(root, ".choir/contents"), { recursive: true, withFileTypes: true });
  const [found, ...others] = entries.filter((entry) => entry.isFile());
  if (found === undefined || others.length > 0)
    throw new Error(`there are ${entries.length} entries, and not one file`);
  return join(found.parentPath, found.name);
}
