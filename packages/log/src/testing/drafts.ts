import { body, type Cause, type Draft, type Envelope, type Id, type Json } from "@choiros/contract";
import type { Appended, Log } from "../log.ts";

interface More {
  readonly id?: Id;
  readonly cause?: Cause;
}

export function message(text: string, more: More = {}): Draft {
  return { source: "user", type: "message", payload: { text }, ...more };
}

/** A setting may hold any JSON, of any size. */
export function setting(after: Json, more: More = {}): Draft {
  return {
    source: "system",
    type: "settings.change",
    payload: { changes: [{ after, before: null, key: "x" }] },
    ...more,
  };
}

/** A draft whose event will have a body of exactly this many bytes, if it becomes this seq. */
export function draftOfBytes(bytes: number, seq: number, filling: string): Draft {
  const ts = new Date(0).toISOString(); // every time is as long as this one
  const bare = { ...setting("", { id: "large" }), ts, v: 1, seq, id: "large" };
  const room = bytes - Buffer.byteLength(body(bare));
  const width = Buffer.byteLength(filling);
  return setting(filling.repeat(room / width) + "x".repeat(room % width), { id: "large" });
}

type Acknowledged = Extract<Appended, { ok: true }>;

/** What an append that must succeed answered. */
export function acknowledged(appended: Appended): Acknowledged {
  if (!appended.ok) throw new Error(appended.message);
  return appended;
}

export async function appendAll(log: Log, drafts: readonly Draft[]): Promise<Acknowledged[]> {
  return (await Promise.all(drafts.map((draft) => log.append(draft)))).map(acknowledged);
}

export function messages(count: number, size = 1): Draft[] {
  return Array.from({ length: count }, (_, i) => message(`${i} `.padEnd(size, "x")));
}

/** The first so many, and no more. */
export async function take(events: AsyncIterable<Envelope>, count: number): Promise<Envelope[]> {
  const taken: Envelope[] = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length >= count) break;
  }
  return taken;
}

export function seqs(events: readonly { readonly seq: number }[]): number[] {
  return events.map((event) => event.seq);
}

/** From `from` to `to`, both inclusive. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
}
