import { Sha256, UserId } from "@choiros/contract";
import { z } from "zod";
import type { Operation, Work } from "./operation.ts";
import { Blocked } from "./shapes.ts";

/** The way to what is in a home, whether a server runs on it or not. */
export interface Access {
  status(): Promise<Status>;
  run<Request, Item, Answer>(
    operation: Operation<Request, Item, Answer>,
    userId: UserId,
    request: Request,
    work: Work<Item>,
  ): Promise<Answer>;
}

export const EventQuery = z.strictObject({
  follow: z.boolean(),
  /** Counted from the end where it is negative: -10 is the last ten. */
  from: z.int(),
  to: z.int().min(0).exactOptional(),
  type: z.array(z.string()).exactOptional(),
});
export type EventQuery = z.infer<typeof EventQuery>;

export const Head = z.strictObject({ hash: Sha256, seq: z.int().min(1) });
export type Head = z.infer<typeof Head>;

/** `SEQ:HASH`, as `choir verify` prints it. */
export function parseHead(text: string): Head | undefined {
  const [, seq, hash] = /^([1-9]\d{0,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  return Head.safeParse({ hash, seq: Number(seq) }).data;
}

export const Status = z.strictObject({
  computers: z.array(
    z.strictObject({
      /** What the log has and the folder doesn't yet; `null` where nobody could look. */
      blocked: z.array(Blocked).readonly().nullable(),
      unkept: z.array(Blocked).readonly().nullable(),
      events: z.int().nullable(),
      /** How many bytes the history has: log, contents and what is made from them. */
      history: z.number(),
      id: UserId,
      problem: z.string().nullable(),
    }),
  ),
  home: z.string(),
  server: z.strictObject({ address: z.string(), pid: z.int(), since: z.string() }).nullable(),
  /** Commands run without a sandbox. */
  unsafe: z.boolean(),
  version: z.string(),
});
export type Status = z.infer<typeof Status>;

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
