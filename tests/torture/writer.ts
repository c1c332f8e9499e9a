import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { createInterface } from "node:readline";
import type { Id } from "@choiros/contract";
import { openStore, type Store } from "@choiros/log";
import { planned } from "./plan.ts";

/**
 * The process that gets killed: `node writer.ts WARM_DIR`, orders on stdin, reports on stdout.
 *
 * It opens a store of its own first, so that its threads run and its code is loaded, and says `ready`. Then the first
 * line is a `WriterOrder`; it opens that store, and eight writers append until the line `close` comes, or the end.
 */
export interface WriterOrder {
  readonly dir: string;
  /** Before the number in each id. */
  readonly tag: string;
  /** For each writer, the number of its first event. */
  readonly next: readonly number[];
}

export type WriterReport =
  | { readonly said: "ready" | "opened" | "closing" | "closed" }
  | { readonly said: "put"; readonly hash: string; readonly size: number }
  | { readonly said: "appended"; readonly writer: number; readonly id: Id; readonly seq: number; readonly hash: string }
  | { readonly said: "failed"; readonly message: string };

export function writtenId(tag: string, writer: number, number: number): Id {
  return `${tag}-${writer}-${number}`;
}

if (import.meta.main) await main(process.argv[2] ?? "");

async function main(warm: string): Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  try {
    await open(warm);
    flushCompileCache(); // this process won't get to the point where that is done for it
    report({ said: "ready" });
    const order = await lines.next();
    if (order.done === true) return process.exit();
    const { dir, tag, next }: WriterOrder = JSON.parse(order.value);
    const store = await open(dir);
    report({ said: "opened" });
    const closing = new AbortController();
    const writers = next.map((first, writer) => write(store, tag, writer, first, closing.signal));
    if ((await lines.next()).done === true) return process.exit(); // nobody is there any more to kill this
    closing.abort();
    report({ said: "closing" });
    await Promise.all([store.close(), ...writers]);
    report({ said: "closed" });
    process.exit();
  } catch (error) {
    report({ said: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    process.exit(1);
  }
}

/** One after the other; as soon as closing begins, whatever is refused is no failure. */
async function write(store: Store, tag: string, writer: number, first: number, closing: AbortSignal): Promise<void> {
  for (let number = first; ; number++) {
    try {
      await append(store, writer, writtenId(tag, writer, number));
    } catch (error) {
      if (closing.aborted) return;
      report({ said: "failed", message: `writer ${writer}, event ${number}: ${error}` });
      process.exit(1);
    }
  }
}

async function append(store: Store, writer: number, id: Id): Promise<void> {
  const { draft, content } = planned(id);
  if (content !== undefined) report({ said: "put", ...(await store.contents.put(content)) });
  const appended = await store.log.append(draft);
  if (!appended.ok) throw new Error(`${appended.reason}: ${appended.message}`);
  report({ said: "appended", writer, id, seq: appended.seq, hash: appended.hash });
}

async function open(dir: string): Promise<Store> {
  const opened = await openStore({ dir, userId: "ada", mode: "write", create: true, who: "torture" });
  if (!opened.ok) throw new Error(`${opened.reason}: ${opened.message}`);
  return opened.store;
}

/** In the pipe before anything else happens: what was said to be acknowledged was, whatever comes next. */
function report(line: WriterReport): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
