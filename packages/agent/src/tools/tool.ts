import type { Cause, ContentRef, Id } from "@choiros/contract";
import type { z } from "zod";
import type { Need } from "../lease/lease.ts";
import type { ParsedNeed } from "../lease/need.ts";
import type { ToolOutcome, Work } from "./dispatch-port.ts";

/** One tool: what a model is told of it, what it needs, and what it does. Only `dispatch.ts` calls these. */
export interface Tool<Input = unknown> {
  readonly name: string;
  /** For the model. */
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** What must be allowed before it runs; or what is wrong with what it was given. */
  needs(input: Input, work: Work): readonly Need[] | Fault;
  run(input: Input, context: Context): Promise<Told>;
  /** No lease names it: it can be used wherever one of these, or any other tool, can. */
  readonly comesWith?: readonly string[] | "any";
  /** Its events come from the computer itself, which runs it as a command. */
  readonly isCommand?: true;
  /** How many bytes of what it says go to the model, where that isn't the usual amount. */
  readonly mostBytes?: number;
}

export interface Fault {
  readonly why: string;
}

export interface Context {
  readonly work: Work;
  readonly call: Id;
  /** The work's, with the call. */
  readonly cause: Cause & { readonly call: Id };
  readonly signal: AbortSignal;
  /** Whether this may be done, without asking anybody: by the lease, the policy, or what was granted. */
  may(need: Need | ParsedNeed): boolean;
}

/** What a tool has to say: the whole of it, however long. */
export interface Told extends Omit<ToolOutcome, "text" | "output"> {
  readonly text: string;
  /** Of a command: what it said is kept by the computer. */
  readonly output?: ContentRef;
}

/** A tool whose types are looked at here and nowhere else: what is called by its name can't be typed. */
export function tool<Input>(made: Tool<Input>): Tool {
  return {
    ...made,
    needs: (input, work) => made.needs(made.input.parse(input), work),
    run: (input, context) => made.run(made.input.parse(input), context),
  };
}

export function failed(text: string): Told {
  return { status: "failed", text };
}
