import { hash as digest } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ContentRef } from "@choiros/contract";
import { messageOf } from "../message-of.ts";
import { type ChunkChange, ChunkList, type KeepChange } from "./chunk-list.ts";
import type { ChunkPart } from "./chunk-row.ts";
import { type ContentRow, isContentRow } from "./content-row.ts";
import { CONTENT_SQL } from "./content-sql.ts";
import { openFile, prepareFile } from "./log-file.ts";
import { inspectVersion, type Migration } from "./migrate.ts";
import { Refusal } from "./refusal.ts";
import { FORM } from "./schema.ts";
import { prepareAll } from "./statements.ts";
import { expanded, packed } from "./zstd.ts";

/** What the file knows of a content. Neither small nor dropped, its chunks lie in the folder. */
export interface KeptContent {
  readonly size: number;
  readonly form: ContentRow["form"];
  /** Bytes that it takes in this file. */
  readonly stored: number;
  readonly bytes: Uint8Array | null;
  readonly small: boolean;
  readonly dropped: string | null;
}

export type ContentChange =
  | ChunkChange
  | { readonly kind: "put"; readonly hash: string; readonly size: number; readonly bytes: Uint8Array }
  | { readonly kind: "drop"; readonly hash: string; readonly at: string }
  /** Was dropped in another store, of which this one becomes a copy. */
  | { readonly kind: "pruned"; readonly hash: string; readonly size: number; readonly at: string }
  /** Another form of the same content; `against` names the content that `bytes` were compressed against. */
  | {
      readonly kind: "pack";
      readonly hash: string;
      readonly form: ContentRow["form"];
      readonly bytes: Uint8Array | null;
      readonly against: string | null;
    };

/** So long may it take to put a content together: that many contents, each compressed against the next. */
export const MAX_CHAIN = 32;

/** Most packed pieces are a few KB: smaller pages leave less of them empty. */
const SHAPE = "PRAGMA page_size = 2048; PRAGMA auto_vacuum = INCREMENTAL";

/** Free pages that are kept for what comes next, and how many go back to the system at once. */
const SPARE_PAGES = 64;
const TRIM_PAGES = 256;

/** The file of the small contents, and the list of all of them. Blocks, like `LogFile`. */
export class ContentsFile {
  readonly notices: readonly string[];
  readonly chunks: ChunkList;
  readonly #db: DatabaseSync;
  readonly #mode: "write" | "read";
  readonly #statements: Record<keyof typeof CONTENT_SQL, StatementSync>;

