import { Entry, Envelope, Json, UserId } from "@choiros/contract";
import { z } from "zod";

/** What the gateway answers, as far as the console needs it: a newer server may say more. */

const Account = z.object({
  hasPassword: z.boolean(),
  id: UserId,
  name: z.string(),
  role: z.enum(["owner", "member"]),
});

export const Computer = z.object({
  /** The origin of its desktop. */
  desk: z.url(),
  id: UserId,
  name: z.string(),
});
export type Computer = z.infer<typeof Computer>;

export const Me = z.object({
  account: Account,
  computers: z.array(Computer).min(1),
  session: z.string(),
  token: z.string(),
});
export type Me = z.infer<typeof Me>;

export const SessionLine = z.object({
  created: z.string(),
  current: z.boolean(),
  id: z.string(),
  userAgent: z.string(),
});
export type SessionLine = z.infer<typeof SessionLine>;

export const DeskToken = z.object({ expires: z.string(), token: z.string() });

export const Health = z.object({
  log: z.object({ problem: z.string().optional() }),
  ready: z.boolean(),
  unsafe: z.boolean(),
});
export type Health = z.infer<typeof Health>;

/** An event; with the command where it called one, and with the whole of what it asks leave for. */
export const Moment = z.object({
  command: z.string().optional(),
  event: Envelope,
  whole: z.string().optional(),
});
export type Moment = z.infer<typeof Moment>;

export const CountedIn = z.object({ seq: z.int() });

export const FileLine = z.object({ entry: Entry, key: z.string() });
export type FileLine = z.infer<typeof FileLine>;

const VERSION = "\\d{1,15}(?:-|d|[fl]\\d{1,15})";
/** What stood at a path: `2f12 40d 97-` was a file of 12 bytes, a directory from event 40 on, and is gone since 97. */
export const PathHistory = z.object({
  key: z.string(),
  versions: z.string().regex(new RegExp(`^${VERSION}(?: ${VERSION})*$`)),
});
export type PathHistory = z.infer<typeof PathHistory>;
export const HistoriesAnswer = z.object({ until: z.number() });

const TreeChange = z.object({ after: Entry.nullable(), before: Entry.nullable(), key: z.string() });
const ValueChange = z.object({ after: Json, before: Json, name: z.string() });

export const Shown = z.object({
  change: z.union([TreeChange, ValueChange]),
  from: z.string().optional(),
  lines: z.string().optional(),
});
export type Shown = z.infer<typeof Shown>;

export const Choice = z.enum(["mine", "theirs"]);
export type Choice = z.infer<typeof Choice>;

const Conflict = z.object({ choices: z.array(Choice), key: z.string(), why: z.string() });
export type Conflict = z.infer<typeof Conflict>;

export const Said = z.union([
  z.object({ blocked: z.object({ key: z.string(), why: z.string() }) }),
  z.object({ shown: Shown }),
  z.object({ conflict: Conflict }),
]);
export type Said = z.infer<typeof Said>;

const Refused = z.object({ message: z.string(), ok: z.literal(false) });

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

export const Outcome = z.union([
  z.object({ changed: z.number(), notes: z.array(z.string()), ok: z.literal(true), seq: z.number() }),
  Refused,
]);
export type Outcome = z.infer<typeof Outcome>;
