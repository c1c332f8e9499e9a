import { z } from "zod";
import { ContentRef } from "./content.ts";
import { Id } from "./ids.ts";
import { Path } from "./path.ts";

const Line = z.string().min(1).max(4096);

/** Why an ask waits where nobody could answer it; who has heard of no other reason says this one. */
export const NO_MODEL = "no model is chosen: connect one in the console, under Agents";

/** What becomes of an ask, each with the ask in its cause. It begins with the `message` whose id it has. */
export const ASK_PAYLOADS = {
  /** The Director has taken it up; again after each `ask.resumed`. */
  "ask.started": z.strictObject({ attempt: z.int().min(1) }),
  /** It is no ask of its own: it told the one that was running, or answered its question. */
  "ask.steered": z.strictObject({ into: Id }),
  /** A question to the user. The next message of its conversation answers it. */
  "ask.wondered": z.strictObject({ choices: z.array(Line).max(8).exactOptional(), question: Line }),
  /** Nothing runs any more, and it isn't over: the user resumes it, undoes it, or leaves it. */
  "ask.paused": z.strictObject({
    detail: z.string().max(4096),
    why: z.enum(["stopped", "limit", "interrupted", "failed"]),
  }),
  "ask.resumed": z.strictObject({}),
  "ask.left": z.strictObject({}),
  /** `look`: where the user finds what came of it. */
  "ask.answered": z.strictObject({
    answer: ContentRef,
    look: z.array(Path).max(100),
    status: z.enum(["done", "given-up"]),
  }),
} as const;
