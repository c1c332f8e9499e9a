import {
  bodyAround,
  type Draft,
  ENVELOPE_VERSION,
  type Envelope,
  type Id,
  MAX_EVENT_BYTES,
  NotCanonical,
  newId,
  parseDraft,
  type UserId,
} from "@choiros/contract";
import {
  type Appended,
  type AppendOptions,
  checkQuery,
  type Head,
  type Log,
  type Mark,
  type Query,
  type VerifyOptions,
  type VerifyReport,
} from "../log.ts";
import { LogError } from "../log-error.ts";
import type { Disk } from "./disk.ts";
import { envelopeOf, envelopesOf } from "./envelopes.ts";
import { explain } from "./explain.ts";
import type { Page, Placed, Sealed } from "./log-file.ts";
import { Recent } from "./recent.ts";
import { verifyInThread } from "./verify.ts";

export interface LogParts {
  readonly disk: Disk;
  readonly store: number;
  readonly dir: string;
  readonly userId: UserId;
  readonly mode: "write" | "read";
  readonly head: Head;
  readonly now: () => Date;
}

/** How often a reader looks whether another process has written, while somebody follows. */
const LOOK_MS = 100;

export class SqliteLog implements Log {
  readonly userId: UserId;
  readonly logId: Id;
  readonly #parts: LogParts;
  readonly #recent = new Recent((fresh) => envelopeOf(this.userId, fresh.body, fresh.hash));
  readonly #wakers = new Set<() => void>();
  #head: Head;
  /** Calls that closing waits for, and whom to tell when there are none left. */
  #underWay = 0;
  #idle: (() => void) | undefined;
  #closed = false;
  #closing: Promise<void> | undefined;

  constructor(parts: LogParts, logId: Id) {
    this.#parts = parts;
    this.userId = parts.userId;
    this.logId = logId;
    this.#head = parts.head;
  }

  async append(draft: Draft, options: AppendOptions = {}): Promise<Appended> {
    this.#assertOpen();
    if (this.#parts.mode === "read")
      throw new LogError("read-only", `the log of '${this.userId}' was opened for reading`);
    const checked = parseDraft(draft);
    if (!checked.ok) return { ok: false, reason: "invalid", message: checked.why };
    if (checked.value.type === "log.created") {
      return { ok: false, reason: "invalid", message: "'log.created' is event 1, and is written by the log itself" };
    }
    const ts = this.#parts.now().toISOString();
    const sealed = seal(checked.value, ts, options.expectedSeq);
    if ("ok" in sealed) return sealed;
    this.#underWay++; // as in `#track`, without its promise: this is the one call that is made thousands of times a second
    try {
      return this.#settle(sealed, ts, await this.#parts.disk.call(this.#parts.store, "append", sealed));
    } catch (error) {
      throw explain(error, `could not append '${draft.type}' to the log of '${this.userId}'`);
    } finally {
      this.#ended();
    }
  }

  #settle(sealed: Sealed, ts: string, placed: Placed): Appended {
    if (placed.kind === "conflict") {
      const message = `the log is at ${placed.head.seq}, not at ${sealed.expectedSeq}: read what came in between and try again`;
      return { ok: false, reason: "conflict", head: placed.head, message };
    }
    if (placed.kind === "too-large") return TOO_LARGE;
    const { seq, hash } = placed;
    if (placed.kind === "repeated") {
      return { ok: true, seq, hash, id: sealed.id, ts: envelopeOf(this.userId, placed.body, hash).ts, repeated: true };
    }
    this.#recent.add({ seq, hash, body: `${sealed.head}${seq}${sealed.tail}` });
    this.advance({ seq, hash });
    return { ok: true, seq, hash, id: sealed.id, ts, repeated: false };
  }

  read(query: Query = {}): AsyncIterable<Envelope> {
    checkQuery(query);
    const head = this.head(); // now, not when the first event is asked for
    head.catch(() => {}); // whoever reads reports it
    return this.#events(query, head);
  }

