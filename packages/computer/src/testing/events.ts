import { createHash } from "node:crypto";
import { type Cause, type Entry, type Envelope, type Json, pathFromKey } from "@choiros/contract";

/** Events as a log would give them, chained so that each has a hash of its own. */
export class EventList {
  readonly events: Envelope[] = [];

  add(type: string, payload: { readonly [key: string]: Json }, cause?: Cause): Envelope {
    const seq = this.events.length + 1;
    const hash = createHash("sha256")
      .update(`${this.events.at(-1)?.hash} ${type} ${JSON.stringify(payload)}`)
      .digest("hex");
    const ts = new Date(Date.UTC(2026, 0, 1) + seq * 1000).toISOString();
    const source = type === "message" ? "user" : "agent";
    const event = {
      v: 1,
      id: `e${seq}`,
      seq,
      ts,
      user_id: "ada",
      source,
      type,
      payload,
      hash,
      ...(cause && { cause }),
    };
    this.events.push(event);
    return event;
  }

  /** Sets paths: `null` removes one. */
  files(entries: Readonly<Record<string, Entry | null>>): Envelope {
    const changes = Object.entries(entries).map(([key, after]) => ({ after, before: DIR, path: pathFromKey(key) }));
    return this.add("files.changed", { by: "outside", changes });
  }
}

export const DIR: Entry = { kind: "dir", mode: 0o755 };

export function file(content: string, mode = 0o644): Entry {
  const hash = createHash("sha256").update(content).digest("hex");
  return { hash, kind: "file", mode, size: Buffer.byteLength(content) };
}
