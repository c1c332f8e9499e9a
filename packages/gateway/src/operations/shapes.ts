import { Entry, Envelope, Id, Json, PAYLOADS, Sha256, Source } from "@choiros/contract";
import { z } from "zod";
import { SCRIPTED } from "./scripted.ts";

/** How what a computer answers looks on its way through a socket. */

export const Seq = z.int().min(0);
const Key = z.string().min(1);
export const Notes = z.array(z.string()).readonly();

const TreeChange = z.strictObject({ after: Entry.nullable(), before: Entry.nullable(), key: Key });
const ValueChange = z.strictObject({ after: Json, before: Json, name: z.string() });
export const Change = z.union([TreeChange, ValueChange]);
export type Change = z.infer<typeof Change>;

/**
 * A change; with `lines`, what it does to a file of text, as `diff -u` writes it. With `from` it is a move: `before` is
 * what went there.
 */
export const Shown = z.strictObject({ change: Change, from: Key.exactOptional(), lines: z.string().exactOptional() });
export type Shown = z.infer<typeof Shown>;

export const Blocked = z.strictObject({ key: Key, why: z.string() });
export type Blocked = z.infer<typeof Blocked>;

export const Choice = z.enum(["mine", "theirs"]);
export type Choice = z.infer<typeof Choice>;

/** When one of the three versions came, and by whom. */
const Known = z.strictObject({ seq: Seq, source: Source, ts: z.string() });
export type Known = z.infer<typeof Known>;

export const Conflict = z.strictObject({
  back: Json,
  choices: z.array(Choice).readonly(),
  key: Key,
  known: z.strictObject({ back: Known.exactOptional(), left: Known.exactOptional(), now: Known.exactOptional() }),
  left: Json,
  now: Json,
  why: z.string(),
});
export type Conflict = z.infer<typeof Conflict>;

/** What an action has to say of single paths: one at a time, for there may be a hundred thousand. */
export const Said = z.union([
  z.strictObject({ blocked: Blocked }),
  z.strictObject({ shown: Shown }),
  z.strictObject({ conflict: Conflict }),
]);
export type Said = z.infer<typeof Said>;

export const Refused = z.strictObject({
  message: z.string(),
  ok: z.literal(false),
  reason: z.enum(["conflict", "choice", "missing", "invalid", "nothing", "limit"]),
});

const Done = z.strictObject({
  beside: Key.optional(),
  call: Id,
  changed: z.int(),
  notes: Notes,
  ok: z.literal(true),
  seq: Seq,
});
export const Outcome = z.union([Done, Refused]);
export type Outcome = z.infer<typeof Outcome>;

export const Preview = z.union([
  z.strictObject({ lasting: Notes, notes: Notes, ok: z.literal(true), stays: z.array(Key).readonly() }),
  Refused,
]);
export type Preview = z.infer<typeof Preview>;

export const Choices = z.strictObject({
  all: Choice.exactOptional(),
  each: z.array(z.tuple([Key, Choice])).readonly(),
});
export type Choices = z.infer<typeof Choices>;

const Who = z.enum([...Source.options, "command", "outside", SCRIPTED]);

export const FileLine = z.strictObject({
  /** Who made it so, where `ts` is told. */
  by: Who.exactOptional(),
  entry: Entry,
  key: Key,
  secret: z.boolean(),
  seq: Seq,
  /** When it became so, where that was asked for. */
  ts: z.string().exactOptional(),
});
export type FileLine = z.infer<typeof FileLine>;

/** An event; with the command where it called one, and with the whole of what it asks leave for. */
export const Moment = z.strictObject({
  command: z.string().exactOptional(),
  event: Envelope,
  whole: z.string().exactOptional(),
});
export type Moment = z.infer<typeof Moment>;

export const Decision = PAYLOADS["approval.given"].shape.decision;

/** `2f12 40d 97-`: a file of 12 bytes since event 2, a directory since 40, nothing since 97; `l` is a link. */
export const PathHistory = z.strictObject({ key: Key, versions: z.string() });

export const Version = z.strictObject({
  by: z.string().exactOptional(),
  cause: z.record(z.string(), z.string()).nullable(),
  entry: Entry.nullable(),
  seq: Seq,
  source: Source,
  ts: z.string(),
  type: z.string(),
  until: Seq.nullable(),
});
export type Version = z.infer<typeof Version>;

export const Progress = z.strictObject({ done: z.number(), total: z.number().exactOptional(), what: z.string() });

export const Exported = z.strictObject({
  bytes: z.number(),
  contents: z.int(),
  events: z.int(),
  file: z.string(),
  hash: Sha256,
  missing: z.strictObject({
    count: z.int(),
    first: z
      .array(z.strictObject({ hash: Sha256, key: Key.nullable(), seq: Seq, state: z.enum(["damaged", "missing"]) }))
      .readonly(),
  }),
  seq: Seq,
});
