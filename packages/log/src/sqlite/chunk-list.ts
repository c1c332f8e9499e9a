import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type ChunkPart, type ChunkPlace, isChunkPlace } from "./chunk-row.ts";
import { Refusal } from "./refusal.ts";
import { FILE, MAX_RUN } from "./schema.ts";
import { prepareAll } from "./statements.ts";

/** A chunk that a put has written to its file. */
export interface FreshChunk extends Omit<ChunkPlace, "id" | "name"> {
  readonly hash: string;
  /** A chunk with the same hash, which isn't what it should be any more: this one takes its place. */
  readonly replaces: number | null;
}

export type ChunkChange =
  /** A file is about to be written. */
  | { readonly kind: "begin"; readonly name: string }
  /** A content is whole: `parts` are ids of chunks that were there; those below zero say which fresh one, from the first: -1. */
  | {
      readonly kind: "keep";
      readonly hash: string;
      readonly size: number;
      readonly name: string;
      readonly fresh: readonly FreshChunk[];
      readonly parts: readonly number[];
      readonly sizes: readonly number[];
    }
  /** Nothing of a file that was begun will count. */
  | { readonly kind: "abandon"; readonly name: string }
  /** These chunks lie in another file now, at these places; what else was in theirs goes with it. */
  | {
      readonly kind: "moved";
      readonly from: string;
      readonly to: string | null;
      readonly ids: readonly number[];
      readonly ats: readonly number[];
    }
  /** Nothing had to be moved, or nothing is there to be moved. */
  | { readonly kind: "settled"; readonly name: string }
  /** The file is gone from the disk. */
  | { readonly kind: "gone"; readonly name: string };

export type KeepChange = Extract<ChunkChange, { kind: "keep" }>;

/** What a file holds that counts, and how many chunks in it don't. */
export interface SweepPlan {
  readonly keep: readonly ChunkPlace[];
  readonly unused: number;
}

type Run = readonly [at: number, first: number, count: number];

/** So many chunks are told at a time. */
const PAGE = 256;

/** The list of chunks: which there are, where they lie, and what contents are made of. Blocks. */
export class ChunkList {
  readonly #statements: Record<keyof typeof SQL, StatementSync>;
  /** Chunks that puts under way have found and will name: they stay, though nobody else has them any more. */
  readonly #pins = new Map<string, Set<number>>();

  constructor(db: DatabaseSync) {
    this.#statements = prepareAll(db, SQL);
    this.#statements.runs.setReturnArrays(true);
  }

  /** What a crash left half written counts for nothing. Before the first put. */
  forsakeIncoming(): void {
    this.#statements.forsake.run();
  }

  /** The chunks with these hashes, as far as they are there; they stay until the put is over. */
  find(put: string, hashes: readonly string[]): (ChunkPlace | null)[] {
    const pins = this.#pins.get(put) ?? new Set();
    this.#pins.set(put, pins);
    return hashes.map((hash) => {
      const row = this.#statements.byHash.get(Buffer.from(hash, "hex"));
      if (!isChunkPlace(row)) return null;
      pins.add(row.id);
      return row;
    });
  }

  /** Says whether there are files to be tidied up by now. */
  unpin(put: string): boolean {
    this.#pins.delete(put);
    return this.#statements.untidy.get() !== undefined;
  }

  /** The chunks of a content that reach beyond this place, or the first of them. None where it has none there. */
  page(content: number, from: number): ChunkPart[] {
    const page: ChunkPart[] = [];
    const start = this.#statements.runAt.get(content, from)?.at ?? 0;
    for (const [at, first, count] of this.#runs(content, Number(start))) {
      const rows = this.#statements.places.all(first, first + count - 1);
      if (rows.length !== count) throw senseless(content);
      let place = at;
      for (const row of rows) {
        if (!isChunkPlace(row)) throw senseless(content);
        const part = { ...row, hash: String(Object(row).hash), start: place };
        place += row.size;
        if (place > from && page.push(part) === PAGE) return page;
      }
    }
    return page;
  }

  /** The files that a content lies in. */
  filesOf(content: number): string[] {
    return this.#statements.filesOf.all(content).map(({ name }) => String(name));
  }

