import { type Change, type Computer, changesOf } from "@choiros/computer";
import type { KnownEvent } from "@choiros/contract";

/** What was changed: how many paths, and how many bytes of files stand there now. */
export interface Written {
  /** The first of them, all where there aren't more than a thousand. */
  readonly keys: readonly string[];
  readonly files: number;
  readonly bytes: number;
}

/** Whoever changes more than this at once is counted, not remembered. */
const REMEMBERED = 1000;

/** What an event changed; `undefined` where it isn't about files. A long list is never in memory as a whole. */
export async function writtenBy({ contents }: Computer, event: KnownEvent): Promise<Written | undefined> {
  let written: Written | undefined;
  for await (const changes of changesOf(contents, event)) written = sum(written, writtenIn(changes));
  return written;
}

export function writtenIn(changes: readonly Change[]): Written {
  const paths = changes.flatMap((change) => ("key" in change ? [change] : []));
  const bytes = paths.reduce((all, { after }) => all + (after !== null && "size" in after ? after.size : 0), 0);
  return { keys: paths.slice(0, REMEMBERED).map(({ key }) => key), files: paths.length, bytes };
}

/** Both together. */
export function sum(one: Written | undefined, other: Written): Written {
  if (one === undefined) return other;
  const keys = [...one.keys, ...other.keys.slice(0, REMEMBERED - one.keys.length)];
  return { keys, files: one.files + other.files, bytes: one.bytes + other.bytes };
}
