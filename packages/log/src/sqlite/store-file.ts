import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { ContentsFile } from "./contents-file.ts";
import { makeFolderDurably, syncFolder } from "./durable.ts";
import { failureOf } from "./failure.ts";
import { FolderLock } from "./folder-lock.ts";
import { createLogFile, LogFile, type Sealed } from "./log-file.ts";
import { CONTENTS_FILE, CONTENTS_FOLDER, LOG_FILE } from "./places.ts";
import type { OpenAnswer, OpenRequest } from "./protocol.ts";
import { Refusal } from "./refusal.ts";
import { finishSalvage } from "./salvage-swap.ts";
import { CONTENTS_MIGRATIONS, LOG_MIGRATIONS } from "./schema.ts";

/** One computer's log and contents, and the right to write to them: opened and closed together. */
export class StoreFile {
  readonly log: LogFile;
  readonly contents: ContentsFile;
  readonly #lock: FolderLock | undefined;

  constructor(request: OpenRequest) {
    const { dir, mode, first, who } = request;
    if (first !== undefined && !existsSync(join(dir, LOG_FILE))) makeFolderDurably(dir);
    if (!existsSync(dir)) throw new Refusal("missing", `${dir} does not exist`);
    this.#lock = mode === "write" ? new FolderLock(dir, who) : undefined;
    try {
      if (mode === "write") finishSalvage(dir);
      this.log = openLog(dir, mode, first);
      try {
        this.contents = openContents(dir, mode);
      } catch (error) {
        this.log.close();
        throw error;
      }
    } catch (error) {
      this.#lock?.release();
      throw error;
    }
    if (mode === "write") this.#makeNamesDurable(dir);
  }

  /** SQLite syncs the folder of its write-ahead log too, but says nothing where that fails. */
  #makeNamesDurable(dir: string): void {
    try {
      syncFolder(dir);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get opened(): OpenAnswer {
    return { head: this.log.head, notices: [...this.log.notices, ...this.contents.notices] };
  }

  close(): void {
    this.contents.close();
    this.log.close();
    this.#lock?.release();
  }
}

function openContents(dir: string, mode: "write" | "read"): ContentsFile {
  const path = join(dir, CONTENTS_FILE);
  if (mode === "read" && !existsSync(path)) {
    throw new Refusal("denied", `${dir} has no ${CONTENTS_FILE} yet: open it once for writing, and it is made`);
  }
  try {
    return new ContentsFile(path, mode, CONTENTS_MIGRATIONS);
  } catch (error) {
    const { code, message } = failureOf(error);
    throw code === "damaged" ? new Refusal("damaged", `${CONTENTS_FILE} is damaged: ${message}`) : error;
  }
}

function openLog(dir: string, mode: "write" | "read", first: Sealed | undefined): LogFile {
  const path = join(dir, LOG_FILE);
  if (!existsSync(path)) {
    // A log is made before anything else is: what stands here without one has lost it, and a new one would hide that.
    const orphan = [`${LOG_FILE}-wal`, CONTENTS_FILE, CONTENTS_FOLDER].find((name) => existsSync(join(dir, name)));
    if (orphan !== undefined) throw new Refusal("damaged", `${dir} has ${orphan} but no ${LOG_FILE}`);
    if (first === undefined || mode === "read") throw new Refusal("missing", `${dir} holds no log`);
    createLogFile(path, first, LOG_MIGRATIONS);
  }
  // Not left to SQLite: it would take its write-ahead log for a left-over, and remove it.
  if (statSync(path).size === 0) throw new Refusal("damaged", `${path} is empty`);
  return new LogFile(path, mode, LOG_MIGRATIONS);
}
