import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Id, newId, type Payload, recognise, UserId } from "@choiros/contract";
import type { Contents } from "../contents.ts";
import type { Log } from "../log.ts";
import { LogError } from "../log-error.ts";
import { Disk, DiskFailure } from "./disk.ts";
import { failureOf } from "./failure.ts";
import type { Entry } from "./log-file.ts";
import { INCOMING_FOLDER } from "./places.ts";
import type { RefusalReason } from "./refusal.ts";
import { SqliteContents } from "./sqlite-contents.ts";
import { entryOf, SqliteLog } from "./sqlite-log.ts";

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
  const { dir, mode, who = "choir", now = () => new Date() } = options;
  const userId = UserId.parse(options.userId);
  const { disk, store } = Disk.take();
  try {
    const first = options.create ? firstEntry(now(), options.create) : undefined;
    const opened = await disk.call(store, "open", { dir, mode, first, who });
    const parts = { disk, store, dir, userId, mode, head: opened.head, now };
    const log = new SqliteLog(parts, await readLogId(new SqliteLog(parts, "")));
    // Only the writer may: to others these files are a put that is under way.
    if (mode === "write") await clearIncoming(dir);
    const contents = new SqliteContents(disk, store, dir);
    const close = async () => {
      await log.close();
      await contents.close();
      try {
        await disk.call(store, "close", {});
      } finally {
        await disk.give();
      }
    };
    return { ok: true, store: { log, contents, notices: opened.notices, close: onlyOnce(close) } };
  } catch (error) {
    await disk.call(store, "close", {}).catch(() => {}); // it may have got as far as being open
    await disk.give();
    return refusal(error, dir);
  }
}

async function clearIncoming(dir: string): Promise<void> {
  try {
    await rm(join(dir, INCOMING_FOLDER), { recursive: true, force: true });
  } catch (error) {
    throw new DiskFailure(failureOf(error));
  }
}

function firstEntry(now: Date, create: NonNullable<OpenOptions["create"]>): Entry {
  const payload = { log_id: newId(), ...(typeof create === "object" && { origin: create.origin }) };
  const entry = entryOf({ source: "system", type: "log.created", payload }, now.toISOString(), undefined);
  if ("ok" in entry) throw new LogError("io", `the first event is not valid: ${entry.message}`);
  return entry;
}

async function readLogId(log: Log): Promise<Id> {
  for await (const event of log.read({ to: 1 })) {
    const known = recognise(event);
    if (known.ok && known.value.type === "log.created") return known.value.payload.log_id;
  }
  throw new LogError("damaged", "event 1 is not the beginning of a log");
}

function refusal(error: unknown, dir: string): Opened {
  if (error instanceof LogError && error.code === "damaged") {
    return { ok: false, reason: "damaged", message: error.message };
  }
  if (!(error instanceof DiskFailure)) throw error;
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
