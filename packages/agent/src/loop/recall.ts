import type { Id, KnownEvent } from "@choiros/contract";
import { reasons } from "@choiros/contract";
import { LogError } from "@choiros/log";
import type { z } from "zod";
import type { Work } from "../tools/dispatch-port.ts";
import { recall } from "../tools/recall.ts";
import type { Chapter } from "./chapter.ts";
import { StoredRequest, StoredResponse } from "./stored-call.ts";
import { Transcript } from "./transcript.ts";

/** The conversation of one role, as far as it went: of a task, or of an ask's Director. */
export async function recallTranscript(chapter: Chapter, role: "director" | "associate"): Promise<Transcript> {
  const transcript = new Transcript();
  for await (const event of chapter.read({ types: ["model.call"], cause: chapter.cause })) {
    if (event.type !== "model.call" || event.payload.role !== role) continue;
    if (event.payload.response === null) continue;
    const request = parsed(StoredRequest, await chapter.get(event.payload.request), event);
    const response = parsed(StoredResponse, await chapter.get(event.payload.response), event);
    transcript.apply(event.id, request, response);
    transcript.recalled = event.seq;
  }
  return transcript;
}

/** What the log says of a call that may have been made before. */
export type Recalled =
  | { readonly made: false }
  | { readonly made: true; readonly failed: boolean; readonly text: string };

/** A call that ended is not made again; nor is one that was cut off, of which nobody knows but the log what it left. */
export async function recallCall(chapter: Chapter, call: Id, work: Work): Promise<Recalled> {
  let cutOff: string | undefined;
  // By the call alone: what closes an interrupted command knows of no ask.
  for await (const event of chapter.read({ types: ["tool.call", "tool.result"], cause: { call } })) {
    if (event.type === "tool.call") cutOff = "nobody knows what came of it";
    if (event.type === "tool.result") cutOff = event.payload.reason ?? cutOff;
    if (event.type !== "tool.result" || event.payload.status === "interrupted") continue;
    const ended = await recall(call, work);
    if (ended !== undefined) return { made: true, failed: ended.status !== "ok", text: ended.text };
  }
  return cutOff === undefined ? { made: false } : { made: true, failed: true, text: `It was interrupted: ${cutOff}` };
}

function parsed<T>(schema: z.ZodType<T>, text: string, { seq }: KnownEvent): T {
  const result = schema.safeParse(JSON.parse(text));
  if (result.success) return result.data;
  throw new LogError("misuse", `the model call of event ${seq} can't be read: ${reasons(result.error)}`);
}
