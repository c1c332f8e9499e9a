import { messageOf } from "../message-of.ts";
import type { Failure } from "../thread.ts";
import { Refusal } from "./refusal.ts";

export { Refusal };

/** What an error of SQLite, or of the file system, means for whoever called. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Refusal) return { code: error.reason, message: error.message };
  const message = messageOf(error);
  if (error instanceof Error && "errcode" in error && typeof error.errcode === "number") {
    return ofSqlite(error.errcode, message);
  }
  if (error instanceof Error && "code" in error) return ofSystem(error.code, message);
  return { code: "io", message };
}

/** No room for the index that readers and writer share. */
const IOERR_SHMSIZE = 4874;

const FULL: Failure = { code: "disk-full", message: "the disk is full: make room, and try again; nothing is lost" };

function ofSqlite(errcode: number, message: string): Failure {
  if (errcode === IOERR_SHMSIZE) return FULL;
  switch (errcode & 0xff) {
    case 13: // FULL
      return FULL;
    case 11: // CORRUPT
    case 26: // NOTADB
      return { code: "damaged", message };
    case 8: // READONLY
      return { code: "read-only", message };
    case 3: // PERM
    case 14: // CANTOPEN
      return { code: "denied", message };
    default:
      return { code: "io", message };
  }
}

function ofSystem(code: unknown, message: string): Failure {
  if (code === "ENOSPC" || code === "EDQUOT") return FULL;
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return { code: "denied", message };
  return { code: "io", message };
}
