import type { Id } from "@choiros/contract";
import type { ModelMessage, ToolReply, ToolUse } from "../models/model.ts";
import { bounded } from "../tools/bounded.ts";
import type { Dispatch, Work } from "../tools/dispatch-port.ts";
import { fairShare } from "./fair-share.ts";
import { type Halt, haltOf } from "./halt.ts";
import { WRITTEN } from "./meter.ts";
import type { Pace } from "./pace.ts";
import { recallCall } from "./recall.ts";
import { type News, type Speaker, takeTurn } from "./take-turn.ts";
import type { OpenUse } from "./transcript.ts";
import { undoneSince } from "./undone-since.ts";

/** A tool that belongs to the loop itself: it says what comes of the ask or the task. */
export interface OwnTool<End> {
  /** Called again with the same call where nobody knows whether it was done: it does nothing twice. */
  run(use: ToolUse, call: Id): Promise<Answered | { readonly end: End | Halt }>;
}

export interface Answered {
  readonly text: string;
  readonly failed: boolean;
}

export interface Conversation<End> extends Speaker {
  readonly dispatch: Dispatch;
  readonly work: Work;
  readonly pace: Pace;
  readonly own: ReadonlyMap<string, OwnTool<End>>;
  /** What the model is told first. */
  opening(): Promise<string>;
  /** What it is told when it is taken up again. */
  readonly reminder: string;
  /** What the user said since. */
  news(): readonly { readonly id: Id; readonly text: string }[];
  /** It has ended its turn with words. */
  spoken(text: string): Promise<{ readonly say: string } | { readonly end: End | Halt }>;
}

const CUT = "You were cut off there. Go on from exactly where you stopped; repeat nothing.";
/** More than this one after the other is no accident. */
const MAX_CUTS = 3;
/** What the tools that one answer called may say together, in bytes: three large files, whole. */
const MOST_OF_A_TURN = 192 * 1024;

/** Asks the model and calls its tools, until one of them ends it or something halts it. */
export async function converse<End>(conversation: Conversation<End>): Promise<End | Halt> {
  const { transcript, meter, pace, signal } = conversation;
  let reminder = "";
  if (transcript.messages.length > 0)
    reminder = conversation.reminder + (await undoneSince(conversation.chapter, transcript.recalled));
  for (let cuts = 0; ; ) {
    if (cuts > MAX_CUTS) return { halt: "failed", scope: "ask", detail: `The model was cut off ${cuts} times.` };
    const next = await whatNext(conversation);
    if ("end" in next) return next.end;
    await pace.ready(signal);
    if (signal.aborted) return haltOf(signal);
    await meter.catchUp(conversation.chapter);
    const said = conversation.news().filter(({ id }) => !transcript.heard.has(id));
    const words = [...(reminder === "" ? [] : [reminder]), ...said.map(({ text }) => `The user says: ${text}`)];
    const add: ModelMessage[] = [...next.add, ...words.map((text) => ({ role: "user", text }) as const)];
    const news: News = { add, heard: said.map(({ id }) => id) };
    const before = transcript.messages;
    const halt = await takeTurn(conversation, news);
    if (halt !== undefined) return halt;
    const isLost = transcript.messages === before; // of a thought alone, or half of a call, nothing is kept
    cuts = transcript.cut || isLost ? cuts + 1 : 0;
    if (!isLost) reminder = "";
  }
}

type Next<End> = { readonly add: readonly ModelMessage[] } | { readonly end: End | Halt };

async function whatNext<End>(conversation: Conversation<End>): Promise<Next<End>> {
  const { transcript } = conversation;
  if (transcript.messages.length === 0) return { add: [{ role: "user", text: await conversation.opening() }] };
  if (transcript.open.length > 0) return replies(conversation);
  if (transcript.cut) return { add: [{ role: "user", text: CUT }] };
  const spoken = await conversation.spoken(transcript.said);
  return "end" in spoken ? spoken : { add: [{ role: "user", text: spoken.say }] };
}

async function replies<End>(conversation: Conversation<End>): Promise<Next<End>> {
  const results: (ToolReply & Pick<OpenUse, "call">)[] = [];
  const { read } = conversation.work;
  read.answered();
  for (const open of conversation.transcript.open) {
    const outcome = await reply(conversation, open);
    if ("end" in outcome) return outcome;
    const { id, tool } = open.use;
    results.push({ id, tool, call: open.call, ...outcome });
  }
  const share = fairShare(
    results.map(({ text }) => Buffer.byteLength(text)),
    MOST_OF_A_TURN,
  );
  const shared = results.map(({ call, ...result }) => {
    const text = bounded(result.text, call, share);
    if (text !== result.text) read.cut(call);
    return { ...result, text };
  });
  return { add: [{ role: "tools", results: shared }] };
}

/** A call that the log has isn't made again. */
async function reply<End>(
  { dispatch, chapter, meter, own, signal, work }: Conversation<End>,
  { call, use }: OpenUse,
): Promise<Answered | { readonly end: End | Halt }> {
  if (signal.aborted) return { end: haltOf(signal) };
  const tool = own.get(use.tool);
  if (tool !== undefined) return tool.run(inWholeCharacters(use), call);
  const before = await recallCall(chapter, call, work);
  if (before.made) return { failed: before.failed, text: before.text };
  await meter.catchUp(chapter);
  const over = meter.over(WRITTEN);
  if (over !== undefined) return { end: over };
  const { status, text } = await meter.attend(chapter, call, () => dispatch.call(use, call, work, signal));
  if (signal.aborted) return { end: haltOf(signal) };
  return { failed: status !== "ok", text };
}

/** Events have no half of a character; a model may write one, and what it says becomes events here. */
function inWholeCharacters(use: ToolUse): ToolUse {
  if (use.input === undefined) return use;
  const whole = (_: string, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value);
  return { ...use, input: JSON.parse(JSON.stringify(use.input), whole) };
}
