import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Sha256, UserId } from "@choiros/contract";
import { type RestoredContent, type RestoredEvent, restoreStore, Thread, ThreadFailure } from "@choiros/log";
import type { Watching } from "../computer-port.ts";
import { openComputer } from "../open-computer.ts";
import type { ExportOperations } from "./export-thread.ts";
import { PendingAsks } from "./pending-asks.ts";

export interface ImportOptions extends Watching {
  readonly file: string;
  /** `{home}/users/{user_id}`: there must be no computer yet. */
  readonly root: string;
  /** May be another id than the one it was exported from. */
  readonly userId: UserId;
}

export type Imported =
  | {
      readonly ok: true;
      readonly seq: number;
      readonly hash: Sha256;
      readonly stateHash: Sha256;
      readonly notes: readonly string[];
    }
  | {
      readonly ok: false;
      readonly reason: "exists" | "missing" | "damaged" | "newer" | "held";
      readonly message: string;
    };

/** Makes the computer that was exported. Until all of the file has been checked, nothing is there; then, everything. */
export async function importComputer({ file, root, userId, ...watching }: ImportOptions): Promise<Imported> {
  const dir = join(root, ".choir");
  if (existsSync(dir)) {
    const other = "'choir import FILE --user ID' imports it under another id";
    return refuse("exists", `there is a computer in ${root} already: ${other}`);
  }
  if (!existsSync(file)) return refuse("missing", `there is no file ${file}`);
  const reader = new Reader();
  try {
    const about = await reader.open(resolve(file));
    const expect = { seq: Number(about.seq), hash: about.hash ?? "" };
    const contents = reader.contents();
    const onProgress = (what: string, done: number) => watching.onProgress?.({ what, done });
    const signal = watching.signal === undefined ? {} : { signal: watching.signal };
    const asks = new PendingAsks();
    const events = { events: asks.heard(reader.events()), last: () => asks.pauses() };
    const restored = await restoreStore({ dir, ...events, contents, expect, onProgress, ...signal });
    if (!restored.ok) {
      const { reason, message } = restored;
      return refuse(reason === "invalid" ? "damaged" : reason, `${file} can't be imported: ${message}`);
    }
  } catch (error) {
    if (!(error instanceof ThreadFailure)) throw error;
    const { code, message } = error.failure;
    return refuse(code === "newer" ? "newer" : "damaged", message);
  } finally {
    await reader.close();
  }
  return unfold(root, userId, reader.notes, watching);
}

/** The log is there: state and folder are made from it, as at any opening. */
async function unfold(root: string, userId: UserId, notes: readonly string[], watching: Watching): Promise<Imported> {
  const opened = await openComputer({ root, userId, who: "choir import", ...watching });
  if (!opened.ok) return refuse("damaged", opened.message);
  const { computer } = opened;
  try {
    const blocked = computer.blocked().map(({ key, why }) => `${key} could not be put into the folder yet: ${why}`);
    const head = await computer.log.head();
    return { ok: true, ...head, stateHash: await computer.stateHash(), notes: [...notes, ...blocked] };
  } finally {
    await computer.close();
  }
}

function refuse(reason: Extract<Imported, { ok: false }>["reason"], message: string): Imported {
  return { ok: false, reason, message };
}

/** An export, read on a thread of its own, a page at a time. */
class Reader {
  readonly notes: string[] = [];
  readonly #thread = new Thread<ExportOperations>(new URL("./export-thread.ts", import.meta.url));

  open(file: string): Promise<Record<string, string>> {
    return this.#thread.call(0, "open", file);
  }

  async *events(): AsyncGenerator<RestoredEvent> {
    for (let from = 1; ; ) {
      const page = await this.#thread.call(0, "events", from);
      yield* page;
      const last = page.at(-1);
      if (last === undefined) return;
      from = last.seq + 1;
    }
  }

  async *contents(): AsyncGenerator<RestoredContent> {
    let lost = 0;
    for (let after = ""; ; ) {
      const page = await this.#thread.call(0, "contents", after);
      for (const { hash, size, state, bytes } of page) {
        if (state === "missing") lost++;
        yield { hash, size, source: state === "present" ? (bytes ?? this.#pieces(hash)) : state };
      }
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.hash;
    }
    const what = lost === 1 ? "1 content was" : `${lost} contents were`;
    if (lost > 0)
      this.notes.push(`${what} missing when this was exported, and missing stays; 'choir verify' names each`);
  }

  async *#pieces(hash: string): AsyncGenerator<Uint8Array> {
    for (let number = 0; ; number++) {
      const piece = await this.#thread.call(0, "piece", { hash, number });
      if (piece === undefined) return;
      yield piece;
    }
  }

  async close(): Promise<void> {
    await this.#thread.call(0, "close", undefined).catch(() => {}); // it may never have been open
    await this.#thread.end();
  }
}
