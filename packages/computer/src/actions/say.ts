import { type Cause, newId, type Payload, pathFromKey } from "@choiros/contract";
import { LogError } from "@choiros/log";
import type { SayOptions } from "../computer-port.ts";
import type { Outcome } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { refused } from "./write-file.ts";

/** What is longer is a content. */
const MAX_CHARACTERS = 32_768;

/** A message begins an ask, which has its id; in a conversation of its own, unless it goes on with one. */
export async function say(parts: Parts, text: string, options: SayOptions = {}): Promise<Outcome> {
  const { contents, log, projector } = parts;
  const { conversation, id = newId(), paths = [], signal, source = "user" } = options;
  if (text.trim() === "") return refused("nothing was said");
  const about = paths.length === 0 ? {} : { paths: paths.map(pathFromKey) };
  const payload: Payload<"message"> =
    text.length > MAX_CHARACTERS ? { content: await contents.put(Buffer.from(text)), ...about } : { text, ...about };
  const cause: Cause = { ...options.cause, ask: id, conversation: conversation ?? id };
  signal?.throwIfAborted(); // from here on it has happened
  const appended = await log.append({ id, source, type: "message", cause, payload });
  if (!appended.ok) {
    if (appended.reason === "invalid") return refused(appended.message);
    throw new LogError("misuse", appended.message);
  }
  await projector.reached(appended.seq);
  return { ok: true, seq: appended.seq, call: id, changed: 0, blocked: [], notes: [] };
}
