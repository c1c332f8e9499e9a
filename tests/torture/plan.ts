import { hash } from "node:crypto";
import { type ContentRef, type Draft, type Id, MAX_SMALL_CONTENT_BYTES } from "@choiros/contract";
import { type Random, randomFrom } from "./random.ts";

/**
 * What is appended under an id. It follows from the id alone, so whoever looks at the log afterwards, in whatever
 * process, knows what must stand there.
 */
export interface Planned {
  readonly draft: Draft;
  /** What the event names: put before it is appended. */
  readonly content?: Uint8Array;
}

/** Ids that begin with this name short events. */
export const FILLING = "filling-";

export function planned(id: Id): Planned {
  const known = recent.get(id);
  if (known !== undefined) return known;
  if (recent.size >= MAX_RECENT) recent.clear();
  const plan = planOf(id, randomFrom(id));
  recent.set(id, plan);
  return plan;
}

/** Some runs append the same ids again and again, each time to a new store. */
const recent = new Map<Id, Planned>();
const MAX_RECENT = 100;

function planOf(id: Id, random: Random): Planned {
  // What only makes a log long is short itself.
  if (id.startsWith(FILLING)) return { draft: { id, source: "user", type: "message", payload: { text: id } } };
  if (random.chance(0.4)) {
    return { draft: { id, source: "user", type: "message", payload: { text: text(random, 1 + random.below(600)) } } };
  }
  const content = contentOf(random);
  const ref: ContentRef = { hash: hash("sha256", content), size: content.length };
  const cause = { call: `call-${random.below(50)}`, task: `task-${random.below(5)}` };
  const draft: Draft = random.chance(0.5)
    ? { id, source: "agent", type: "note.observed", payload: { content: ref } }
    : { id, source: "agent", type: "tool.call", cause, payload: { input: ref, tool: "bash" } };
  return { draft, content };
}

function contentOf(random: Random): Uint8Array {
  // Now and then the same bytes as another event's: they are stored once.
  const own = random.chance(0.1) ? randomFrom(`shared content ${random.below(8)}`) : random;
  const size = sizeOf(own);
  return own.chance(0.5) ? Buffer.from(text(own, size)) : own.bytes(size);
}

function sizeOf(random: Random): number {
  const kind = random.next();
  if (kind < 0.7) return random.below(4000);
  if (kind < 0.8) return MAX_SMALL_CONTENT_BYTES - random.below(3);
  if (kind < 0.85) return MAX_SMALL_CONTENT_BYTES + 1;
  return MAX_SMALL_CONTENT_BYTES + random.below(200_000);
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz      ÄÖüß→\n";

function text(random: Random, length: number): string {
  const line = Array.from({ length: Math.min(length, 200) }, () => LETTERS[random.below(LETTERS.length)]).join("");
  return line.repeat(Math.ceil(length / line.length)).slice(0, length);
}
