import { existsSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import {
  type ContentRef,
  canonicalise,
  type Draft,
  type Envelope,
  MAX_EVENT_BYTES,
  type Sha256,
} from "@choiros/contract";
import type { ContentSource } from "../contents.ts";
import type { Head } from "../log.ts";
import { LogError } from "../log-error.ts";
import { verifyContents } from "../verify-contents.ts";
import { clearDraft, draftOf, missingAbove, removeEmpty } from "./draft-store.ts";
import { makeFolderDurably, syncFolder } from "./durable.ts";
import type { Sealed } from "./log-file.ts";
import { openParts, type StoreParts } from "./open-store.ts";
import { Refusal } from "./refusal.ts";

export interface RestoreOptions {
  /** Where the store will be. Nothing, or an empty folder, may be there. */
  readonly dir: string;
  /** Every event from the first on, with the text that its hash covers. */
  readonly events: AsyncIterable<RestoredEvent>;
  readonly contents: AsyncIterable<RestoredContent>;
  /** The last event, as whoever made the copy noted it: without it, events that are missing at the end aren't missed. */
  readonly expect?: Head;
  /** What is to be said of it once all of it has been checked, before anybody can see it. */
  readonly last?: () => readonly Draft[];
  readonly signal?: AbortSignal;
  /** How many events or contents are in, or checked, by now. */
  readonly onProgress?: (what: string, done: number) => void;
}

export interface RestoredEvent {
  readonly body: string;
  readonly hash: Sha256;
}

export interface RestoredContent {
  readonly hash: Sha256;
  readonly size: number;
  /** What was removed on purpose stays removed, and is remembered so; what the copy lacks is missing here, too. */
  readonly source: ContentSource | "pruned" | "missing";
}

export type Restored =
  | { readonly ok: true; readonly head: Head }
  | { readonly ok: false; readonly reason: "exists" | "held" | "invalid"; readonly message: string };

/** The text that an event's hash covers, from the event as a log gives it out. */
export function bodyOf(event: Envelope): string {
  const { hash: _, user_id: __, ...covered } = event;
  return canonicalise(covered);
}

/**
 * Makes a store of a copy: the same events with the same hashes, the same contents. It is made beside its place, and takes
 * it, durably and at once, when all of it has been checked. Where anything is wrong, nothing is left behind.
 */
export async function restoreStore(options: RestoreOptions): Promise<Restored> {
  const dir = resolve(options.dir);
  const draft = draftOf(dir);
  const missing = missingAbove(dir);
  try {
    if (existsSync(dir) && (await readdir(dir)).length > 0) throw new Wrong("exists", `${dir} is not empty`);
    await clear(dir);
    makeFolderDurably(draft);
    try {
      const head = await fill(draft, options);
      syncFolder(draft);
      await rename(draft, dir);
      syncFolder(dirname(dir));
      return { ok: true, head };
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      await removeEmpty(missing);
      throw error;
    }
  } catch (error) {
    if (error instanceof Wrong) return { ok: false, reason: error.reason, message: error.message };
    throw error;
  }
}

/** What came in isn't what it should be: expected, and handed to the caller as a value. */
class Wrong extends Error {
  readonly reason: Extract<Restored, { ok: false }>["reason"];

  constructor(reason: Wrong["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** What an earlier try left, unless it is still at work. */
async function clear(dir: string): Promise<void> {
  try {
    await clearDraft(dir);
  } catch (error) {
    if (error instanceof Refusal && error.reason === "held") throw new Wrong("held", error.message);
    throw error;
  }
}

async function fill(draft: string, options: RestoreOptions): Promise<Head> {
  const events = options.events[Symbol.asyncIterator]();
  try {
    const first = await events.next();
    if (first.done === true) throw new Wrong("invalid", "it holds no events, not even the first");
    const store = await begin(draft, first.value);
    try {
      const missing = await addContents(store, options); // before the events that name them, as ever
      const head = await addEvents(store, first.value, events, options);
      await checkAll(store, head, missing, options);
      return await addLast(store, head, options.last?.() ?? []);
    } finally {
      await store.close();
    }
  } finally {
    await events.return?.();
  }
}

async function begin(draft: string, first: RestoredEvent): Promise<StoreParts> {
  const opened = await openParts({
    dir: draft,
    userId: "import",
    mode: "write",
    first: sealedFrom(first, 1),
    who: "import",
  });
  if (!opened.ok) throw new Wrong("invalid", `its first event is none: ${opened.message}`);
  const { hash } = await opened.store.log.head();
  if (hash === first.hash) return opened.store;
  await opened.store.close();
  throw new Wrong("invalid", "event 1 is not what its hash covers");
}

/** So many are on their way to the disk at once, and share a commit. */
const AT_ONCE = 256;

async function addEvents(
  store: StoreParts,
  first: RestoredEvent,
  events: AsyncIterator<RestoredEvent>,
  { onProgress, signal }: RestoreOptions,
): Promise<Head> {
  let head: Head = { seq: 1, hash: first.hash };
  for (let waiting: Promise<Head>[] = [], done = false; !done; waiting = []) {
    signal?.throwIfAborted();
    while (waiting.length < AT_ONCE && !done) {
      const next = await events.next();
      done = next.done === true;
      if (next.done !== true) waiting.push(awaited(addEvent(store, next.value, head.seq + waiting.length + 1)));
    }
    for (const added of await settled(waiting)) head = added;
    onProgress?.("events", head.seq);
  }
  return head;
}

async function addEvent(store: StoreParts, event: RestoredEvent, seq: number): Promise<Head> {
  const placed = await store.append(sealedFrom(event, seq));
  if (placed.kind !== "appended" || placed.seq !== seq) throw new Wrong("invalid", `event ${seq} is there twice`);
  if (placed.hash !== event.hash) throw new Wrong("invalid", `event ${seq} is not what its hash covers`);
  return { seq, hash: placed.hash };
}

async function addLast({ log }: StoreParts, head: Head, drafts: readonly Draft[]): Promise<Head> {
  for (const draft of drafts) {
    const appended = await log.append(draft);
    if (!appended.ok) throw new LogError("misuse", appended.message);
  }
  return drafts.length === 0 ? head : log.head();
}

/** The event as the disk's thread takes it. Where its number stands in the text doesn't matter: the text stays the same. */
function sealedFrom({ body }: RestoredEvent, seq: number): Sealed {
  const { id, type, cause } = parsed(body, seq);
  const mark = `"seq":${seq}`;
  const at = body.indexOf(mark) + '"seq":'.length;
  const [head, tail] = [body.slice(0, at), body.slice(at + String(seq).length)];
  return { id, type, cause, head, tail, room: String(seq).length, expectedSeq: seq === 1 ? undefined : seq - 1 };
}

function parsed(body: string, seq: number): Pick<Sealed, "id" | "type" | "cause"> {
  if (Buffer.byteLength(body) > MAX_EVENT_BYTES)
    throw new Wrong("invalid", `event ${seq} is larger than an event may be`);
  const event = jsonOf(body);
  const { id, type, cause } = event;
  if (event.seq !== seq) throw new Wrong("invalid", `event ${String(event.seq)} stands where ${seq} should be`);
  const whole = typeof id === "string" && typeof type === "string" && isCause(cause);
  if (!whole || canonicalise(event) !== body) throw new Wrong("invalid", `event ${seq} is not one`);
  return { id, type, cause };
}

type Json = Parameters<typeof canonicalise>[0];

function jsonOf(body: string): Record<string, Json> {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, Json>; // it came from JSON
  } catch {
    // told below
  }
  throw new Wrong("invalid", "an event is not JSON");
}

function isCause(cause: unknown): cause is Sealed["cause"] {
  if (cause === undefined) return true;
  return typeof cause === "object" && cause !== null && Object.values(cause).every((id) => typeof id === "string");
}

/** So many contents, or bytes of them, are on their way at once, and share calls and commits. */
const CONTENTS_AT_ONCE = 2000;
const BYTES_AT_ONCE = 8 * 1024 * 1024;

/** Gives those that the copy says it lacks. */
async function addContents(
  store: StoreParts,
  { contents, onProgress, signal }: RestoreOptions,
): Promise<ReadonlySet<Sha256>> {
  const missing = new Set<Sha256>();
  let waiting: Promise<void>[] = [];
  let bytes = 0;
  let done = 0;
  for await (const { hash, size, source } of contents) {
    signal?.throwIfAborted();
    if (source === "missing") {
      missing.add(hash);
      continue;
    }
    waiting.push(awaited(addContent(store, { hash, size, source }, signal)));
    bytes += source instanceof Uint8Array ? source.length : 0;
    // A source that streams is used up before the next one is asked for: it may be read from the same place.
    const streams = source !== "pruned" && !(source instanceof Uint8Array);
    if (!streams && waiting.length < CONTENTS_AT_ONCE && bytes < BYTES_AT_ONCE) continue;
    await settled(waiting);
    done += waiting.length;
    waiting = [];
    bytes = 0;
    onProgress?.("contents", done);
  }
  await settled(waiting);
  return missing;
}

async function addContent(
  store: StoreParts,
  { hash, size, source }: ContentRef & { readonly source: ContentSource | "pruned" },
  signal: AbortSignal | undefined,
): Promise<void> {
  if (source === "pruned") return store.notePruned({ hash, size });
  const put = await store.contents.put(source instanceof Uint8Array ? source : until(signal, source));
  if (put.hash !== hash || put.size !== size) throw new Wrong("invalid", `content ${hash} is not what its hash says`);
}

/** A source that ends with an error once it is told to stop: a content of gigabytes is no reason to wait. */
async function* until(signal: AbortSignal | undefined, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const bytes of source) {
    signal?.throwIfAborted();
    yield bytes;
  }
}

async function checkAll(
  store: StoreParts,
  head: Head,
  missing: ReadonlySet<Sha256>,
  options: RestoreOptions,
): Promise<void> {
  const { expect, onProgress } = options;
  const signal = options.signal && { signal: options.signal };
  const { ok, problems } = await store.log.verify({ expect: expect ?? head, ...signal });
  if (!ok) throw new Wrong("invalid", problems[0]?.message ?? "the log is not whole");
  const checked = (done: number) => onProgress?.("checking contents", done);
  const found = await verifyContents(store.log, store.contents, { ...signal, onProgress: checked });
  const lacking = found.problems.find(({ hash, state }) => state === "damaged" || !missing.has(hash));
  if (lacking !== undefined) {
    throw new Wrong("invalid", `content ${lacking.hash}, which event ${lacking.seq} names, is ${lacking.state}`);
  }
}

/** Awaited later, with others: until then nobody else may report it. */
function awaited<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}

/** All of them to their end, whatever comes of each; then the first failure, if there was one. */
async function settled<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work).catch((error) => {
    throw error instanceof LogError && error.code === "misuse" ? new Wrong("invalid", error.message) : error;
  });
}
