import { canonicalise } from "./canonical.ts";
import type { Envelope } from "./envelope.ts";
import type { Sha256 } from "./ids.ts";
import type { Json } from "./json.ts";

/** What stands before event 1. */
export const FIRST_PREVIOUS: Sha256 = "0".repeat(64);

/**
 * The text an event's hash covers is `link(previous, body)`, in UTF-8, under SHA-256; the hash is written as lower-case
 * hex. `previous` is the hash of the event before. Any shell can check it: `printf '%s\n%s' "$previous" "$body" | sha256sum`.
 */
export function link(previous: Sha256, body: string): string {
  return `${previous}\n${body}`;
}

/** An event without `hash`, and without `user_id`: that is routing, so that a computer can change its id and stay itself. */
type Hashed = Omit<Envelope, "hash" | "user_id">;

/** The body of an event: its canonical form. This very text is stored, so nothing has to be made again to check it. */
export function body(event: Hashed): string {
  const [head, tail] = bodyAround(event);
  return `${head}${event.seq}${tail}`;
}

/**
 * The body but for its `seq`, in two halves. The number is only known inside the commit, on another thread;
 * all the rest of the work is done before. In canonical order `seq` stands between `payload` and `source`.
 */
export function bodyAround(event: Omit<Hashed, "seq">): [head: string, tail: string] {
  const { cause, id, payload, source, ts, type, v } = event;
  const before: Json = cause === undefined ? { id, payload } : { cause, id, payload };
  const head = canonicalise(before).slice(0, -1);
  const tail = canonicalise({ source, ts, type, v }).slice(1);
  return [`${head},"seq":`, `,${tail}`];
}
