import { Envelope, Sha256, UserId } from "@choiros/contract";
import { z } from "zod";

/** What a command can ask of a home, whether a server runs on it or not. */
export interface Access {
  status(): Promise<Status>;
  /** Ends when the signal aborts; with `follow`, not before. */
  events(userId: UserId, query: EventQuery, signal: AbortSignal): AsyncIterable<Envelope>;
  verify(userId: UserId, expect: Head | undefined, onProgress: Progress, signal: AbortSignal): Promise<Verification>;
  close(): Promise<void>;
}

export type Progress = (done: number, total: number) => void;

export const EventQuery = z.strictObject({
  follow: z.stringbool().default(false),
  /** Counted from the end where it is negative: -10 is the last ten. */
  from: z.coerce.number().int().default(1),
  to: z.coerce.number().int().min(0).exactOptional(),
  type: z.preprocess((value) => (typeof value === "string" ? [value] : value), z.array(z.string())).exactOptional(),
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
  computers: z.array(z.strictObject({ events: z.int().nullable(), id: UserId, problem: z.string().nullable() })),
  home: z.string(),
  server: z.strictObject({ address: z.string(), pid: z.int(), since: z.string() }).nullable(),
  version: z.string(),
});
export type Status = z.infer<typeof Status>;

export const Verification = z.strictObject({
  contents: z
    .strictObject({
      contents: z.int(),
      ok: z.boolean(),
      problems: z.array(z.strictObject({ hash: z.string(), seq: z.int(), state: z.enum(["missing", "damaged"]) })),
      pruned: z.int(),
    })
    .nullable(),
  log: z.strictObject({
    events: z.int(),
    firstBad: z.int().exactOptional(),
    good: Head.exactOptional(),
    ok: z.boolean(),
    problems: z.array(z.strictObject({ kind: z.string(), message: z.string(), seq: z.int().exactOptional() })),
  }),
  ok: z.boolean(),
  /** Why the contents could not be looked at, though the log is whole. */
  unopened: z.string().nullable(),
});
export type Verification = z.infer<typeof Verification>;

export const VerifyMessage = z.union([
  z.strictObject({ done: z.int(), total: z.int() }),
  z.strictObject({ result: Verification }),
  z.strictObject({ failed: z.string() }),
]);
export type VerifyMessage = z.infer<typeof VerifyMessage>;

export const EventMessage = z.union([z.strictObject({ event: Envelope }), z.strictObject({ failed: z.string() })]);
export type EventMessage = z.infer<typeof EventMessage>;
