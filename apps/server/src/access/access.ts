import { UserId } from "@choiros/contract";
import { Blocked, type Operation, type Work } from "@choiros/gateway/operations";
import { z } from "zod";

/** The way to what is in a home, whether a server runs on it or not. */
export interface Access {
  status(signal: AbortSignal): Promise<Status>;
  run<Request, Item, Answer>(
    operation: Operation<Request, Item, Answer>,
    userId: UserId,
    request: Request,
    work: Work<Item>,
  ): Promise<Answer>;
}

export const Status = z.strictObject({
  computers: z.array(
    z.strictObject({
      /** What the log has and the folder doesn't yet; `null` where nobody could look. */
      blocked: z.array(Blocked).readonly().nullable(),
      unkept: z.array(Blocked).readonly().nullable(),
      events: z.int().nullable(),
      /** How many bytes the history has: log, contents and what is made from them. */
      history: z.number(),
      id: UserId,
      problem: z.string().nullable(),
    }),
  ),
  home: z.string(),
  server: z.strictObject({ address: z.string(), pid: z.int(), since: z.string() }).nullable(),
  /** Commands run without a sandbox. */
  unsafe: z.boolean(),
  version: z.string(),
});
export type Status = z.infer<typeof Status>;
