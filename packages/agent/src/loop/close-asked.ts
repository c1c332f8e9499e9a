import type { Computer } from "@choiros/computer";
import type { Id, KnownEvent } from "@choiros/contract";
import { AnswerScratch } from "./answer-scratch.ts";
import { Chapter } from "./chapter.ts";
import { askedId, type StoredResponse } from "./stored-call.ts";

type Asked = Extract<KnownEvent, { type: "model.asked" }>;

/**
 * Ends what a model was asked for an ask when nobody was left to hear it: it is told as interrupted, with what had come of
 * the answer, which is gone on with. What it cost nobody knows.
 */
export async function closeAsked(computer: Computer, ask: Id): Promise<void> {
  const open = new Map<Id, Asked>();
  const chapter = new Chapter(computer, { ask });
  for await (const event of chapter.read({ types: ["model.asked", "model.call"], cause: { ask } })) {
    if (event.type === "model.asked") open.set(event.id, event);
    if (event.type === "model.call") open.delete(askedId(event.id));
  }
  for (const asked of open.values()) await close(computer, asked);
}

async function close(computer: Computer, { cause = {}, id: asked, payload, ts }: Asked): Promise<void> {
  const id = asked.slice(0, -askedId("").length);
  const chapter = new Chapter(computer, cause);
  const scratch = new AnswerScratch(computer, id);
  const came = await scratch.read();
  const response: StoredResponse | undefined = came && { ...came.response, message: "Nobody heard the rest of it." };
  const call = {
    ...payload,
    cost_usd: null,
    duration_ms: came === undefined ? 0 : Math.max(0, Math.round(came.at - Date.parse(ts))),
    response: response === undefined ? null : await chapter.put(JSON.stringify(response)),
    status: "interrupted",
    tokens_in: null,
    tokens_out: null,
  } as const;
  await chapter.append("model.call", call, { id });
  await scratch.remove();
}
