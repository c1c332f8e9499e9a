import { cpSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Envelope, type Id, MAX_SMALL_CONTENT_BYTES } from "@choiros/contract";
import { openStore, type Store } from "@choiros/log";
import { readContent } from "./ledger.ts";
import { planned } from "./plan.ts";

/** A store before it was damaged, and everything that is in it. */
export interface Original {
  readonly dir: string;
  readonly events: readonly Envelope[];
  readonly rows: readonly Row[];
  readonly contents: ReadonlyMap<string, Buffer>;
}

/** A row of the log's table, whatever its columns. */
export type Row = Readonly<Record<string, unknown>>;

const EVENTS = 200;
const MAX_LARGE = 3;

/** Makes two stores: `closed`, and `open` as it stands while half of it is still in the write-ahead log. */
export async function makeOriginals(folder: string): Promise<void> {
  const ids = chooseIds();
  const closed = join(folder, "closed");
  await write(closed, ids);
  const growing = join(folder, "growing");
  await write(growing, ids.slice(0, EVENTS / 2));
  const open = join(folder, "open");
  await write(growing, ids.slice(EVENTS / 2), () => cpSync(growing, open, { recursive: true, filter: isKept }));
}

/** From a copy: not even a look may touch the original. */
export async function readOriginal(dir: string, place: string): Promise<Original> {
  const copy = join(place, "copy");
  cpSync(dir, copy, { recursive: true });
  const store = await open(copy, "write");
  const events = await Array.fromAsync(store.log.read());
  const contents = new Map<string, Buffer>();
  for (const hash of new Set(JSON.stringify(events).match(/(?<="hash":")[0-9a-f]{64}(?=","size")/g))) {
    const bytes = await readContent(store, hash);
    if (bytes !== undefined) contents.set(hash, bytes);
  }
  await store.close();
  const { rows } = readRows(join(copy, "log.sqlite"));
  rmSync(copy, { recursive: true });
  return { dir, events, rows, contents };
}

/** What a store is made of; not who holds it, nor what SQLite makes anew. */
function isKept(path: string): boolean {
  return !/writer\.(?:lock|json)|-shm$|-journal$/.test(path);
}

export function filesOf(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((name) => isKept(name) && statSync(join(dir, name)).isFile())
    .sort();
}

/** The rows as SQLite gives them, past all of our own code, until one can't be read. */
export function readRows(file: string): { rows: Row[]; error?: unknown } {
  const rows: Row[] = [];
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { readOnly: true });
    for (const row of db.prepare("SELECT * FROM event ORDER BY seq").iterate()) rows.push({ ...row });
    return { rows };
  } catch (error) {
    return { rows, error };
  } finally {
    db?.close();
  }
}

/** A few large contents will do: each damage is done to a copy of it all. */
function chooseIds(): Id[] {
  const ids: Id[] = [];
  let large = 0;
  for (let number = 0; ids.length < EVENTS - 1; number++) {
    const { draft, content } = planned(`damage-${number}`);
    if (content !== undefined && content.length > MAX_SMALL_CONTENT_BYTES && large++ >= MAX_LARGE) continue;
    ids.push(draft.id ?? "");
  }
  return ids;
}

async function write(dir: string, ids: readonly Id[], beforeClosing: () => void = () => {}): Promise<void> {
  const store = await open(dir, "write");
  for (const id of ids) {
    const { draft, content } = planned(id);
    if (content !== undefined) await store.contents.put(content);
    const appended = await store.log.append(draft);
    if (!appended.ok) throw new Error(appended.message);
  }
  beforeClosing();
  await store.close();
}

async function open(dir: string, mode: "write" | "read"): Promise<Store> {
  const opened = await openStore({ dir, userId: "ada", mode, create: mode === "write", who: "torture" });
  if (!opened.ok) throw new Error(opened.message);
  return opened.store;
}
