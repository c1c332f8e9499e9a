import type { Id } from "@choiros/contract";
import type { AnswerPart, ModelMessage, ToolUse } from "../models/model.ts";
import { cut, shortened, summarised } from "./compaction.ts";
import type { StoredRequest, StoredResponse } from "./stored-call.ts";

/** A tool that the model called and that wasn't answered yet. Its call's id comes from the `model.call` that has it. */
export interface OpenUse {
  readonly call: Id;
  readonly use: ToolUse;
}

/**
 * A conversation with a model, made of its `model.call` events and nothing else: while it goes on and when it is taken up
 * again, by the same function. So nothing that was received has to be asked for again.
 */
export class Transcript {
  #messages: readonly ModelMessage[] = [];
  /** What the model was told first. */
  #opening = "";
  #open: readonly OpenUse[] = [];
  #said = "";
  #cut = false;
  #system: string | undefined;
  #tools: string | undefined;
  readonly #heard = new Set<string>();
  /** The event with the last answer that it was recalled from; 0 where there is none. */
  recalled = 0;

  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  /** What its last answer called. */
  get open(): readonly OpenUse[] {
    return this.#open;
  }

  /** What its last answer said, with what was cut off right before it. */
  get said(): string {
    return this.#said;
  }

  /** Whether its last answer was cut off before it called anything. */
  get cut(): boolean {
    return this.#cut;
  }

  /** Which of the user's messages it was told. */
  get heard(): ReadonlySet<string> {
    return this.#heard;
  }

  /** Whether the call before was made with these. */
  sameTerms(system: string, tools: string): boolean {
    return system === this.#system && tools === this.#tools;
  }

  /** `false` where it changed nothing: a call that brought nothing is one that never was. */
  apply(id: Id, request: StoredRequest, response: StoredResponse | null): boolean {
    const parts = response === null ? [] : kept(response);
    if (parts.length === 0 && response?.stop !== "end") return false;
    if (request.summary === true) return response?.stop !== "cut" && this.#summarise(textOf(parts));
    const whole = request.shortened === true ? shortened(this.#messages) : this.#messages;
    const before = request.cut === undefined ? whole : cut(whole, request.cut);
    const [first] = request.add;
    if (before.length === 0 && first?.role === "user") this.#opening = first.text;
    const answer: ModelMessage[] = parts.length === 0 ? [] : [{ role: "assistant", parts }];
    this.#messages = [...before, ...request.add, ...answer];
    if (request.system !== undefined) this.#system = request.system;
    if (request.tools !== undefined) this.#tools = JSON.stringify(request.tools);
    for (const message of request.heard) this.#heard.add(message);
    const uses = parts.flatMap((part) => ("call" in part ? [part.call] : []));
    const isCut = (use: ToolUse) => response?.stop === "length" && use.input === undefined;
    this.#open = uses.map((use, i) => ({ call: `${id}-${i}`, use: isCut(use) ? { ...use, cut: true } : use }));
    this.#said = `${this.#cut ? this.#said : ""}${textOf(parts)}`;
    this.#cut = uses.length === 0 && (response?.stop === "length" || response?.stop === "cut");
    return true;
  }

  #summarise(summary: string): boolean {
    if (summary.trim() === "") return false;
    this.#messages = summarised(this.#messages, this.#opening, summary);
    return true;
  }
}

function textOf(parts: readonly AnswerPart[]): string {
  return parts.flatMap((part) => ("text" in part ? [part.text] : [])).join("");
}

/** Of an answer that was cut off, what came whole; a thought of one isn't signed, and no provider would take it back. */
function kept({ parts, stop }: StoredResponse): readonly AnswerPart[] {
  const some = parts.filter((part) => !("text" in part) || part.text !== "");
  if (stop !== "cut") return some;
  return some.filter((part) => "text" in part || ("call" in part && part.call.input !== undefined));
}
