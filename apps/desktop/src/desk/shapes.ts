import { Entry, Envelope, Json } from "@choiros/contract";
import { z } from "zod";

/** What the gateway answers, as far as the desk needs it: a newer server may say more. */

export const Row = z.object({ key: z.string(), value: Json });
export type Row = z.infer<typeof Row>;
export const CountedIn = z.object({ seq: z.int() });
export const Found = z.object({ found: z.boolean() });

export const FileLine = z.object({
  entry: Entry,
  key: z.string(),
  /** The event that made it what it is. */
  seq: z.int(),
  ts: z.string().optional(),
  /** Who made it so. */
  by: z.string().optional(),
});
export type FileLine = z.infer<typeof FileLine>;

export const Moment = z.object({ command: z.string().exactOptional(), event: Envelope });
export type Moment = z.infer<typeof Moment>;

export const Version = z.object({
  by: z.string().exactOptional(),
  cause: z.record(z.string(), z.string()).nullable(),
  entry: Entry.nullable(),
  seq: z.int(),
  source: z.string(),
  ts: z.string(),
  type: z.string(),
  until: z.int().nullable(),
});
export type Version = z.infer<typeof Version>;

const TreeChange = z.object({ after: Entry.nullable(), before: Entry.nullable(), key: z.string() });
const ValueChange = z.object({ after: Json, before: Json, name: z.string() });
export const Shown = z.object({
  change: z.union([TreeChange, ValueChange]),
  from: z.string().optional(),
  lines: z.string().optional(),
});
export type Shown = z.infer<typeof Shown>;

const Choice = z.enum(["mine", "theirs"]);
export type Choice = z.infer<typeof Choice>;
const Conflict = z.object({ choices: z.array(Choice), key: z.string(), why: z.string() });
export type Conflict = z.infer<typeof Conflict>;

export const Said = z.union([
  z.object({ shown: Shown }),
  z.object({ conflict: Conflict }),
  z.object({ blocked: z.object({ key: z.string(), why: z.string() }) }),
]);
export type Said = z.infer<typeof Said>;

const Refused = z.object({ message: z.string(), ok: z.literal(false), reason: z.string() });
export type Refused = z.infer<typeof Refused>;

export const Outcome = z.union([
  z.object({
    beside: z.string().optional(),
    call: z.string(),
    changed: z.number(),
    notes: z.array(z.string()),
    ok: z.literal(true),
    seq: z.number(),
  }),
  Refused,
]);
export type Outcome = z.infer<typeof Outcome>;

export const Preview = z.union([
  z.object({
    lasting: z.array(z.string()),
    notes: z.array(z.string()),
    ok: z.literal(true),
    stays: z.array(z.string()),
  }),
  Refused,
]);
export type Preview = z.infer<typeof Preview>;

export const Ran = z.union([
  z.object({
    call: z.string(),
    changed: z.number(),
    exit: z.int().nullable(),
    how: z.string(),
    notes: z.array(z.string()),
    ok: z.literal(true),
    seq: z.number(),
  }),
  Refused,
]);
export type Ran = z.infer<typeof Ran>;
