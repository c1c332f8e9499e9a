import { type ContentRef, type Id, newId, type Payload } from "@choiros/contract";
import type { ModelUsage } from "../models/model.ts";
import { AnswerScratch } from "./answer-scratch.ts";
import type { Guess } from "./meter.ts";
import { askedId } from "./stored-call.ts";
import type { Speaker } from "./take-turn.ts";

/** What came of a request to a model. */
interface Came {
  readonly status: Payload<"model.call">["status"];
  readonly response: ContentRef | null;
  readonly usage: ModelUsage;
  readonly guess: Guess;
}

/** One request to a model in the log: that it goes out, and what came of it, which is paid for. */
export class CallRecord {
  readonly id: Id = newId();
  readonly scratch: AnswerScratch;
  readonly #speaker: Speaker;
  readonly #request: ContentRef;
  readonly #began = performance.now();

  private constructor(speaker: Speaker, request: ContentRef) {
    this.scratch = new AnswerScratch(speaker.chapter.computer, this.id);
    this.#speaker = speaker;
    this.#request = request;
  }

  /** Resolves once that it goes out is durable. */
  static async open(speaker: Speaker, request: ContentRef): Promise<CallRecord> {
    const record = new CallRecord(speaker, request);
    await speaker.chapter.append("model.asked", record.#whom, { id: askedId(record.id) });
    return record;
  }

  async close({ status, response, usage, guess }: Came): Promise<void> {
    const { chapter, costOf, meter, model } = this.#speaker;
    await this.scratch.rest();
    const call: Payload<"model.call"> = {
      ...this.#whom,
      cost_usd: costOf(model.provider, model.name, usage),
      duration_ms: Math.round(performance.now() - this.#began),
      response,
      status,
      tokens_in: usage.in,
      tokens_out: usage.out,
    };
    await chapter.append("model.call", call, { id: this.id });
    await this.scratch.remove();
    meter.pay(call, guess);
  }

  get #whom(): Payload<"model.asked"> {
    const { model, role } = this.#speaker;
    return { model: model.name, provider: model.provider, request: this.#request, role };
  }
}
