import { z } from "zod";
import { Id } from "./ids.ts";

/** Who made an event happen. */
export const Source = z.enum(["user", "agent", "system"]);
export type Source = z.infer<typeof Source>;

/** Who people say it was: a command is told from whoever called it, and what nobody here did came from outside. */
export type Who = Source | "command" | "outside";

/** `by` is what an event says of the means by which files changed. An agent's command is the agent's. */
export function whoDid({ source, type, by }: { source: string; type: string; by?: unknown }): Who {
  if (source === "system") return type === "files.changed" ? "outside" : "system";
  if (source === "agent") return "agent";
  return by === "command" ? "command" : "user";
}

/** What an event belongs to, so that one ask, one task or one call can be found, folded and undone whole. */
export const Cause = z
  .strictObject({
    ask: Id.exactOptional(),
    call: Id.exactOptional(),
    conversation: Id.exactOptional(),
    task: Id.exactOptional(),
  })
  .refine((cause) => Object.keys(cause).length > 0, "must name at least one of ask, call, conversation, task");
export type Cause = z.infer<typeof Cause>;

export type CauseKind = keyof Cause;

/** Whether a question is asked before its task begins: for that task, then, and no single step of it. Its call is the one that planned it. */
export function isForTask({ cause }: { readonly cause: Cause }): boolean {
  return cause.task !== undefined && cause.call === cause.task;
}
