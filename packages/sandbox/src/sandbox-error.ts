/** What went wrong with a sandbox itself, never with the command in it. The message says what to do. */
export class SandboxError extends Error {
  override name = "SandboxError";
  readonly code: SandboxErrorCode;

  constructor(code: SandboxErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

export type SandboxErrorCode =
  /** The command could not be set up. Nothing of it ran. */
  | "start"
  | "closed"
  /** Nothing listens there. */
  | "refused"
  /** A call that can't mean anything. */
  | "misuse";
