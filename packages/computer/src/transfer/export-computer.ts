import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type ContentRef, canonicalise, type Envelope, type Json, recognise, references } from "@choiros/contract";
import { type Contents, type Log, LogError, Thread } from "@choiros/log";
import { changesOf } from "../change-list.ts";
import type { Exported, Watching } from "../computer-port.ts";
import type { Change } from "../outcome.ts";
import { type ExportedEvent, FORMAT, FORMAT_VERSION, PIECE_BYTES } from "./export-file.ts";
import type { ExportOperations } from "./export-thread.ts";

/**
 * Writes log and contents into one file, as they stand now; others may go on writing. The file has its name only when
 * it is complete and on the disk, and it never takes the place of one that is there.
 */
export async function exportComputer(
  log: Log,
  contents: Contents,
  target: string,
  { onProgress, signal }: Watching = {},
): Promise<Exported> {
  const file = resolve(target);
  const draft = `${file}.incomplete`;
  const head = await log.head();
  const thread = new Thread<ExportOperations>(new URL("./export-thread.ts", import.meta.url));
  const writer = new Writer(thread, contents);
  try {
    await mkdir(dirname(file), { recursive: true });
    await assertFree(file);
    await rm(draft, { force: true }); // left by one that was cut off
    await thread.call(0, "create", draft);
    for await (const event of log.read({ to: head.seq })) {
      signal?.throwIfAborted();
      await writer.event(event);
      if (event.seq % 1000 === 0) onProgress?.({ what: "events", done: event.seq, total: head.seq });
    }
    await writer.flush();
    const about = { format: FORMAT, version: String(FORMAT_VERSION), user_id: log.userId, log_id: log.logId };
    const moment = { seq: String(head.seq), hash: head.hash, made: new Date().toISOString() };
    await thread.call(0, "finish", { ...about, ...moment });
    await assertFree(file);
    await rename(draft, file);
    const folder = await open(dirname(file), "r");
    await folder.sync().finally(() => folder.close());
    return { file, ...head, events: head.seq, contents: writer.contents, bytes: writer.bytes };
  } catch (error) {
    await thread.call(0, "close", undefined).catch(() => {}); // the first error is the one to tell
    await rm(draft, { force: true });
    throw error;
  } finally {
    await thread.end();
  }
}

/** An export is never written over: it may be the only copy of what it holds. */
async function assertFree(file: string): Promise<void> {
  const there = await open(file, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (there === undefined) return;
  await there.close();
  throw new LogError("misuse", `${file} is there already: choose another name, or remove it first`);
}

/** Bytes of events that go over to the thread at once. */
const BATCH_CHARACTERS = 1024 * 1024;

class Writer {
  contents = 0;
  bytes = 0;
  readonly #thread: Thread<ExportOperations>;
  readonly #contents: Contents;
  #batch: ExportedEvent[] = [];
  #characters = 0;

  constructor(thread: Thread<ExportOperations>, contents: Contents) {
    this.#thread = thread;
    this.#contents = contents;
  }

  async event(event: Envelope): Promise<void> {
    const { hash, user_id: _, ...rest } = event;
    const body = canonicalise(rest as Json); // it came as JSON
    this.#batch.push({ seq: event.seq, hash, body });
    this.#characters += body.length;
    await this.#contentsOf(event);
    if (this.#characters > BATCH_CHARACTERS) await this.flush();
  }

  async flush(): Promise<void> {
    await this.#thread.call(0, "addEvents", this.#batch);
    this.#batch = [];
    this.#characters = 0;
  }

  async #contentsOf(event: Envelope): Promise<void> {
    const known = recognise(event);
    if (!known.ok) return; // a newer version wrote it, and knows what it names
    const named = references(known.value);
    await this.#add(named.contents);
    if (named.list === undefined || !(await this.#contents.has(named.list.hash))) return;
    for await (const slice of changesOf(this.#contents, known.value)) await this.#add(slice.flatMap(contentsOf));
  }

  async #add(refs: readonly ContentRef[]): Promise<void> {
    if (refs.length === 0) return;
    const fresh = await this.#thread.call(
      0,
      "newContents",
      refs.map((ref) => ({ ...ref, state: "present" as const })),
    );
    for (const hash of fresh) await this.#copy(hash);
  }

  async #copy(hash: string): Promise<void> {
    const bytes = await this.#contents.get(hash);
    if (bytes === undefined) return this.#absent(hash);
    try {
      let number = 0;
      for await (const piece of piecesOf(bytes)) {
        this.bytes += piece.length;
        await this.#thread.call(0, "addPieces", [{ hash, number: number++, bytes: piece }]);
      }
      this.contents++;
    } catch (error) {
      if (!(error instanceof LogError && error.code === "damaged")) throw error;
      await this.#thread.call(0, "dropPieces", hash);
      await this.#absent(hash);
    }
  }

  async #absent(hash: string): Promise<void> {
    const pruned = (await this.#contents.check(hash)) === "pruned";
    await this.#thread.call(0, "setState", { hash, state: pruned ? "pruned" : "missing" });
  }
}

function contentsOf(change: Change): ContentRef[] {
  if ("name" in change) return [];
  return [change.before, change.after].flatMap((entry) =>
    entry === null || entry.kind === "dir" ? [] : [{ hash: entry.hash, size: entry.size }],
  );
}

async function* piecesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const part = chunk.subarray(at, at + PIECE_BYTES);
      if (size + part.length > PIECE_BYTES) {
        yield Buffer.concat(gathered);
        gathered = [];
        size = 0;
      }
      gathered.push(part);
      size += part.length;
    }
  }
  if (size > 0) yield Buffer.concat(gathered);
}
