import { reasons } from "@choiros/contract";
import { z } from "zod";
import type { OwnTool } from "../loop/converse.ts";
import { inputSchema } from "../models/input-schema.ts";
import { faultOfUse, type ToolSpec, type ToolUse } from "../models/model.ts";
import { FINISH_REMINDER } from "./prompt.ts";

const Finish = z.object({
  questions: z.array(z.string().min(1).max(4096)).max(8).default([]),
  status: z.enum(["ok", "needs_input", "failed"]),
  summary: z.string().min(1).max(20_000),
});

/** What an Associate says came of its task. What it did besides is in the log, and taken from there. */
export type Finished = z.infer<typeof Finish> & { readonly call: string };

export const FINISH_SPEC: ToolSpec = {
  name: "finish",
  description: "Ends the task with its result. Call it once, when everything else is done.",
  input: inputSchema(Finish),
};

/** How often it is asked for again. */
const MAX_MISFITS = 2;

/** A result that doesn't fit is asked for again, and then it is a failure. */
export class Finishing implements OwnTool<Finished> {
  #misfits = 0;

  async run(use: ToolUse, call: string) {
    const parsed = Finish.safeParse(use.input);
    if (parsed.success) return { end: { ...parsed.data, call } };
    const why = use.input === undefined ? `it ${faultOfUse(use)}` : reasons(parsed.error);
    return this.#again(call, `The result doesn't fit: ${why}. Call finish again.`, why);
  }

  /** It ended its turn without a result. */
  async spoken(text: string, call: string): Promise<{ say: string } | { end: Finished }> {
    const again = this.#again(call, FINISH_REMINDER, `it only said: ${text.slice(0, 2000)}`);
    return "end" in again ? again : { say: again.text };
  }

  #again(call: string, text: string, why: string): { text: string; failed: true } | { end: Finished } {
    this.#misfits += 1;
    if (this.#misfits <= MAX_MISFITS) return { text, failed: true };
    const summary = `The Associate gave no result that fits, ${this.#misfits} times; the last time ${why}`;
    return { end: { call, questions: [], status: "failed", summary } };
  }
}
