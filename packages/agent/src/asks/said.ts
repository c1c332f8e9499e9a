import type { Computer } from "@choiros/computer";
import { type AskValue, type Id, type KnownEvent, type Payload, pathKey } from "@choiros/contract";
import type { Said } from "../director/hearing.ts";
import { askText, type Earlier } from "../director/prompt.ts";
import { inQuotes } from "../lease/quoted.ts";
import { wordOf } from "../lease/written-path.ts";
import type { Chapter } from "../loop/chapter.ts";
import { cutToFit } from "../loop/cut-to-fit.ts";

type Message = Extract<KnownEvent, { type: "message" }>;

const MAX_EARLIER = 10;
const MAX_EARLIER_CHARACTERS = 4000;
/** The longest that a model is given of one message. */
const MAX_CHARACTERS = 100_000;

/** What a message says, with what it is about. */
export async function saidIn(chapter: Chapter, payload: Payload<"message">): Promise<string> {
  const text = "text" in payload ? payload.text : await chapter.get(payload.content);
  const about = (payload.paths ?? []).map((path) => inQuotes(wordOf(pathKey(path))));
  return cutToFit(about.length === 0 ? text : `${text}\n(It is about: ${about.join(", ")})`, MAX_CHARACTERS);
}

/** What was said to an ask after it had begun. */
export async function saidTo(chapter: Chapter, ask: Id): Promise<Said[]> {
  const messages = new Map<Id, Message>();
  const into: Id[] = [];
  for await (const event of conversationOf(chapter)) {
    if (event.type === "message") messages.set(event.id, event);
    if (event.type === "ask.steered" && event.payload.into === ask && event.cause?.ask) into.push(event.cause.ask);
  }
  const told = into.flatMap((id) => messages.get(id) ?? []);
  return Promise.all(told.map(async ({ id, payload }) => ({ id, text: await saidIn(chapter, payload) })));
}

/** What the Director is told first: the ask, after what came before it in its conversation. */
export async function openingOf(chapter: Chapter, ask: Id): Promise<string> {
  const before: Message[] = [];
  let own: Message | undefined;
  for await (const event of conversationOf(chapter)) {
    if (event.type !== "message" || event.source !== "user") continue;
    if (event.id === ask) own = event;
    else if (own === undefined) before.push(event);
  }
  const said = own === undefined ? "" : await saidIn(chapter, own.payload);
  const earlier: Earlier[] = [];
  for (const { id, payload } of before.slice(-MAX_EARLIER)) {
    const value = await askValue(chapter.computer, id);
    const text = cutToFit(await saidIn(chapter, payload), MAX_EARLIER_CHARACTERS);
    const answer = value?.answer ? cutToFit(await chapter.get(value.answer), MAX_EARLIER_CHARACTERS) : undefined;
    earlier.push({ said: text, answer: value?.status === "steered" ? "(that was taken into account)" : answer });
  }
  return askText(said, earlier, new Date().toDateString());
}

/** What the state has of an ask. */
export async function askValue(computer: Computer, ask: Id): Promise<AskValue | undefined> {
  const { pages } = await computer.rows("ask", { under: ask });
  for await (const rows of pages) {
    const row = rows.find(({ key }) => key === ask);
    if (row !== undefined) return row.value as AskValue | undefined; // the contract's reducer alone writes this table
  }
  return undefined;
}

function conversationOf(chapter: Chapter) {
  const { conversation } = chapter.cause;
  const cause = conversation === undefined ? {} : { conversation };
  return chapter.read({ types: ["message", "ask.steered"], cause });
}
