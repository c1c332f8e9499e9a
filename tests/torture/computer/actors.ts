import { hash } from "node:crypto";
import { mkdirSync, writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { type Computer, type Outcome, openComputer } from "@choiros/computer";
import type { Id } from "@choiros/contract";
import { type Opened, openSandbox } from "@choiros/sandbox";
import { randomFrom } from "../random.ts";
import { act, commandLine, type Ground, meddle, plannedWrite, retryWrite, type Stage, tend } from "./deeds.ts";

/**
 * The process that gets killed: `node actors.ts WARM_DIR`, orders on stdin, reports on stdout. Like the log's writers, it
 * opens a computer of its own first; then six actors and two meddlers are at one computer until `close`, or the end.
 */
export interface ActorsOrder {
  readonly root: string;
  readonly source: string;
  readonly exports: string;
  /** Before the number in each id: no two lives have the same. */
  readonly tag: string;
  readonly watch: boolean;
  readonly ground: Ground;
  /** Writes that were begun and never acknowledged: they are tried again under the same ids. */
  readonly retries: readonly Id[];
}

export type ActorsReport =
  | { readonly said: "ready" | "opened" | "closing" | "closed" }
  /** A write is under way. */
  | { readonly said: "begun"; readonly id: Id }
  | { readonly said: "done"; readonly id: Id; readonly seq: number }
  | { readonly said: "exported"; readonly file: string }
  /** A command has ended; `seq` is the event that says so. */
  | { readonly said: "ran"; readonly id: Id; readonly seq: number }
  /** A meddler is at a path, and is done with it. */
  | { readonly said: "meddling"; readonly id: Id }
  | { readonly said: "meddled"; readonly id: Id; readonly key: string; readonly hash: string | null }
  | { readonly said: "failed"; readonly message: string };

const ACTORS = 6;
const MEDDLERS = 2;

if (import.meta.main) await main(process.argv[2] ?? "");

async function main(warm: string): Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  try {
    await open(warm, false, "overlay");
    flushCompileCache();
    report({ said: "ready" });
    const line = await lines.next();
    if (line.done === true) return process.exit();
    const order: ActorsOrder = JSON.parse(line.value);
    const computer = await open(order.root, order.watch, order.ground);
    report({ said: "opened" });
    const closing = new AbortController();
    const all = everybody({ ...order, computer }, order, closing.signal);
    if ((await lines.next()).done === true) return process.exit(); // nobody is there any more to kill this
    closing.abort();
    report({ said: "closing" });
    await Promise.all([computer.close(), ...all]);
    report({ said: "closed" });
    process.exit();
  } catch (error) {
    fail("it", error);
  }
}

function everybody(stage: Stage, order: ActorsOrder, closing: AbortSignal): Promise<void>[] {
  const actors = Array.from({ length: ACTORS }, (_, number) => actor(stage, order, number, closing));
  const meddlers = Array.from({ length: MEDDLERS }, (_, number) => meddler(order, number, closing));
  return [...actors, ...meddlers];
}

async function actor(stage: Stage, order: ActorsOrder, number: number, closing: AbortSignal): Promise<void> {
  const attempt = async (what: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!closing.aborted) fail(what, error);
    }
  };
  for (const id of order.retries.filter((_, i) => i % ACTORS === number)) {
    await attempt(id, async () => acknowledge(id, await retryWrite(stage, id)));
  }
  for (let count = 0; !closing.aborted; count++) {
    const id = `${order.tag}-${number}-${count}`;
    await attempt(id, () => deed(stage, id, order.ground));
  }
}

async function deed(stage: Stage, id: Id, ground: Ground): Promise<void> {
  const kind = randomFrom(`${id} kind`).next();
  if (kind < 0.5) {
    const { key, bytes } = plannedWrite(id);
    report({ said: "begun", id });
    return acknowledge(id, await stage.computer.write(key, bytes, { id }));
  }
  if (kind < 0.82) return acknowledge(id, await act(stage, id));
  if (kind < 0.92) return run(stage, id, ground);
  if ((await tend(stage, id)) === "exported") report({ said: "exported", file: `${id}.choir` });
}

async function run({ computer }: Stage, id: Id, ground: Ground): Promise<void> {
  const outcome = await computer.exec({ argv: commandLine(id, ground), cwd: "." }, { cause: { call: id } });
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  report({ said: "ran", id, seq: outcome.seq });
}

function acknowledge(id: Id, outcome: Outcome): void {
  if (outcome.ok) report({ said: "done", id, seq: outcome.seq });
}

async function meddler({ root, tag }: ActorsOrder, number: number, closing: AbortSignal): Promise<void> {
  for (let count = 0; !closing.aborted; count++) {
    const id = `${tag}-m${number}-${count}`;
    report({ said: "meddling", id });
    const done = meddle(root, id);
    if (done !== undefined) {
      const { key, bytes } = done;
      report({ said: "meddled", id, key, hash: bytes === null ? null : hash("sha256", bytes) });
    }
    await delay(randomFrom(id).below(40)); // people, and their programs, are no faster
  }
}

async function open(root: string, watch: boolean, ground: Ground): Promise<Computer> {
  const onTrouble = (trouble: string) => fail("trouble", new Error(trouble));
  const sandbox = () => sandboxOn(root, ground);
  const opened = await openComputer({ root, userId: "ada", create: true, who: "torture", watch, onTrouble, sandbox });
  if (!opened.ok) throw new Error(`${opened.reason}: ${opened.message}`);
  return opened.computer;
}

/** In place as on a system that has no overlays. */
async function sandboxOn(root: string, ground: Ground): Promise<Opened> {
  const runDir = `${root}-run`;
  mkdirSync(runDir, { recursive: true });
  const opened = await openSandbox({ root, runDir });
  if (opened.ok && ground === "live") Object.assign(opened.sandbox, { overlay: { ok: false, why: "not in this run" } });
  return opened;
}

function fail(what: string, error: unknown): never {
  report({ said: "failed", message: `${what}: ${error instanceof Error ? (error.stack ?? error.message) : error}` });
  process.exit(1);
}

/** In the pipe before anything else happens: what was said to be acknowledged was, whatever comes next. */
function report(line: ActorsReport): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