  constructor(path: string, mode: "write" | "read", migrations: readonly Migration[]) {
    this.#db = openFile(path, mode);
    this.#mode = mode;
    try {
      const isNew = inspectVersion(this.#db, path, migrations.length) === 0;
      if (isNew && mode === "write") this.#db.exec(SHAPE); // heeded while there is nothing in it yet
      this.notices = prepareFile(this.#db, path, mode, migrations);
      if (mode === "write") this.#allowToShrink();
      this.#statements = prepareAll(this.#db, CONTENT_SQL);
      this.chunks = new ChunkList(this.#db);
      if (mode === "write") this.chunks.forsakeIncoming();
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  /** A file of version 1 never gave anything back. Cut off, it is as it was, and the next opening does it. */
  #allowToShrink(): void {
    if (this.#db.prepare("PRAGMA auto_vacuum").get()?.auto_vacuum !== 0) return;
    this.#db.exec("PRAGMA auto_vacuum = INCREMENTAL; VACUUM");
  }

  get(hash: string, withBytes: boolean): KeptContent | undefined {
    return this.#atOneMoment(() => {
      const row = this.#row(hash);
      if (row === undefined) return undefined;
      const { size, form, dropped, piece } = row;
      const stored = piece === null ? 0 : Number(this.#statements.length.get(piece)?.length ?? 0);
      const bytes = withBytes && piece !== null ? this.#bytesOf(row, hash) : null;
      return { size, form, stored, bytes, small: piece !== null, dropped };
    });
  }

  list(after: string): ContentRef[] {
    const rows = this.#statements.list.all(bytesOfHex(after));
    return rows.map(({ hash, size }) => ({ hash: String(hash), size: Number(size) }));
  }

  /** Some of a large content's chunks, that reach beyond this place in it; `undefined` where it is dropped by now. */
  chunksAt(hash: string, from: number): ChunkPart[] | undefined {
    return this.#atOneMoment(() => {
      const row = this.#row(hash);
      return row?.dropped === null ? this.chunks.page(row.id, from) : undefined;
    });
  }

  /** The files in which a large content lies. */
  filesOf(hash: string): string[] {
    return this.#atOneMoment(() => this.chunks.filesOf(this.#row(hash)?.id ?? 0));
  }

  /** All of them in one commit, or none. Says of each whether it changed anything. */
  change(changes: readonly ContentChange[]): boolean[] {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const done = changes.map((change) => this.#apply(change));
      this.#db.exec("COMMIT");
      return done;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  /** Gives back some of the room that packing and dropping made, where it is worth a write. */
  trim(spare = SPARE_PAGES): void {
    const free = Number(this.#db.prepare("PRAGMA freelist_count").get()?.freelist_count);
    if (free > spare) this.#db.exec(`PRAGMA incremental_vacuum(${TRIM_PAGES})`);
  }

  close(): void {
    try {
      if (this.#mode === "write") this.trim(0);
    } catch {
      // A disk that is full or failed keeps the room a while longer: no reason not to close.
    }
    this.#db.close();
  }

  #apply(change: ContentChange): boolean {
    switch (change.kind) {
      case "put":
        return this.#put(change);
      case "drop":
        return this.#drop(change);
      case "pruned":
        return this.#statements.insertPruned.run(bytesOfHex(change.hash), change.size, change.at).changes > 0;
      case "pack":
        return this.#pack(change);
      case "keep":
        return this.#keep(change);
      default:
        return this.chunks.apply(change);
    }
  }

  /** Putting what is there changes nothing; putting what was dropped, or got damaged, brings it back. */
  #put({ hash, size, bytes }: Extract<ContentChange, { kind: "put" }>): boolean {
    const row = this.#lenientRow(hash);
    if (row === undefined)
      return this.#statements.insert.run(bytesOfHex(hash), size, this.#addPiece(bytes)).changes > 0;
    if (row.dropped === null && row.size === size && this.#isWhole(row, hash)) return false;
    if (row.piece !== null) this.#statements.removePiece.run(row.piece);
    return this.#statements.bringBack.run(size, this.#addPiece(bytes), row.id).changes > 0;
  }

  /** The same for a large one, of which the put has made sure that every chunk is there and whole. */
  #keep(change: KeepChange): boolean {
    const { hash, size } = change;
    const row = this.#lenientRow(hash);
    if (row?.dropped === null && row.size === size && this.chunks.holds(row.id, change)) return false;
    if (row !== undefined) this.#statements.bringBack.run(size, null, row.id);
    const id = row?.id ?? this.#statements.insert.run(bytesOfHex(hash), size, null).lastInsertRowid;
    this.chunks.keep(Number(id), change);
    return true;
  }

  /** What was compressed against it is made to do without, first. */
  #drop({ hash, at }: Extract<ContentChange, { kind: "drop" }>): boolean {
    const row = this.#lenientRow(hash);
    if (row === undefined || row.dropped !== null) return false;
    for (const needing of this.#statements.needing.all(row.id)) this.#free(needing, row);
    if (row.piece !== null) this.#statements.removePiece.run(row.piece);
    this.chunks.release(row.id);
    return this.#statements.drop.run(at, row.id).changes > 0;
  }

  /** It leans on what its base leaned on. One that can't be put together is damaged already, with its base or without. */
  #free(needing: unknown, base: ContentRow): void {
    if (!isContentRow(needing) || needing.piece === null) return;
    const hash = Buffer.from(needing.hash).toString("hex");
    if (!this.#isWhole(needing, hash)) return;
    const next = this.#baseOf(base);
    const bytes = packed(this.#bytesOf(needing, hash), next && this.#bytesOf(next, hash));
    this.#statements.removePiece.run(needing.piece);
    this.#statements.keep.run(next ? FORM.against : FORM.alone, this.#addPiece(bytes), next?.id ?? null, needing.id);
  }

  #pack(change: Extract<ContentChange, { kind: "pack" }>): boolean {
    const row = this.#lenientRow(change.hash);
    if (row === undefined || row.dropped !== null || row.form >= change.form) return false;
    if (row.piece === null) return false;
    const base = change.against === null ? null : this.#lenientRow(change.against);
    if (base === undefined || (base !== null && !this.#raise(base, row))) return false;
    if (change.bytes === null) return this.#statements.keep.run(change.form, row.piece, null, row.id).changes > 0;
    const piece = this.#addPiece(change.bytes);
    this.#statements.removePiece.run(row.piece);
    return this.#statements.keep.run(change.form, piece, base?.id ?? null, row.id).changes > 0;
  }

  /** Notes that `row` will need `base`; `false` where that would go in a circle, or make a chain too long. */
  #raise(base: ContentRow, row: ContentRow): boolean {
    if (base.dropped !== null || base.piece === null) return false;
    const above: ContentRow[] = [];
    for (let next: ContentRow | undefined = base; next !== undefined; next = this.#baseOf(next)) {
      above.push(next);
      if (next.id === row.id || above.length + row.height > MAX_CHAIN) return false;
    }
    for (const [i, one] of above.entries()) this.#statements.raise.run(row.height + 1 + i, one.id);
    return true;
  }

  #addPiece(bytes: Uint8Array): number {
    return Number(this.#statements.addPiece.run(bytes).lastInsertRowid);
  }

  #isWhole(row: ContentRow, hash: string): boolean {
    if (row.piece === null) return false;
    try {
      return digest("sha256", this.#bytesOf(row, hash)) === hash;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  /** Follows the bases to one that stands by itself, then puts it together on the way back. */
  #bytesOf(row: ContentRow, hash: string): Uint8Array {
    const chain: ContentRow[] = [];
    for (let next: ContentRow | undefined = row; next !== undefined; next = this.#baseOf(next)) {
      if (chain.push(next) > MAX_CHAIN + 1) throw lost(hash);
    }
    let bytes: Uint8Array | undefined;
    for (const one of chain.reverse()) bytes = this.#expand(one, bytes, hash);
    return bytes ?? new Uint8Array(0);
  }

  #expand({ size, form, piece }: ContentRow, base: Uint8Array | undefined, hash: string): Uint8Array {
    const kept = piece === null ? undefined : this.#statements.piece.get(piece)?.bytes;
    if (!(kept instanceof Uint8Array) || (form === FORM.against) !== (base !== undefined)) throw lost(hash);
    if (form === FORM.fresh || form === FORM.plain) return kept;
    try {
      return expanded(kept, size, base);
    } catch (error) {
      throw new Refusal("damaged", `content ${hash} can't be unpacked: ${messageOf(error)}`);
    }
  }

  #baseOf({ base }: ContentRow): ContentRow | undefined {
    if (base === null) return undefined;
    const row = this.#statements.byId.get(base);
    return isContentRow(row) ? row : undefined;
  }

  #row(hash: string): ContentRow | undefined {
    const row = this.#statements.byHash.get(bytesOfHex(hash));
    if (row === undefined || isContentRow(row)) return row;
    throw new Refusal("damaged", `what is noted of content ${hash} makes no sense`);
  }

  /** For a change, which can mend what makes no sense: then only its place is known. */
  #lenientRow(hash: string): ContentRow | undefined {
    const row = this.#statements.byHash.get(bytesOfHex(hash));
    if (row === undefined || isContentRow(row)) return row;
    const piece = typeof row.piece === "number" ? row.piece : null;
    return { ...SENSELESS, id: Number(row.id), hash: bytesOfHex(hash), piece };
  }

  /** Several statements that see the same file, though another process packs meanwhile. */
  #atOneMoment<T>(read: () => T): T {
    if (this.#mode === "write") return read(); // nobody else writes
    this.#db.exec("BEGIN");
    try {
      return read();
    } finally {
      this.#db.exec("COMMIT");
    }
  }
}

const SENSELESS = { size: -1, form: FORM.fresh, base: null, height: 0, dropped: null };

function lost(hash: string): Refusal {
  return new Refusal("damaged", `content ${hash} needs another one that is gone`);
}

function bytesOfHex(hash: string): Uint8Array {
  return Buffer.from(hash, "hex");
}
