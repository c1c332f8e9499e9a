/** What went wrong in a way nobody could expect: the disk, the file, a misuse. The message says what to do. */
export class LogError extends Error {
  override name = "LogError";
  readonly code: LogErrorCode;

  constructor(code: LogErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

export type LogErrorCode =
  /** No room left. Nothing was written; the same call works once there is room. */
  | "disk-full"
  /** The disk refused. Nothing was acknowledged; the same call with the same id is safe. */
  | "io"
  /** What is stored isn't what was written. */
  | "damaged"
  /** The log was opened for reading, or the file can't be written to. */
  | "read-only"
  | "closed"
  /** A call that can't mean anything. */
  | "misuse";
