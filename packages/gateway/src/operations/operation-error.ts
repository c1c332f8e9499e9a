/** What was asked of a computer can't be done: a sentence for the person who asked. */
export class OperationError extends Error {
  override name = "OperationError";
}
