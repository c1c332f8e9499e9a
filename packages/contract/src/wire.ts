import { z } from "zod";
import { Envelope } from "./envelope.ts";
import { Id, UserId } from "./ids.ts";
import { Json, JsonObject } from "./json.ts";
import { Signal } from "./signal.ts";

/** What runs over `/api/ws`, each a line of JSON. */

/** First of all, once. `token` is the console's, or a desk's. Replays from this seq on, then follows. */
export const Hello = z.strictObject({
  computer: UserId,
  from: z.int().min(1),
  hello: z.literal(1),
  token: z.string().max(200),
});
export type Hello = z.infer<typeof Hello>;

/**
 * A command. Its id names the call it makes: the same one again is answered again, and does nothing twice. With `pages` the
 * items of what only reads come many at a time.
 */
const Do = z.strictObject({
  do: z.string().max(40),
  id: Id,
  pages: z.literal(true).exactOptional(),
  request: JsonObject,
});
/** Ends a command that is under way, as far as it isn't in the log yet. */
const Stop = z.strictObject({ stop: Id });
const Send = z.strictObject({ signal: Signal });
/** Asks whether anybody is there, and is answered with the same: what a browser's own pings are answered, no page hears. */
const Beat = z.strictObject({ beat: z.literal(true) });

export const FromClient = z.union([Do, Stop, Send, Beat]);
export type FromClient = z.infer<typeof FromClient>;

export const FromServer = z.union([
  /** The answer to `Hello`: the last event by now. */
  z.strictObject({ welcome: z.strictObject({ computer: UserId, head: z.int().min(1) }) }),
  /** With the command where it called one, and with the whole of what it asks leave for. */
  z.strictObject({ command: z.string().exactOptional(), event: Envelope, whole: z.string().exactOptional() }),
  z.strictObject({ signal: Signal }),
  Beat,
  z.strictObject({ id: Id, item: Json }),
  z.strictObject({ id: Id, items: z.array(Json) }),
  /** What a command writes, or what is in a file; `aside` is standard error. */
  z.strictObject({ aside: z.boolean(), id: Id, output: z.base64() }),
  z.strictObject({
    id: Id,
    progress: z.strictObject({ done: z.int(), total: z.int().exactOptional(), what: z.string() }),
  }),
  z.strictObject({ answer: Json, id: Id }),
  /** The command came to nothing; what to do is in `detail`. */
  z.strictObject({ id: Id, problem: z.strictObject({ detail: z.string(), title: z.string() }) }),
  /** The last word before the socket is closed. `again`: whether it makes sense to come back. */
  z.strictObject({ again: z.boolean(), bye: z.string() }),
]);
export type FromServer = z.infer<typeof FromServer>;
