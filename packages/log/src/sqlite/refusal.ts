/** Why a store can't be opened: expected, and handed to the caller as a value. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

export type RefusalReason =
  /** Another process writes to it. */
  | "held"
  /** There is no log there. */
  | "missing"
  /** A newer ChoirOS wrote it. */
  | "newer"
  /** It can't be read as a log. */
  | "damaged"
  /** The system doesn't let us: permissions, a full or read-only disk. */
  | "denied";
