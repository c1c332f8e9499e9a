import type { Work } from "./operation.ts";

/** What comes in, but never a part of it as if it were all: a source that fails leaves nothing behind. */
export async function* whole({ input, signal }: Pick<Work<never>, "input" | "signal">): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  stopped.catch(() => {}); // it may come when nobody reads any more
  const pieces = input[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([pieces.next(), stopped]); // more may never come
    signal.throwIfAborted();
    if (next.done === true) return;
    yield next.value;
  }
}
