import { newId } from "@choiros/contract";
import type { DeskApi } from "./api.ts";
import { Problem, Unanswered } from "./problem.ts";

interface Sent {
  readonly key: string;
  readonly file: File;
  /** What it belongs to. */
  readonly call: string;
}

/** Of one file alone: its name is none, it is too large, or can't be there. */
const ITS_OWN: readonly (number | undefined)[] = [400, 413, 422];

/** Whether something stands in the way of this file, and of no other. */
export function isItsOwn(error: unknown): boolean {
  return error instanceof Unanswered || (error instanceof Problem && ITS_OWN.includes(error.status));
}

/** So often in a row it breaks off, though the server is there, before it is given up. */
const MOST_TRIES = 4;
/** So long the server is asked what became of a file that was stopped. */
const SETTLE_MS = 20_000;

/**
 * Where the connection breaks it begins again, under its id: it comes in once. Stopped, the server is still asked whether what
 * went out whole came in: `Unanswered` where it doesn't say.
 */
export async function sendFile(
  desk: DeskApi,
  { key, file, call }: Sent,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<void> {
  const id = newId();
  let mayBeIn = false;
  const write = async (until: AbortSignal) => {
    const outcome = await desk.files.write(key, file, { base: null, id, call, signal: until, onSent });
    if (!outcome.ok) throw new Problem("Refused", outcome.message, 422);
  };
  const send = async (until: AbortSignal) => {
    for (let tries = 1; ; tries++) {
      try {
        return await write(until);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        mayBeIn ||= error instanceof Unanswered;
        onSent(0);
        const why = (await canBeRead(file)) ? (tries > MOST_TRIES ? BREAKS_OFF : undefined) : UNREADABLE;
        if (why !== undefined) throw mayBeIn ? new Unanswered() : new Problem("Not sent", why, 422);
        if (await waitedFor(desk, until)) tries = 0;
      }
    }
  };
  try {
    await send(signal);
  } catch (error) {
    if (error instanceof Problem || !mayBeIn || !signal.aborted) throw error;
    await inTime(send);
  }
}

const BREAKS_OFF = "the connection breaks off each time. Try again later.";
const UNREADABLE = "it changed or went away where it comes from. Choose it again.";

async function inTime(send: (until: AbortSignal) => Promise<void>): Promise<void> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Unanswered()), SETTLE_MS);
  try {
    await send(late.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function canBeRead(file: File): Promise<boolean> {
  return file.slice(0, 1).arrayBuffer().then(() => true, () => false); // biome-ignore format: in one line
}

const PAUSE_MS = 1000;

/** Until the desk is connected; not at once, for it may not know yet that it isn't. Whether it wasn't. */
async function waitedFor({ connection }: DeskApi, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let wasAway = false;
  const look = () => {
    if (connection.get() === "live" && navigator.onLine !== false) resolve();
    else wasAway = true;
  };
  const stop = () => reject(signal.reason);
  const timer = setTimeout(look, PAUSE_MS);
  const unwatch = connection.watch(look);
  signal.addEventListener("abort", stop);
  try {
    await promise;
    return wasAway;
  } finally {
    clearTimeout(timer);
    unwatch();
    signal.removeEventListener("abort", stop);
  }
}
