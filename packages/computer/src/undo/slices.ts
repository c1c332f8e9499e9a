import { setImmediate } from "node:timers/promises";

const SLICE = 2000;

/** A list in slices; between two of them others get their turn, so that a hundred thousand paths hold up nobody. */
export async function* slices<Item>(items: Iterable<Item>): AsyncGenerator<readonly Item[]> {
  let slice: Item[] = [];
  for (const item of items) {
    slice.push(item);
    if (slice.length < SLICE) continue;
    yield slice;
    slice = [];
    await setImmediate();
  }
  if (slice.length > 0) yield slice;
}