  async *#events(query: Query, head: Promise<Head>): AsyncGenerator<Envelope> {
    let left = query.limit ?? Number.POSITIVE_INFINITY;
    const to = Math.min(query.to ?? Number.POSITIVE_INFINITY, (await head).seq);
    let next = this.#page(query, query.from ?? 1, to, left);
    while (next !== undefined) {
      const page = await next;
      // The next page is fetched while this one is worked on; one ahead, however slow the reader is.
      left -= page.hashes.length / 64;
      next = page.next === undefined ? undefined : this.#page(query, page.next, to, left);
      next?.catch(() => {}); // awaited above, in its turn; until then nobody else may report it
      for (const event of envelopesOf(this.userId, page)) yield event;
    }
  }

  #page(query: Query, from: number, to: number, left: number): Promise<Page> | undefined {
    if (left < 1 || from > to) return undefined;
    if (this.#closed) return Promise.reject(this.#closedError());
    const { types, sources, cause } = query;
    // Where nothing may be found for long, what others want of the disk comes in between.
    const last = sources === undefined ? to : Math.min(to, Math.max(1, from) + SCANNED - 1);
    const request = { from, to: last, types, sources, cause, rows: Math.min(PAGE_ROWS, left), bytes: PAGE_CHARACTERS };
    return this.#track(
      this.#parts.disk
        .call(this.#parts.store, "page", request)
        .then((page) => (page.next === undefined && last < to ? { ...page, next: last + 1 } : page)),
    );
  }

  subscribe(options: { from?: number; signal?: AbortSignal } = {}): AsyncIterable<Envelope> {
    checkQuery(options);
    const end = new AbortController();
    const events = this.#follow(options.from ?? 1, options.signal, end);
    return {
      [Symbol.asyncIterator]: () => ({
        next: () => events.next(),
        // A generator that waits would hear of it only at its next event.
        return: () => {
          end.abort();
          return events.return(undefined);
        },
      }),
    };
  }

  async *#follow(from: number, signal: AbortSignal | undefined, end: AbortController): AsyncGenerator<Envelope> {
    this.#assertOpen();
    const stop = () => end.abort();
    signal?.addEventListener("abort", stop);
    const done = () => this.#closed || signal?.aborted === true || end.signal.aborted;
    try {
      let next = from;
      while (!done()) {
        const recent = this.#recent.get(next);
        if (recent !== undefined) {
          next++;
          yield recent;
        } else if (next <= this.#head.seq) {
          for await (const event of this.read({ from: next, to: this.#head.seq })) {
            if (done()) return;
            next = event.seq + 1;
            yield event;
          }
        } else {
          await this.#moved(end.signal);
        }
      }
    } catch (error) {
      if (!done()) throw error; // what closing cuts off is an end, not a failure
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  async head(): Promise<Head> {
    this.#assertOpen();
    if (this.#parts.mode === "write") return this.#head;
    this.advance(await this.#track(this.#parts.disk.call(this.#parts.store, "head", {})));
    return this.#head;
  }

  async marks(seqs: readonly number[]): Promise<(Mark | undefined)[]> {
    const marks: (Mark | undefined)[] = [];
    for (let at = 0; at < seqs.length; at += MARKS) {
      this.#assertOpen();
      const request = { seqs: seqs.slice(at, at + MARKS) };
      marks.push(...(await this.#track(this.#parts.disk.call(this.#parts.store, "marks", request))));
    }
    return marks;
  }

  async verify(options: VerifyOptions = {}): Promise<VerifyReport> {
    this.#assertOpen();
    return this.#track(verifyInThread(this.#parts.dir, options));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#closed = true;
    this.#wake();
    const idle = Promise.withResolvers<void>();
    this.#idle = idle.resolve;
    if (this.#underWay > 0) await idle.promise;
  }

  /** The log has grown: whoever follows may look. */
  advance({ seq, hash }: Head): void {
    if (seq <= this.#head.seq) return;
    this.#head = { seq, hash };
    this.#wake();
  }

  #wake(): void {
    for (const waker of [...this.#wakers]) waker();
  }

  /** Resolves when there may be something new to look at. */
  async #moved(signal: AbortSignal): Promise<void> {
    const woken = Promise.withResolvers<void>();
    this.#wakers.add(woken.resolve);
    const stop = () => woken.resolve();
    signal.addEventListener("abort", stop);
    // Only the process that writes knows of each append; another one has to look.
    const look = this.#parts.mode === "read" ? setInterval(() => this.head().catch(woken.reject), LOOK_MS) : undefined;
    try {
      await woken.promise;
    } finally {
      clearInterval(look);
      signal.removeEventListener("abort", stop);
      this.#wakers.delete(woken.resolve);
    }
  }

  /** Waits for something that reads, and counts it meanwhile: closing waits for it too. */
  async #track<T>(work: Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      return await work;
    } catch (error) {
      throw explain(error, `could not read the log of '${this.userId}'`);
    } finally {
      this.#ended();
    }
  }

  #ended(): void {
    if (--this.#underWay === 0) this.#idle?.();
  }

  #assertOpen(): void {
    if (this.#closed) throw this.#closedError();
  }

  #closedError(): LogError {
    return new LogError("closed", `the log of '${this.userId}' is closed`);
  }
}

const PAGE_ROWS = 512;
/** So many events are looked at in one go where no index leads to what is wanted. */
const SCANNED = 4096;
/** Some milliseconds' worth: others wait for the disk meanwhile. */
const MARKS = 1000;
/** A page is copied from thread to thread: one that stays in the cache costs a third. */
const PAGE_CHARACTERS = 96 * 1024;

/** The draft as the disk's thread takes it, or why it can't be one event. */
export function seal(
  draft: Draft,
  ts: string,
  expectedSeq: number | undefined,
): Sealed | Extract<Appended, { ok: false }> {
  const { id = newId(), source, type, cause, payload } = draft;
  try {
    const [head, tail] = bodyAround({ v: ENVELOPE_VERSION, id, ts, source, type, payload, ...(cause && { cause }) });
    const room = MAX_EVENT_BYTES - Buffer.byteLength(head) - Buffer.byteLength(tail);
    return room < 1 ? TOO_LARGE : { id, type, cause, head, tail, room, expectedSeq };
  } catch (error) {
    if (error instanceof NotCanonical) return { ok: false, reason: "invalid", message: error.message };
    throw error;
  }
}

const TOO_LARGE = {
  ok: false,
  reason: "too-large",
  message: `an event is at most ${MAX_EVENT_BYTES} bytes: put the large part into contents and name it by its hash`,
} as const;
