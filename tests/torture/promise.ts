/** Something that must hold did not. The message says what, of which event, content or file. */
export class BrokenPromise extends Error {
  override name = "BrokenPromise";
}

export function hold(kept: boolean, broken: string | (() => string)): asserts kept {
  if (!kept) throw new BrokenPromise(typeof broken === "string" ? broken : broken());
}

/** The same, with where and when it came to that: whoever reads it should not have to ask. */
export function inContext(error: unknown, where: string): BrokenPromise {
  return new BrokenPromise(`${where}: ${inWords(error)}`);
}

/** A promise says itself what is wrong; of any other error it matters where it came from. */
export function inWords(error: unknown): string {
  if (error instanceof BrokenPromise) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
