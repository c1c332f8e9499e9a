import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type ContentRef, type Id, newId, type Payload, recognise, UserId } from "@choiros/contract";
import type { Contents } from "../contents.ts";
import type { Log } from "../log.ts";
import { LogError } from "../log-error.ts";
import { messageOf } from "../message-of.ts";
import { ThreadFailure } from "../thread.ts";
import { Disk } from "./disk.ts";
import { clearDraft } from "./draft-store.ts";
import { failureOf } from "./failure.ts";
import type { Placed, Sealed } from "./log-file.ts";
import { INCOMING_FOLDER } from "./places.ts";
import type { RefusalReason } from "./refusal.ts";
import { SqliteContents } from "./sqlite-contents.ts";
import { SqliteLog, seal } from "./sqlite-log.ts";

export interface OpenOptions {
  /** The store's folder: `{home}/users/{user_id}/.choir`. */
  readonly dir: string;
  readonly userId: UserId;
  /** One process writes; any number read. */
  readonly mode: "write" | "read";
  /** Makes the log where there is none. `origin` is where a fork or an import comes from. */
  readonly create?: boolean | { readonly origin: NonNullable<Payload<"log.created">["origin"]> };
  /** Names this process to others who want to write: `choir start`. */
  readonly who?: string;
  readonly now?: () => Date;
}

/** One computer's log and contents. */
export interface Store {
  readonly log: Log;
  readonly contents: Contents;
  /** What was done on opening that the user should know. */
  readonly notices: readonly string[];
  close(): Promise<void>;
}

export type Opened =
  | { readonly ok: true; readonly store: Store }
  | { readonly ok: false; readonly reason: RefusalReason; readonly message: string };

export async function openStore(options: OpenOptions): Promise<Opened> {
  const { create, now = () => new Date() } = options;
  return openParts({ ...options, first: create ? firstEvent(now(), create) : undefined });
}

/** A store with what only its own making needs. */
export interface StoreParts extends Store {
  /** An event whose text is settled, from a copy. */
  append(sealed: Sealed): Promise<Placed>;
  /** A content that the copy's own store had removed on purpose. */
  notePruned(ref: ContentRef): Promise<void>;
}

type OpenedParts = { readonly ok: true; readonly store: StoreParts } | Extract<Opened, { ok: false }>;

export async function openParts(
  options: Omit<OpenOptions, "create"> & { readonly first: Sealed | undefined },
): Promise<OpenedParts> {
  const { dir, mode, first, who = "choir", now = () => new Date() } = options;
  const userId = UserId.parse(options.userId);
  const { disk, store } = Disk.take();
  try {
    const opened = await disk.call(store, "open", { dir, mode, first, who });
    const parts = { disk, store, dir, userId, mode, head: opened.head, now };
    const log = new SqliteLog(parts, await readLogId(new SqliteLog(parts, "")));
    // Only the writer may: to others these files are a put that is under way.
    if (mode === "write") await clearIncoming(dir);
    // Here is a store, so none comes to be here any more; where one is still at work, it will find that out.
    if (mode === "write") await clearDraft(dir).catch(() => {});
    const contents = new SqliteContents(disk, store, dir);
    const notices = [...opened.notices, ...(mode === "write" ? await tidied(contents) : [])];
    const close = async () => {
      await log.close();
      await contents.close();
      try {
        await disk.call(store, "close", {});
      } finally {
        await disk.give();
      }
    };
    const append = async (sealed: Sealed) => {
      const placed = await disk.call(store, "append", sealed);
      if (placed.kind === "appended") log.advance(placed);
      return placed;
    };
    const notePruned = (ref: ContentRef) => contents.notePruned(ref);
    return { ok: true, store: { log, contents, append, notePruned, notices, close: onlyOnce(close) } };
  } catch (error) {
    await disk.call(store, "close", {}).catch(() => {}); // it may have got as far as being open
    await disk.give();
    return refusal(error, dir);
  }
}

/** What a crash left is removed. Where it can't be, for the disk is full perhaps, that is no reason not to open. */
async function tidied(contents: SqliteContents): Promise<string[]> {
  try {
    await contents.tidy();
    return [];
  } catch (error) {
    return [`${messageOf(error)}. It is tried again the next time`];
  }
}

/** What version 2 of the contents left there. */
async function clearIncoming(dir: string): Promise<void> {
  try {
    await rm(join(dir, INCOMING_FOLDER), { recursive: true, force: true });
  } catch (error) {
    throw new ThreadFailure(failureOf(error));
  }
}

function firstEvent(now: Date, create: NonNullable<OpenOptions["create"]>): Sealed {
  const payload = { log_id: newId(), ...(typeof create === "object" && { origin: create.origin }) };
  const sealed = seal({ source: "system", type: "log.created", payload }, now.toISOString(), undefined);
  if ("ok" in sealed) throw new LogError("io", `the first event is not valid: ${sealed.message}`);
  return sealed;
}

async function readLogId(log: Log): Promise<Id> {
  for await (const event of log.read({ to: 1 })) {
    const known = recognise(event);
    if (known.ok && known.value.type === "log.created") return known.value.payload.log_id;
  }
  throw new LogError("damaged", "event 1 is not the beginning of a log");
}

function refusal(error: unknown, dir: string): Extract<Opened, { ok: false }> {
  if (error instanceof LogError && error.code === "damaged") {
    return { ok: false, reason: "damaged", message: error.message };
  }
  if (!(error instanceof ThreadFailure)) throw error;
  const { code, message } = error.failure;
  switch (code) {
    case "held":
    case "missing":
    case "newer":
      return { ok: false, reason: code, message };
    case "damaged":
      return { ok: false, reason: "damaged", message: `${dir} can't be opened: ${message}. Run 'choir doctor'` };
    default:
      return { ok: false, reason: "denied", message: `${dir} can't be opened: ${message}` };
  }
}

function onlyOnce(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
