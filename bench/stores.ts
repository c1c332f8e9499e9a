import { hash } from "node:crypto";
import { statSync } from "node:fs";
import { type Draft, newId } from "@choiros/contract";
import { type Log, openStore, type Store } from "@choiros/log";
import { format } from "./measure.ts";

export const USER = "bench";

export async function open(dir: string): Promise<Store> {
  const opened = await openStore({ dir, userId: USER, mode: "write", create: true, who: "bench" });
  if (!opened.ok) throw new Error(opened.message);
  return opened.store;
}

/** Does the work with a store, and closes it whatever comes. */
export async function withStore<T>(dir: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await open(dir);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** A typical event, of about 600 bytes: an agent wrote a file, as part of a call of a task of an ask. */
export function* writes(): Generator<Draft, never> {
  const cause = { ask: "", call: "", conversation: "", task: "" };
  for (let i = 0; ; i++) {
    if (i % 1000 === 0) cause.conversation = newId();
    if (i % 100 === 0) cause.ask = newId();
    if (i % 20 === 0) cause.task = newId();
    if (i % 4 === 0) cause.call = newId();
    const path = `workspace/notes/chapter-${i % 97}/page-${i % 1009}.md`;
    const before = { hash: hash("sha256", `${i}`), kind: "file", mode: 0o644, size: 1000 + i } as const;
    const after = { hash: hash("sha256", `${i + 1}`), kind: "file", mode: 0o644, size: 1001 + i } as const;
    yield {
      cause: { ...cause },
      id: newId(),
      payload: { changes: [{ after, before, path }] },
      source: "agent",
      type: "file.write",
    };
  }
}

/** Appends, with so many writers at once, each of which waits for its own; gives how long each append took. */
export async function append(log: Log, drafts: Iterable<Draft>, writers: number): Promise<number[]> {
  const latencies: number[] = [];
  const rest = drafts[Symbol.iterator]();
  const writer = async () => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) {
      const start = performance.now();
      const appended = await log.append(next.value);
      if (!appended.ok) throw new Error(appended.message);
      latencies.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
  return latencies;
}

/**
 * Writes until the database's write-ahead log has grown as far as it will. Up to its first checkpoint it gets longer with
 * each commit, which costs the file system about as much again; from then on it is written over: that is the usual case.
 */
export async function settle(database: string, write: () => unknown): Promise<void> {
  for (let size = -1, now = 0; now > size; ) {
    size = now;
    await write();
    now = statSync(`${database}-wal`).size;
  }
}

/** A store with this many events, in a folder of its own. */
export async function fill(dir: string, events: number, say: (what: string) => void): Promise<void> {
  await withStore(dir, async ({ log }) => {
    const drafts = writes().take(events - 1); // the first event is the log's own
    await append(log, counted(drafts, events, say), 512); // many at once share a commit
    const { seq } = await log.head();
    if (seq !== events) throw new Error(`wrote ${seq} events in place of ${events}`);
  });
}

function* counted<T>(items: Iterable<T>, all: number, say: (what: string) => void): Generator<T> {
  let count = 0;
  for (const item of items) {
    if (count++ % 100_000 === 0) say(`writing ${format(all)} events: ${Math.round((100 * count) / all)} %`);
    yield item;
  }
}
