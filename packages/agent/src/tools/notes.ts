import type { Draft } from "@choiros/contract";
import { LogError } from "@choiros/log";
import { z } from "zod";
import { type Context, failed, tool } from "./tool.ts";

const MOST_TEXT = 16_384;
/** More than this nobody reads. */
const MOST_NOTICES = 20;

/** A note with a title is shown to the user as a notice; one without is only kept. */
export const notify = tool({
  name: "notify",
  description: "Shows the user a short notice. Use it rarely: for what they should know before the task is over.",
  input: z.strictObject({ title: z.string().min(1).max(200), text: z.string().max(MOST_TEXT).optional() }),
  needs: () => [],
  async run({ title, text = title }, context) {
    if ((await noticesOf(context)) >= MOST_NOTICES)
      return failed(`the user was shown ${MOST_NOTICES} notices of this task already: say the rest in its result`);
    await append("note.observed", text, context, title);
    return { status: "ok", text: "the user was notified" };
  },
});

export const note = tool({
  name: "note",
  description: "Keeps a note in the log: what you observed, what you suppose, or what you would ask.",
  input: z.strictObject({ kind: z.enum(["observed", "supposed", "asked"]), text: z.string().min(1).max(MOST_TEXT) }),
  needs: () => [],
  async run({ kind, text }, context) {
    await append(`note.${kind}`, text, context);
    return { status: "ok", text: "noted" };
  },
});

/** Of its task, as the log has them. */
async function noticesOf({ work }: Context): Promise<number> {
  let shown = 0;
  for await (const { payload } of work.computer.log.read({ cause: work.cause, types: ["note.observed"] }))
    if ("title" in payload) shown++;
  return shown;
}

type NoteType = Extract<Draft["type"], `note.${string}`>;

async function append(type: NoteType, text: string, { work, cause }: Context, title?: string): Promise<void> {
  const content = await work.computer.contents.put(Buffer.from(text));
  const payload = title === undefined ? { content } : { content, title };
  const appended = await work.computer.log.append({ source: "agent", type, cause, payload });
  if (!appended.ok) throw new LogError("misuse", appended.message);
}
