import { newId } from "@choiros/contract";
import type { DeskApi } from "../../desk/api.ts";
import { Problem } from "../../desk/problem.ts";

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
  return error instanceof Problem && ITS_OWN.includes(error.status);
}

/** So often in a row it breaks off, though the server is there, before it is given up. */
const MOST_TRIES = 4;

/** Where the connection breaks it begins again, under its id: it comes in once. */
export async function sendFile(
  desk: DeskApi,
  { key, file, call }: Sent,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<void> {
  const id = newId();
  for (let tries = 1; ; tries++) {
    try {
      const outcome = await desk.files.write(key, file, { base: null, id, call, signal, onSent });
      if (outcome.ok) return;
      throw new Problem("Refused", outcome.message, 422);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      onSent(0);
      if (!(await canBeRead(file)))
        throw new Problem("Not sent", "it changed or went away where it comes from. Choose it again.", 422);
      if (tries > MOST_TRIES)
        throw new Problem("Not sent", "the connection breaks off each time. Try again later.", 422);
      if (await waitedFor(desk, signal)) tries = 0;
    }
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