  /** Whether a content is just what a put says, and the put brings nothing. */
  holds(content: number, { fresh, parts, sizes }: KeepChange): boolean {
    return fresh.length === 0 && isSame(this.#runs(content, 0), runsOf(parts, sizes));
  }

  /** The content's row is there. What it was made of before may have nobody now. */
  keep(content: number, { name, fresh, parts, sizes }: KeepChange): void {
    const before = this.#runs(content, 0);
    const file = this.#statements.fileByName.get(name)?.id;
    const ids = fresh.map((chunk) => this.#add(Number(file), chunk));
    const runs = runsOf(
      parts.map((part) => (part < 0 ? (ids[-part - 1] ?? 0) : part)),
      sizes,
    );
    this.#statements.removeRuns.run(content);
    for (const run of runs) this.#statements.addRun.run(content, ...run);
    this.#loosen(before);
    if (fresh.length > 0) this.#statements.setState.run(FILE.kept, name);
  }

  /** A content is no more. */
  release(content: number): void {
    const before = this.#runs(content, 0);
    this.#statements.removeRuns.run(content);
    this.#loosen(before);
  }

  apply(change: Exclude<ChunkChange, KeepChange>): boolean {
    const statements = this.#statements;
    switch (change.kind) {
      case "begin":
        return statements.addFile.run(change.name, FILE.incoming).changes > 0;
      case "abandon":
        return statements.abandon.run(change.name).changes > 0;
      case "moved":
        return this.#move(change);
      case "settled":
        for (const { id } of this.#inFile(change.name)) if (this.#isUnused(id)) statements.removeChunk.run(id);
        return statements.settle.run(change.name).changes > 0;
      case "gone":
        return statements.removeFile.run(change.name).changes > 0;
    }
  }

  /** Files that can go, and those out of which something has to. */
  untidy(): { going: string[]; mixed: string[] } {
    const names = (state: number) => this.#statements.inState.all(state).map(({ name }) => String(name));
    return { going: names(FILE.going), mixed: names(FILE.mixed) };
  }

  plan(name: string): SweepPlan {
    const chunks = this.#inFile(name);
    const keep = chunks.filter(({ id }) => !this.#isUnused(id));
    return { keep, unused: chunks.length - keep.length };
  }

  #add(file: number, { hash, size, at, stored, form, replaces }: FreshChunk): number {
    const place = [size, file, at, stored, form] as const;
    const bytes = Buffer.from(hash, "hex");
    const row = replaces === null ? undefined : this.#statements.row.get(replaces);
    if (row === undefined || replaces === null)
      return Number(this.#statements.add.run(bytes, ...place).lastInsertRowid);
    // Its former place is a chunk that nobody has: so it is known what has to go.
    this.#statements.copy.run(replaces);
    this.#statements.place.run(...place, replaces);
    this.#statements.mix.run(Number(row.file));
    return replaces;
  }

  #move({ from, to, ids, ats }: Extract<ChunkChange, { kind: "moved" }>): boolean {
    const file = to === null ? undefined : this.#statements.fileByName.get(to)?.id;
    const there = new Set(this.#inFile(from).map(({ id }) => id));
    if (!ids.every((id) => there.has(id))) return false; // a put has mended one meanwhile: what was copied is the damaged one
    for (const [i, id] of ids.entries()) this.#statements.move.run(Number(file), ats[i] ?? 0, id);
    this.#statements.removeChunks.run(from);
    if (to !== null) this.#statements.setState.run(ids.some((id) => !this.#isNamed(id)) ? FILE.mixed : FILE.kept, to);
    return this.#statements.setState.run(FILE.going, from).changes > 0;
  }

  /** Chunks of these runs that no other run has must go, sooner or later. */
  #loosen(runs: readonly Run[]): void {
    for (const [, first, count] of runs) this.#statements.loosen.run(first, first + count - 1);
  }

  #isUnused(id: number): boolean {
    for (const pins of this.#pins.values()) if (pins.has(id)) return false;
    return !this.#isNamed(id);
  }

  #isNamed(id: number): boolean {
    return this.#statements.named.get(id, id, id) !== undefined;
  }

  #inFile(name: string): ChunkPlace[] {
    const rows: unknown[] = this.#statements.inFile.all(name);
    return rows.filter(isChunkPlace);
  }

  #runs(content: number, from: number): Run[] {
    return this.#statements.runs.all(content, from) as unknown[] as Run[]; // the columns of this very statement
  }
}

