import type { Json } from "@choiros/contract";
import { z } from "zod";

/** What was said, as the contract's table of messages has it. */
const Message = z.object({
  id: z.string(),
  paths: z.array(z.string()),
  seq: z.int(),
  source: z.string(),
  /** `null` where it is too long for an event. */
  text: z.string().nullable(),
  ts: z.string(),
});

export interface Asked {
  readonly id: string;
  readonly text: string;
  readonly ts: string;
  readonly paths: readonly string[];
}

/** What the user said, the newest first. */
export function askedIn(messages: Rows): Asked[] {
  return [...messages.values()]
    .flatMap((value) => Message.safeParse(value).data ?? [])
    .filter(({ source }) => source === "user")
    .sort((one, two) => two.seq - one.seq)
    .map(({ id, paths, text, ts }) => ({ id, paths, text: text ?? "A long text", ts }));
}

type Rows = ReadonlyMap<string, Json>;
