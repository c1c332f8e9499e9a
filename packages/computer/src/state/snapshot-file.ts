import { createHash } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Applied } from "./state-file.ts";

/** What is noted beside a snapshot, so that it can be held against its own bytes and against the log. */
interface Note extends Applied {
  readonly sha256: string;
}

const KEPT = 2;

/** Seqs of the snapshots in a folder, the newest first. Only what has its note is one. */
export function listSnapshots(folder: string): number[] {
  return namesIn(folder)
    .flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a);
}

export function snapshotPath(folder: string, seq: number): string {
  return join(folder, `${seq}.sqlite`);
}

export function removeSnapshot(folder: string, seq: number): void {
  rmSync(notePath(folder, seq), { force: true }); // first: without it, the rest is scrap
  rmSync(snapshotPath(folder, seq), { force: true });
}

/** A compact copy of the state as it is right now, with its name only once it is whole and on the disk. Blocks. */
export function takeSnapshot(state: string, folder: string): Applied {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  clearScrap(folder);
  const draft = join(folder, "snapshot.new");
  const applied = copyState(state, draft);
  const sha256 = hashOf(draft);
  sync(draft);
  renameSync(draft, snapshotPath(folder, applied.seq));
  const note: Note = { ...applied, sha256 };
  const noteDraft = join(folder, "note.new");
  writeDurably(noteDraft, JSON.stringify(note));
  sync(folder);
  renameSync(noteDraft, notePath(folder, applied.seq));
  sync(folder);
  for (const seq of listSnapshots(folder).slice(KEPT)) removeSnapshot(folder, seq);
  return applied;
}

/** The event a snapshot was taken after, or why it isn't what was taken. Blocks. */
export function checkSnapshot(folder: string, seq: number): Applied | { readonly wrong: string } {
  try {
    const note: Partial<Note> = JSON.parse(readFileSync(notePath(folder, seq), "utf8"));
    if (note.seq !== seq || typeof note.hash !== "string") return { wrong: "its note makes no sense" };
    if (hashOf(snapshotPath(folder, seq)) !== note.sha256) return { wrong: "its bytes aren't those that were written" };
    return { seq, hash: note.hash };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) };
  }
}

function copyState(state: string, to: string): Applied {
  const db = new DatabaseSync(state, { readOnly: true, timeout: 5000 });
  try {
    db.prepare("VACUUM INTO ?").run(to);
  } finally {
    db.close();
  }
  const copy = new DatabaseSync(to, { readOnly: true });
  try {
    const row = copy.prepare("SELECT seq, hash FROM applied").get();
    return { seq: Number(row?.seq), hash: String(row?.hash) };
  } finally {
    copy.close();
  }
}

/** What an earlier try left: drafts, and snapshots that never got their note. */
function clearScrap(folder: string): void {
  const whole = new Set(listSnapshots(folder));
  for (const name of namesIn(folder)) {
    const seq = /^(\d+)\.sqlite$/.exec(name)?.[1];
    if (name.endsWith(".new") || (seq !== undefined && !whole.has(Number(seq))))
      rmSync(join(folder, name), { force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // none was taken yet
  }
}

function notePath(folder: string, seq: number): string {
  return join(folder, `${seq}.json`);
}

function hashOf(path: string): string {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(1 << 20);
  const fd = openSync(path, "r");
  try {
    for (let read = readSync(fd, buffer); read > 0; read = readSync(fd, buffer)) hash.update(buffer.subarray(0, read));
  } finally {
    closeSync(fd);
  }
  return hash.digest("hex");
}

function writeDurably(path: string, text: string): void {
  const fd = openSync(path, "w", 0o600);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function sync(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
