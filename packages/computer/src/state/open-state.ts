import { existsSync } from "node:fs";
import { copyFile, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { recognise } from "@choiros/contract";
import { type Contents, type Log, LogError } from "@choiros/log";
import { changesOf } from "../change-list.ts";
import type { Progress } from "../outcome.ts";
import { listSnapshots, removeSnapshot, snapshotPath } from "./snapshot-file.ts";
import { checkInThread, Snapshots } from "./snapshots.ts";
import { State } from "./state.ts";
import type { Applied } from "./state-file.ts";
import type { Applicable } from "./state-rows.ts";

const STATE_FILE = "state.sqlite";
const SNAPSHOT_FOLDER = "snapshots";

export interface OpenStateOptions {
  /** The store's folder: `{home}/users/{user_id}/.choir`. */
  readonly dir: string;
  readonly log: Log;
  readonly contents: Contents;
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
  /** What goes wrong in the background and costs nothing but time. */
  readonly onTrouble?: (trouble: string) => void;
}

/** A state that is up with its log, and what keeps opening it quick. */
export interface OpenedState {
  readonly state: State;
  /** What was found on opening that the user should know. */
  readonly notices: readonly string[];
  /**
   * Makes the state again from the first event, beside the one that is there, which goes on meanwhile; then throws that
   * one and its snapshots away. `turn` is given what must not be disturbed: the last few events, and the exchange.
   */
  rebuild(options?: RebuildOptions): Promise<void>;
  close(): Promise<void>;
}

export interface RebuildOptions extends Pick<OpenStateOptions, "onProgress" | "signal"> {
  readonly turn?: (work: () => Promise<void>) => Promise<void>;
}

/** A state of its own, made from the first event up to another, with no snapshot and nothing else beside it. */
export async function replayed(
  path: string,
  to: number,
  options: Pick<OpenStateOptions, "log" | "contents" | "onProgress" | "signal">,
): Promise<State> {
  const state = await State.open({ path });
  try {
    await replay(state, options, to);
    return state;
  } catch (error) {
    await state.close();
    throw error;
  }
}

/** Where a state is made that is to be thrown away, or to take another's place. One that was cut off leaves it behind. */
const SCRATCH = "replay-";

export function scratchFolder(dir: string): Promise<string> {
  return mkdtemp(join(dir, SCRATCH));
}

export async function clearScratch(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (name.startsWith(SCRATCH)) await rm(join(dir, name), { recursive: true, force: true });
  }
}

/** The state as it is on the disk, else the newest snapshot that is good, else nothing; and then the log from there on. */
export async function openState(options: OpenStateOptions): Promise<OpenedState> {
  const { dir, log, onTrouble = () => {} } = options;
  const path = join(dir, STATE_FILE);
  const folder = join(dir, SNAPSHOT_FOLDER);
  const notices: string[] = [];
  const other = async () => (await openFromSnapshot(path, folder, log, notices)) ?? (await State.open({ path }));
  const standing = await openStanding(path, log, notices);
  const state =
    (standing && (await caughtUp(standing, options, notices))) ?? (await caughtUp(await other(), options, notices));
  if (state === undefined) throw new LogError("io", `${path} doesn't keep what is written to it`);
  const snapshots = new Snapshots(folder, path, onTrouble);
  snapshots.note(state.appliedSeq);
  state.onApplied = (seq) => snapshots.note(seq);
  return {
    state,
    notices,
    rebuild: (more = {}) => rebuild({ ...options, ...more }, state, snapshots),
    async close() {
      await snapshots.atClose(state.appliedSeq);
      await state.close();
    },
  };
}

