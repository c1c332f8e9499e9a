import type { Target } from "@choiros/contract";
import { z } from "zod";
import { type Context, failed, tool } from "./tool.ts";

export const undo = tool({
  name: "undo",
  description:
    "Takes back what this task itself did to files and windows: one call, one event, or all of it where neither is given. Nothing else can be undone by it.",
  input: z.strictObject({
    call: z
      .string()
      .regex(/^[\w-]{1,64}$/)
      .optional(),
    seq: z.int().min(1).optional(),
  }),
  needs: () => [],
  async run({ call, seq }, context) {
    const { work, cause, signal } = context;
    const { task } = work.cause;
    if (task === undefined) return failed("there is no task whose work could be undone");
    if (call !== undefined && seq !== undefined) return failed("name a call or a seq, not both");
    const target: Target = call !== undefined ? { call } : seq !== undefined ? { seq } : { task };
    const foreign = await foreignEvent(target, task, context);
    if (foreign !== undefined) return failed(foreign);
    const done = await work.computer.undo(target, { source: "agent", cause, signal });
    if (!done.ok) return failed(`nothing was undone: ${done.message}`);
    work.read.clear(); // whatever was read may be something else now
    const notes = done.notes.map((one) => `\n${one}`).join("");
    return {
      status: "ok",
      text: `undone: ${done.changed} paths are as they were before (event ${done.seq})${notes}`,
      files: done.changed,
    };
  },
});

/** Why the target isn't this task's own work. */
async function foreignEvent(target: Target, task: string, { work }: Context): Promise<string | undefined> {
  if ("task" in target) return undefined;
  const query =
    "seq" in target ? { from: target.seq, to: target.seq } : "call" in target ? { cause: { call: target.call } } : {};
  const events = await Array.fromAsync(work.computer.log.read(query));
  if (events.length === 0) return "there is no such event or call";
  const isOwn = events.every(({ cause, source }) => cause?.task === task && (source === "agent" || "call" in target));
  return isOwn ? undefined : "that isn't this task's own work: only the user can undo it";
}
