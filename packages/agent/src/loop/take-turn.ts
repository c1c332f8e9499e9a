import type { Signals } from "@choiros/log";
import type { Model, ModelAnswer, ModelMessage, ModelRequest, ModelUsage, ToolSpec } from "../models/model.ts";
import { CallRecord } from "./call-record.ts";
import type { Chapter } from "./chapter.ts";
import {
  canSummarise,
  cut,
  cutFor,
  estimate,
  MAX_TOKENS_HELD,
  SUMMARISE,
  shortened,
  tokensIn,
  transcriptText,
} from "./compaction.ts";
import { type Halt, haltOf, isHalt } from "./halt.ts";
import type { Guess, Meter } from "./meter.ts";
import type { StoredRequest, StoredResponse } from "./stored-call.ts";
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
/** How often a conversation that is too long is cut to half. */
const MAX_HALVINGS = 5;
const LEAST_CUT = 200;
const MAX_SIGNAL_CHARACTERS = 4000; // at most 16 KB as UTF-8

/** One step of a conversation. What was received is in the log, and in the transcript, before anything comes of it. */
export async function takeTurn(speaker: Speaker, news: News): Promise<Halt | undefined> {
  const { transcript } = speaker;
  const held = estimate([...transcript.messages, ...news.add]);
  const short = held > MAX_TOKENS_HELD;
  const isMuch = short && estimate(shortened(transcript.messages)) > MOST_WHEN_SHORT;
  if (isMuch && canSummarise(transcript.messages)) {
    const summary = await summarise(speaker);
    if (isHalt(summary)) return summary;
    if (!summary.ok && summary.why !== "too-long") return failed(speaker, summary);
  }
  const answer = await ask(speaker, turnRequest(speaker, news, { short }));
  return isTooLong(answer) ? withLess(speaker, news, answer) : haltBy(speaker, answer);
}

/**
 * The provider knows better than the estimate. A summary stands for what is old; where that isn't to be had or isn't
 * enough, what tools answered is cut, the longest first: to half of all, and to half again.
 */
async function withLess(speaker: Speaker, news: News, refused: ModelAnswer | Halt): Promise<Halt | undefined> {
  const { transcript } = speaker;
  let answer = refused;
  if (canSummarise(transcript.messages)) {
    const summary = await summarise(speaker);
    answer = !isHalt(summary) && summary.ok ? await ask(speaker, turnRequest(speaker, news)) : summary;
  }
  const all = [...transcript.messages, ...news.add];
  for (let most = estimate(all) / 2, tries = 0; isTooLong(answer) && tries < MAX_HALVINGS; most /= 2, tries++) {
    const characters = Math.max(LEAST_CUT, cutFor(all, most));
    answer = await ask(speaker, turnRequest(speaker, news, { characters }));
  }
  return haltBy(speaker, answer);
}

interface Less {
  /** Whether old tool output is shortened. */
  readonly short?: boolean;
  /** To how many characters what tools answered is cut. */
  readonly characters?: number;
}

function turnRequest({ transcript, system, tools }: Speaker, { add, heard }: News, { short, characters }: Less = {}) {
  const cutDown = (messages: readonly ModelMessage[]) =>
    characters === undefined ? messages : cut(messages, characters);
  const before = short === true ? shortened(transcript.messages) : transcript.messages;
  const added = cutDown(add);
  const request: ModelRequest = {
    ...{ system, tools, maxTokens: MAX_ANSWER_TOKENS },
    messages: [...cutDown(before), ...added],
  };
  const same = transcript.sameTerms(system, JSON.stringify(tools));
  const stored: StoredRequest = {
    add: structuredClone([...added]) as StoredRequest["add"], // the same but for what is readonly
    heard: [...heard],
    maxTokens: MAX_ANSWER_TOKENS,
    ...(short === true && { shortened: true }),
    ...(characters !== undefined && { cut: characters }),
    ...(!same && { system, tools: [...tools] }),
  };
  return { request, stored };
}

function isTooLong(answer: ModelAnswer | Halt): boolean {
  return !isHalt(answer) && !answer.ok && answer.why === "too-long";
}

function haltBy(speaker: Speaker, answer: ModelAnswer | Halt): Halt | undefined {
  if (isHalt(answer)) return answer;
  return answer.ok || (answer.parts.length > 0 && goesOn(answer)) ? undefined : failed(speaker, answer);
}

/** A connection that was cut in the middle of an answer is gone on with; a user who stopped it isn't. */
function goesOn({ why }: Extract<ModelAnswer, { ok: false }>): boolean {
  return why === "broken" || why === "timeout" || why === "unreachable";
}

async function summarise(speaker: Speaker): Promise<ModelAnswer | Halt> {
  const { transcript } = speaker;
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
  return ask(speaker, { request, stored }, false);
}

interface Asked {
  readonly request: ModelRequest;
  readonly stored: StoredRequest;
}

/** Whatever it is for, each request is held against the limits first. */
async function ask(speaker: Speaker, { request, stored }: Asked, aloud = true): Promise<ModelAnswer | Halt> {
  const { chapter, meter, model, signal, signals, transcript } = speaker;
  const over = meter.over();
  if (over !== undefined) return over;
  const { cause } = chapter;
  const asked = await chapter.put(JSON.stringify(stored));
  let record = await CallRecord.open(speaker, asked);
  const say = (text: string) => {
    for (let at = 0; at < text.length; at += MAX_SIGNAL_CHARACTERS)
      signals.send({ type: "agent.text", cause, payload: { text: text.slice(at, at + MAX_SIGNAL_CHARACTERS) } });
  };
  const answer = await model.ask(request, {
    signal,
    ...(aloud && { onText: say, onMore: (came) => record.scratch.note(came) }), // half a summary stands for nothing
    onWait: (why, ms) => signals.send({ type: "agent.wait", cause, payload: { why, ms } }),
    onLost: async (usage) => {
      await record.close({ status: "failed", response: null, usage, guess: guessOf(request, null) });
      record = await CallRecord.open(speaker, asked);
    },
  });
  const response = responseOf(answer);
  await record.close({
    status: answer.ok ? "ok" : answer.why === "stopped" ? "stopped" : "failed",
    response: response === null ? null : await chapter.put(JSON.stringify(response)),
    usage: answer.usage,
    guess: guessOf(request, response),
  });
  transcript.apply(record.id, stored, response);
  return answer;
}

/** A call that brought nothing is paid by nobody, unless it was counted. */
function guessOf({ system, tools, messages }: ModelRequest, response: StoredResponse | null): Guess {
  if (response === null) return { in: 0, out: 0 };
  return { in: tokensIn(system, tools, messages), out: tokensIn(response.parts) };
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
