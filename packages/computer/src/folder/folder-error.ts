/** What went wrong with a computer's folder in a way nobody could expect. The message says what to do. */
export class FolderError extends Error {
  override name = "FolderError";

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** The system's name of an error (`ENOENT`), or an empty string where it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
