import { newId, type Payload } from "@choiros/contract";
import type { Signals } from "@choiros/log";
import type { Model, ModelAnswer, ModelMessage, ModelRequest, ModelUsage, ToolSpec } from "../models/model.ts";
import { AnswerScratch } from "./answer-scratch.ts";
import type { Chapter } from "./chapter.ts";
import { canSummarise, estimate, MAX_TOKENS_HELD, SUMMARISE, shortened, transcriptText } from "./compaction.ts";
import { type Halt, haltOf } from "./halt.ts";
import type { Meter } from "./meter.ts";
import { askedId, type StoredRequest, type StoredResponse } from "./stored-call.ts";
import type { Transcript } from "./transcript.ts";

/** One who speaks with a model: the Director of an ask, or the Associate of a task. */
export interface Speaker {
  readonly role: "director" | "associate";
  readonly model: Model;
  readonly system: string;
  readonly tools: readonly ToolSpec[];
  readonly transcript: Transcript;
  readonly chapter: Chapter;
  readonly signals: Signals;
  readonly meter: Meter;
  readonly costOf: (provider: string, model: string, usage: ModelUsage) => number | null;
  readonly signal: AbortSignal;
}

/** What is new for the model. */
export interface News {
  readonly add: readonly ModelMessage[];
  /** The ids of the user's messages among them. */
  readonly heard: readonly string[];
}

const MAX_ANSWER_TOKENS = 8192;
/** Where shortening leaves more than this, it would soon be too long again. */
const MOST_WHEN_SHORT = MAX_TOKENS_HELD * 0.75;
const MAX_SIGNAL_CHARACTERS = 4000; // at most 16 KB as UTF-8

/** One step of a conversation. What was received is in the log, and in the transcript, before anything comes of it. */
export async function takeTurn(speaker: Speaker, news: News): Promise<Halt | undefined> {
  const { transcript, system, tools } = speaker;
  const held = estimate([...transcript.messages, ...news.add]);
  const short = held > MAX_TOKENS_HELD;
  if (short && estimate(shortened(transcript.messages)) > MOST_WHEN_SHORT) {
    const halt = await summarise(speaker);
    if (halt !== undefined) return halt;
  }
  const answer = await ask(speaker, await turnRequest(speaker, news, short));
  if (answer.ok || (answer.why !== "too-long" && answer.parts.length > 0 && goesOn(answer))) return undefined;
  if (answer.why !== "too-long" || !canSummarise(transcript.messages)) return failed(speaker, answer);
  // The provider knows better than the estimate.
  const halt = await summarise(speaker);
  if (halt !== undefined) return halt;
  const again = await ask(speaker, await turnRequest(speaker, news, false));
  return again.ok ? undefined : failed(speaker, again);

  async function turnRequest({ transcript }: Speaker, { add, heard }: News, short: boolean) {
    const before = short ? shortened(transcript.messages) : transcript.messages;
    const request: ModelRequest = { system, tools, messages: [...before, ...add], maxTokens: MAX_ANSWER_TOKENS };
    const same = transcript.sameTerms(system, JSON.stringify(tools));
    const stored: StoredRequest = {
      add: structuredClone([...add]) as StoredRequest["add"], // the same but for what is readonly
      heard: [...heard],
      maxTokens: MAX_ANSWER_TOKENS,
      ...(short && { shortened: true }),
      ...(!same && { system, tools: [...tools] }),
    };
    return { request, stored };
  }
}

/** A connection that was cut in the middle of an answer is gone on with; a user who stopped it isn't. */
function goesOn({ why }: Extract<ModelAnswer, { ok: false }>): boolean {
  return why === "broken" || why === "timeout" || why === "unreachable";
}

async function summarise(speaker: Speaker): Promise<Halt | undefined> {
  const { transcript } = speaker;
  if (!canSummarise(transcript.messages)) return undefined;
  const add: ModelMessage[] = [{ role: "user", text: transcriptText(transcript.messages) }];
  const request: ModelRequest = { system: SUMMARISE, tools: [], messages: add, maxTokens: MAX_ANSWER_TOKENS };
  const stored: StoredRequest = {
    add: add as StoredRequest["add"], // the same but for what is readonly
    heard: [],
    maxTokens: MAX_ANSWER_TOKENS,
    summary: true,
    system: SUMMARISE,
    tools: [],
  };
  const answer = await ask(speaker, { request, stored }, false);
  return answer.ok ? undefined : failed(speaker, answer);
}

interface Asked {
  readonly request: ModelRequest;
  readonly stored: StoredRequest;
}

async function ask(speaker: Speaker, { request, stored }: Asked, aloud = true): Promise<ModelAnswer> {
  const { chapter, meter, model, role, signal, signals, transcript } = speaker;
  const { cause } = chapter;
  const id = newId();
  const asked = await chapter.put(JSON.stringify(stored));
  const whom = { model: model.name, provider: model.provider, request: asked, role };
  await chapter.append("model.asked", whom, { id: askedId(id) });
  const scratch = new AnswerScratch(chapter.computer, id);
  const began = performance.now();
  const say = (text: string) => {
    for (let at = 0; at < text.length; at += MAX_SIGNAL_CHARACTERS)
      signals.send({ type: "agent.text", cause, payload: { text: text.slice(at, at + MAX_SIGNAL_CHARACTERS) } });
  };
  const answer = await model.ask(request, {
    signal,
    ...(aloud && { onText: say, onMore: (came) => scratch.note(came) }), // half a summary stands for nothing
    onWait: (why, ms) => signals.send({ type: "agent.wait", cause, payload: { why, ms } }),
  });
  await scratch.rest();
  const response = responseOf(answer);
  const call: Payload<"model.call"> = {
    ...whom,
    cost_usd: speaker.costOf(model.provider, model.name, answer.usage),
    duration_ms: Math.round(performance.now() - began),
    response: response === null ? null : await chapter.put(JSON.stringify(response)),
    status: answer.ok ? "ok" : answer.why === "stopped" ? "stopped" : "failed",
    tokens_in: answer.usage.in,
    tokens_out: answer.usage.out,
  };
  await chapter.append("model.call", call, { id });
  await scratch.remove();
  meter.pay(call);
  transcript.apply(id, stored, response);
  return answer;
}

function responseOf(answer: ModelAnswer): StoredResponse | null {
  const parts = [...answer.parts];
  if (answer.ok) return { parts, stop: answer.stop };
  return parts.length === 0 ? null : { parts, stop: "cut", message: answer.message };
}

function failed({ signal }: Speaker, { why, message }: Extract<ModelAnswer, { ok: false }>): Halt {
  if (why === "stopped" || signal.aborted) return haltOf(signal);
  return { halt: "failed", scope: "ask", detail: message };
}
