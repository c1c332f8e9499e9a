import type { DirectorTask } from "@choiros/contract";

/**
 * One thing that somebody must be allowed to do, as one line of text: what is shown, what policy names, and what is
 * enforced are the same. `read PATH`, `edit PATH`, `secret PATH`, `network HOST`, `tool NAME`. A path is as the command line
 * has it: relative to the workspace, or from the computer's root with a leading slash. It covers everything below it, and
 * `network *.example.org` every host of that domain.
 */
export type Need = string;

/** What a task may do. Made of what the Director planned, and never wider than what was shown. */
export type Lease = Pick<
  DirectorTask,
  "allowed_tools" | "cost_budget" | "egress" | "paths" | "time_budget_s" | "token_budget" | "verify"
>;

/** `inside`: without a question. `ask`: the user decides, in the console. `never`: nobody is asked. */
export type Judgement = "inside" | "ask" | "never";
