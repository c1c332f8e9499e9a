import { Id, Sha256, Source } from "@choiros/contract";
import { z } from "zod";
import { AskedKey } from "./asked-key.ts";

const CauseQuery = z.strictObject({
  ask: Id.exactOptional(),
  call: Id.exactOptional(),
  conversation: Id.exactOptional(),
  task: Id.exactOptional(),
});

/** Which events: those that fit all of it. */
export const EventQuery = z
  .strictObject({
    /** All of these. */
    cause: CauseQuery.exactOptional(),
    follow: z.boolean().default(false),
    /** Counted from the end where it is negative: -10 is the last ten. */
    from: z.int().default(1),
    /** Those that changed something there, or below it. */
    key: AskedKey.exactOptional(),
    limit: z.int().min(1).max(10_000).exactOptional(),
    /** Those that changed something whose path has all of these words in it, whatever their case. */
    named: z.string().max(1000).exactOptional(),
    /** From the last one backwards. */
    newest: z.boolean().exactOptional(),
    /** Between these times, as the clock of the machine told them. */
    since: z.iso.datetime().exactOptional(),
    source: z.array(Source).exactOptional(),
    /** Messages, plans, commands and changed paths that have all of these words, whatever their case. */
    text: z.string().max(1000).exactOptional(),
    to: z.int().min(0).exactOptional(),
    type: z.array(z.string()).exactOptional(),
    until: z.iso.datetime().exactOptional(),
  })
  .refine(
    ({ follow, key, limit, named, newest, since, text, until }) =>
      !follow || [key, limit, named, newest, since, text, until].every((one) => one === undefined),
    "can be followed by type, source and cause, and by nothing else",
  );
export type EventQuery = z.infer<typeof EventQuery>;

export const Head = z.strictObject({ hash: Sha256, seq: z.int().min(1) });
export type Head = z.infer<typeof Head>;

/** `SEQ:HASH`, as `choir verify` prints it. */
export function parseHead(text: string): Head | undefined {
  const [, seq, hash] = /^([1-9]\d{0,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  return Head.safeParse({ hash, seq: Number(seq) }).data;
}

const Differences = z.array(z.string()).readonly();

export const Verification = z.strictObject({
  contents: z
    .strictObject({
      contents: z.int(),
      ok: z.boolean(),
      problems: z
        .array(z.strictObject({ hash: z.string(), seq: z.int(), state: z.enum(["missing", "damaged"]) }))
        .readonly(),
      pruned: z.int(),
      /** Those that no event names; `null` where that can't be known. */
      unnamed: z.strictObject({ bytes: z.number(), contents: z.int() }).nullable(),
    })
    .nullable(),
  folder: z
    .strictObject({ notes: z.array(z.string()).readonly(), ok: z.boolean(), paths: z.int(), problems: Differences })
    .nullable(),
  log: z.strictObject({
    events: z.int(),
    firstBad: z.int().exactOptional(),
    good: Head.exactOptional(),
    ok: z.boolean(),
    problems: z
      .array(z.strictObject({ kind: z.string(), message: z.string(), seq: z.int().exactOptional() }))
      .readonly(),
  }),
  ok: z.boolean(),
  state: z.strictObject({ hash: Sha256, ok: z.boolean(), problems: Differences }).nullable(),
  /** Why the contents, or the state and the folder, could not be looked at, though the log is whole. */
  unopened: z.string().nullable(),
});
export type Verification = z.infer<typeof Verification>;
