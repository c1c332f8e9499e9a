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
  /** No lease names it: it can be used wherever one of these, or any other tool, can, unless the policy never allows it. */
  readonly comesWith?: readonly string[] | "any";
  /** The earlier call that it tells of: nothing that this needed may be what the policy never allows by now. */
  tells?(input: Input): Id;
  /** It only ends what its own task runs: whatever the policy never allows by now, it is done, and tells nothing then. */
  readonly onlyEnds?: true;
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
  /**
   * Whether this may be done, without asking anybody: by the lease, the policy, or what was granted. As a `whole`, with
   * all that lines of the policy name below it.
   */
  may(need: Need | ParsedNeed, whole?: "whole"): boolean;
  /** The same by the policy as it is when this is called, for what takes long; where that is wrong by then, nothing may be done. */
  mayNow(): Promise<Context["may"]>;
  /** Whether what the earlier call said that it is about may be told. */
  readonly mayTell: boolean;
}

/** What a tool has to say: the whole of it, however long. */
export interface Told extends Omit<ToolOutcome, "text" | "output"> {
  readonly text: string;
  /** Of a command: what it said is kept by the computer. */
  readonly output?: ContentRef;
}

/** A tool whose types are looked at here and nowhere else: what is called by its name can't be typed. */
export function tool<Input>({ tells, ...made }: Tool<Input>): Tool {
  return {
    ...made,
    ...(tells && { tells: (input) => tells(made.input.parse(input)) }),
    needs: (input, work) => made.needs(made.input.parse(input), work),
    run: (input, context) => made.run(made.input.parse(input), context),
  };
}

export function failed(text: string): Told {
  return { status: "failed", text };
}