async function rebuild(options: OpenStateOptions & RebuildOptions, state: State, snapshots: Snapshots): Promise<void> {
  const { dir, log, turn = (work: () => Promise<void>) => work() } = options;
  const scratch = await scratchFolder(dir);
  try {
    const made = await replayed(join(scratch, STATE_FILE), (await log.head()).seq, options);
    try {
      await turn(async () => {
        await snapshots.removeAll();
        do await replay(made, options);
        while (!(await state.takeOver(made)));
      });
    } finally {
      await made.close(); // where it didn't come to that
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The state, up with the log; `undefined` where its file turned out to be damaged, and was removed. */
async function caughtUp(state: State, options: OpenStateOptions, notices: string[]): Promise<State | undefined> {
  try {
    await replay(state, options);
    return state;
  } catch (error) {
    await state.close().catch(() => {}); // the error from before says more
    if (!state.damaged) throw error;
    await removeState(state.path);
    notices.push(`${state.path} is damaged; it is made again from the log`);
    return undefined;
  }
}

async function removeState(path: string): Promise<void> {
  for (const end of ["", "-wal", "-shm"]) await rm(`${path}${end}`, { force: true });
}

/** Applies what the log has and the state doesn't. Cut off anywhere, the next opening goes on from there. */
async function replay(
  state: State,
  { log, contents, onProgress, signal }: Pick<OpenStateOptions, "log" | "contents" | "onProgress" | "signal">,
  to?: number,
): Promise<void> {
  const total = to ?? (await log.head()).seq;
  let batch: Applicable[] = [];
  let applying: Promise<void> = Promise.resolve();
  const flush = async () => {
    await applying; // one batch is applied while the next is read
    signal?.throwIfAborted();
    onProgress?.({ what: "applying the log to the state", done: state.appliedSeq, total });
    applying = state.apply(batch);
    applying.catch(() => {}); // awaited with the next batch, or at the end
    batch = [];
  };
  if (state.appliedSeq >= total) return;
  for await (const event of log.read({ from: state.appliedSeq + 1, to: total })) {
    const known = recognise(event);
    const long = known.ok && "list" in known.value.payload;
    batch.push(long ? { event, changes: changesOf(contents, known.value) } : { event });
    if (batch.length >= BATCH) await flush();
  }
  await flush();
  await applying;
  onProgress?.({ what: "applying the log to the state", done: state.appliedSeq, total });
}

const BATCH = 500;

/** The state on the disk, if it is one of this log's. */
async function openStanding(path: string, log: Log, notices: string[]): Promise<State | undefined> {
  if (!existsSync(path)) {
    await removeState(path); // what lies beside it belongs to a file that is gone
    return undefined;
  }
  const state = await openUsable(path, notices);
  if (state === undefined) return undefined;
  const wrong = await contradiction({ seq: state.appliedSeq, hash: state.appliedHash }, log);
  if (wrong === undefined) return state;
  await state.close();
  const aside = `${path}.${state.appliedSeq}`;
  await rename(path, aside);
  notices.push(`the state contradicts the log: ${wrong}. It was put aside as ${aside}, and is made again from the log`);
  return undefined;
}

async function openUsable(path: string, notices: string[]): Promise<State | undefined> {
  try {
    return await State.open({ path });
  } catch (error) {
    if (!(error instanceof LogError) || error.code !== "damaged") throw error;
    await removeState(path);
    notices.push(`${error.message}; it is made again from the log`);
    return undefined;
  }
}

async function openFromSnapshot(path: string, folder: string, log: Log, notices: string[]): Promise<State | undefined> {
  for (const seq of listSnapshots(folder)) {
    const snapshot = snapshotPath(folder, seq);
    const checked = await checkInThread(folder, seq);
    const contradicted = "wrong" in checked ? undefined : await contradiction(checked, log);
    if ("wrong" in checked) {
      notices.push(`the snapshot ${snapshot} was removed: ${checked.wrong}`);
    } else if (contradicted !== undefined) {
      const aside = `${path}.${seq}`;
      await rename(snapshot, aside);
      notices.push(`a snapshot contradicts the log: ${contradicted}. It was put aside as ${aside}`);
    } else {
      await copyFile(snapshot, `${path}.new`);
      await rename(`${path}.new`, path);
      const state = await openUsable(path, notices);
      if (state !== undefined) return state;
    }
    removeSnapshot(folder, seq);
  }
  return undefined;
}

/** How what was applied can't come from this log; `undefined` where it can. */
async function contradiction({ seq, hash }: Applied, log: Log): Promise<string | undefined> {
  if (seq === 0) return undefined;
  const head = await log.head();
  if (seq > head.seq) {
    return `it knows events up to ${seq}, and the log ends with ${head.seq}: the log has lost its end. Run 'choir verify'`;
  }
  for await (const event of log.read({ from: seq, to: seq })) {
    if (event.hash === hash) return undefined;
  }
  return `event ${seq} in it is another one than in the log`;
}
