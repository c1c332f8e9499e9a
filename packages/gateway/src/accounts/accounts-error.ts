/** What nobody could expect: the disk, the file, a misuse. The message says what was being done, and what to do. */
export class AccountsError extends Error {
  override name = "AccountsError";

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}
