import {
  type ContentRef,
  canonicalise,
  type Envelope,
  type Json,
  type KnownEvent,
  recognise,
  references,
} from "@choiros/contract";
import { type Contents, LogError, type Thread } from "@choiros/log";
import { changesOf } from "../change-list.ts";
import type { Exported, MissingContent, Watching } from "../computer-port.ts";
import type { Change } from "../outcome.ts";
import { type ExportedEvent, PIECE_BYTES } from "./export-file.ts";
import type { ExportOperations } from "./export-thread.ts";

/** Bytes of events that go over to the thread at once. */
const BATCH_CHARACTERS = 1024 * 1024;

/** The first ones that are missing are named; more of them say nothing new. */
const MAX_NAMED = 20;

/** What goes into an export: events as they come, and each content that they name, once. */
export class ExportedParts {
  contents = 0;
  bytes = 0;
  readonly #thread: Thread<ExportOperations>;
  readonly #contents: Contents;
  readonly #watching: Watching;
  #batch: ExportedEvent[] = [];
  #characters = 0;
  #missing = 0;
  readonly #named: MissingContent[] = [];
  /** The one whose contents are copied. */
  #event: KnownEvent | undefined;

  constructor(thread: Thread<ExportOperations>, contents: Contents, watching: Watching) {
    this.#thread = thread;
    this.#contents = contents;
    this.#watching = watching;
  }

  async add(event: Envelope): Promise<void> {
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

  get missing(): Exported["missing"] {
    return { count: this.#missing, first: this.#named };
  }

  async #contentsOf(event: Envelope): Promise<void> {
    const known = recognise(event);
    if (!known.ok) return; // a newer version wrote it, and knows what it names
    this.#event = known.value;
    const named = references(known.value);
    await this.#addContents(named.contents);
    if (named.list === undefined || !(await this.#contents.has(named.list.hash))) return;
    const slices = changesOf(this.#contents, known.value);
    for (;;) {
      const next = await slices.next().catch(unlessDamaged);
      if (next === undefined || next.done === true) return;
      await this.#addContents(next.value.flatMap(contentsOf));
    }
  }

  async #addContents(refs: readonly ContentRef[]): Promise<void> {
    if (refs.length === 0) return;
    const sizes = new Map(refs.map(({ hash, size }) => [hash, size]));
    const fresh = await this.#thread.call(
      0,
      "newContents",
      Array.from(sizes, ([hash, size]) => ({ hash, size, state: "present" as const })),
    );
    for (const page of pagesOf(fresh, sizes)) await this.#copyAll(page);
  }

  /** The small ones together; what is large, or isn't as it should be, by itself. */
  async #copyAll(hashes: readonly string[]): Promise<void> {
    this.#tell();
    const small = await this.#contents.getSmall(hashes);
    await this.#thread.call(
      0,
      "addPieces",
      Array.from(small, ([hash, bytes]) => ({ hash, number: 0, bytes })).filter(({ bytes }) => bytes.length > 0),
    );
    for (const bytes of small.values()) this.bytes += bytes.length;
    this.contents += small.size;
    for (const hash of hashes) if (!small.has(hash)) await this.#copy(hash);
  }

  async #copy(hash: string): Promise<void> {
    const bytes = await this.#contents.get(hash);
    if (bytes === undefined) return this.#absent(hash);
    try {
      let [number, size] = [0, 0];
      for await (const piece of piecesOf(bytes)) {
        this.#tell();
        size += piece.length;
        await this.#thread.call(0, "addPieces", [{ hash, number: number++, bytes: piece }]);
      }
      this.contents++;
      this.bytes += size;
    } catch (error) {
      if (!(error instanceof LogError && error.code === "damaged")) throw error;
      await this.#thread.call(0, "dropPieces", hash);
      await this.#absent(hash);
    }
  }

  /** Before each step that takes a while. */
  #tell(): void {
    this.#watching.signal?.throwIfAborted();
    this.#watching.onProgress?.({ what: "contents", done: this.contents });
  }

  async #absent(hash: string): Promise<void> {
    const found = await this.#contents.check(hash);
    await this.#thread.call(0, "setState", { hash, state: found === "pruned" ? "pruned" : "missing" });
    if (found === "pruned" || this.#event === undefined) return;
    this.#missing++;
    if (this.#named.length === MAX_NAMED) return;
    const state = found === "missing" ? "missing" : "damaged"; // also where only one of two tries could read it
    this.#named.push({ hash, state, seq: this.#event.seq, key: await this.#keyOf(hash, this.#event) });
  }

  /** What the event has this content for. */
  async #keyOf(hash: string, event: KnownEvent): Promise<string | null> {
    const slices = changesOf(this.#contents, event);
    for (;;) {
      const next = await slices.next().catch(unlessDamaged);
      if (next === undefined || next.done === true) return null;
      const change = next.value.find((one) => contentsOf(one).some((ref) => ref.hash === hash));
      if (change !== undefined && "key" in change) return change.key;
    }
  }
}

/** What a list names that is damaged, or none, can't be known; all the rest is exported. */
function unlessDamaged(error: unknown): undefined {
  if (error instanceof LogError && error.code !== "damaged") throw error;
}

function contentsOf(change: Change): ContentRef[] {
  if ("name" in change) return [];
  return [change.before, change.after].flatMap((entry) =>
    entry === null || entry.kind === "dir" ? [] : [{ hash: entry.hash, size: entry.size }],
  );
}

/** Contents that are copied at once: as many as a few megabytes hold. */
const PAGE = 500;

function* pagesOf(hashes: readonly string[], sizes: ReadonlyMap<string, number>): Generator<string[]> {
  let page: string[] = [];
  let bytes = 0;
  for (const hash of hashes) {
    page.push(hash);
    bytes += sizes.get(hash) ?? 0;
    if (page.length < PAGE && bytes < PIECE_BYTES) continue;
    yield page;
    page = [];
    bytes = 0;
  }
  if (page.length > 0) yield page;
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
