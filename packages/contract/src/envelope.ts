import { z } from "zod";
import { reasons } from "./faults.ts";
import { Id, Sha256, UserId } from "./ids.ts";
import { JsonObject } from "./json.ts";
import { type EventType, isEventType, PAYLOADS, type Payload } from "./payloads.ts";
import { Cause, Source } from "./source.ts";
import { TypeName } from "./type-name.ts";

/** The version of the envelope that this code writes. */
export const ENVELOPE_VERSION = 1;

const shape = {
  cause: z.record(z.string(), z.string()).exactOptional(),
  hash: Sha256,
  id: Id,
  payload: JsonObject,
  seq: z.int().min(1),
  source: z.string(),
  ts: z.string(),
  type: z.string(),
  user_id: UserId,
  v: z.int().min(1),
};

/**
 * An event as a log gives it back. Its type and payload may be of a newer version than this code:
 * such an event is kept whole and shown; `recognise` says whether it can be understood.
 */
export type Envelope = Readonly<z.infer<z.ZodObject<typeof shape>>>;
export const Envelope: z.ZodType<Envelope> = z.looseObject(shape);

/** An event of a type and payload that this code knows. */
export type KnownEvent = {
  [Type in EventType]: Omit<Envelope, "source" | "type" | "payload" | "cause"> & {
    readonly source: Source;
    readonly type: Type;
    readonly payload: Payload<Type>;
    readonly cause?: Cause;
  };
}[EventType];

/** What is handed to `append`: an event before it has a place. */
export type Draft = {
  [Type in EventType]: {
    readonly id?: Id;
    readonly source: Source;
    readonly type: Type;
    readonly cause?: Cause;
    readonly payload: Payload<Type>;
  };
}[EventType];

/** What every event of this version has, whatever its type. */
const Moment = z.object({ source: Source, ts: z.iso.datetime({ precision: 3 }) });

export type Recognised<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

const DraftShell = z.strictObject({
  cause: Cause.exactOptional(),
  id: Id.exactOptional(),
  payload: z.unknown(),
  source: Source,
  type: TypeName,
});

/** Checks a draft against the contract. `why` is a sentence for whoever made it. */
export function parseDraft(input: unknown): Recognised<Draft> {
  const shell = DraftShell.safeParse(input);
  if (!shell.success) return { ok: false, why: reasons(shell.error) };
  const { type } = shell.data;
  if (!isEventType(type)) return { ok: false, why: `'${type}' is not a type of event that this version writes` };
  const payload = PAYLOADS[type].safeParse(shell.data.payload);
  if (!payload.success) return { ok: false, why: `payload of '${type}': ${reasons(payload.error)}` };
  // The schema of this very type parsed it; TypeScript can't follow the lookup by name.
  return { ok: true, value: { ...shell.data, payload: payload.data } as Draft };
}

/** The event with its meaning, or why this version can't tell: a newer one wrote it, and it is shown but not projected. */
export function recognise(event: Envelope): Recognised<KnownEvent> {
  const { type, v } = event;
  if (v > ENVELOPE_VERSION) return { ok: false, why: `envelope version ${v} is newer than ${ENVELOPE_VERSION}` };
  if (!isEventType(type)) return { ok: false, why: `'${type}' is not a type of event that this version knows` };
  const moment = Moment.safeParse(event);
  if (!moment.success) return { ok: false, why: reasons(moment.error) };
  const cause = Cause.optional().safeParse(event.cause);
  if (!cause.success) return { ok: false, why: `cause: ${reasons(cause.error)}` };
  const payload = PAYLOADS[type].safeParse(event.payload);
  if (!payload.success) return { ok: false, why: `payload of '${type}': ${reasons(payload.error)}` };
  // As above: checked by the schema that belongs to this type.
  return { ok: true, value: { ...event, payload: payload.data } as KnownEvent };
}