/** Chunks whose ids follow one another are one run. */
function runsOf(parts: readonly number[], sizes: readonly number[]): Run[] {
  const runs: [at: number, first: number, count: number][] = [];
  let at = 0;
  for (const [i, id] of parts.entries()) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] + last[2] === id && last[2] < MAX_RUN) last[2]++;
    else runs.push([at, id, 1]);
    at += sizes[i] ?? 0;
  }
  return runs;
}

function isSame(some: readonly Run[], others: readonly Run[]): boolean {
  return some.length === others.length && some.every((run, i) => run.every((value, k) => value === others[i]?.[k]));
}

function senseless(content: number): Refusal {
  return new Refusal("damaged", `what is noted of the chunks of content ${content} makes no sense`);
}

const PLACE = "chunk.id AS id, name, at, stored, form, size FROM chunk JOIN file ON file.id = chunk.file";
/** Whether a run has a chunk: it begins there, or not far before. */
const named = (id: string) =>
  `SELECT 1 FROM run WHERE first BETWEEN ${id} - ${MAX_RUN - 1} AND ${id} AND first + count > ${id}`;

const SQL = {
  byHash: `SELECT ${PLACE} WHERE hash = ? AND state = ${FILE.kept} ORDER BY chunk.id LIMIT 1`,
  places: `SELECT lower(hex(hash)) AS hash, ${PLACE} WHERE chunk.id BETWEEN ? AND ? ORDER BY chunk.id`,
  inFile: `SELECT ${PLACE} WHERE name = ? ORDER BY at`,
  row: "SELECT file FROM chunk WHERE id = ?",
  add: "INSERT INTO chunk (hash, size, file, at, stored, form) VALUES (?, ?, ?, ?, ?, ?)",
  copy: `INSERT INTO chunk (hash, size, file, at, stored, form)
    SELECT hash, size, file, at, stored, form FROM chunk WHERE id = ?`,
  place: "UPDATE chunk SET size = ?, file = ?, at = ?, stored = ?, form = ? WHERE id = ?",
  move: "UPDATE chunk SET file = ?, at = ? WHERE id = ?",
  removeChunk: "DELETE FROM chunk WHERE id = ?",
  removeChunks: "DELETE FROM chunk WHERE file = (SELECT id FROM file WHERE name = ?)",
  named: `${named("?")} LIMIT 1`,
  runAt: "SELECT max(at) AS at FROM run WHERE content = ? AND at <= ?",
  runs: "SELECT at, first, count FROM run WHERE content = ? AND at >= ? ORDER BY at",
  addRun: "INSERT INTO run (content, at, first, count) VALUES (?, ?, ?, ?)",
  removeRuns: "DELETE FROM run WHERE content = ?",
  filesOf: `SELECT DISTINCT name FROM run JOIN chunk ON chunk.id BETWEEN first AND first + count - 1
    JOIN file ON file.id = chunk.file WHERE content = ?`,
  loosen: `UPDATE file SET state = ${FILE.mixed} WHERE state = ${FILE.kept} AND id IN (
    SELECT file FROM chunk WHERE id BETWEEN ? AND ? AND NOT EXISTS (${named("chunk.id")}))`,
  mix: `UPDATE file SET state = ${FILE.mixed} WHERE id = ? AND state = ${FILE.kept}`,
  addFile: "INSERT INTO file (name, state) VALUES (?, ?)",
  fileByName: "SELECT id FROM file WHERE name = ?",
  setState: "UPDATE file SET state = ? WHERE name = ?",
  settle: `UPDATE file SET state = ${FILE.kept} WHERE name = ? AND state = ${FILE.mixed}
    AND NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.file = file.id AND NOT EXISTS (${named("chunk.id")}))`,
  abandon: `UPDATE file SET state = ${FILE.going} WHERE name = ? AND state = ${FILE.incoming}`,
  forsake: `UPDATE file SET state = ${FILE.going} WHERE state = ${FILE.incoming}`,
  untidy: `SELECT 1 FROM file WHERE state > ${FILE.incoming} LIMIT 1`,
  inState: "SELECT name FROM file WHERE state > 0 AND state = ?",
  removeFile: `DELETE FROM file WHERE name = ? AND state = ${FILE.going}`,
} as const;
