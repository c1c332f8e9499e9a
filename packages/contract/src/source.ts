import { z } from "zod";
import { Id } from "./ids.ts";

/** Who made an event happen. */
export const Source = z.enum(["user", "agent", "system"]);
export type Source = z.infer<typeof Source>;

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
