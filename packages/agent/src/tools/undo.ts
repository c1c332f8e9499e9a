import type { Change, TreeChange } from "@choiros/computer";
import { isBelow, type Target } from "@choiros/contract";
import { z } from "zod";
import { pathNeed } from "../lease/need.ts";
import { inOneLine } from "../lease/quoted.ts";
import { shownWord } from "../lease/written-path.ts";
import { EditsInput, keysOf } from "./paths.ts";
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
    edits: EditsInput,
  }),
  needs({ edits = [] }) {
    const keys = keysOf(edits);
    return "why" in keys ? keys : keys.map((key) => pathNeed("edit", key));
  },
  async run({ call, seq }, context) {
    const { work, cause, signal } = context;
    const { task } = work.cause;
    if (task === undefined) return failed("there is no task whose work could be undone");
    if (call !== undefined && seq !== undefined) return failed("name a call or a seq, not both");
    const target: Target = call !== undefined ? { call } : seq !== undefined ? { seq } : { task };
    const foreign = await foreignEvent(target, task, context);
    if (foreign !== undefined) return failed(foreign);
    const mayLand = (changes: readonly Change[]) => beyondOf(changes, context);
    const done = await work.computer.undo(target, { source: "agent", cause, mayLand, signal });
    if (!done.ok) {
      const text = `nothing was undone: ${inOneLine(done.message)}`;
      return { status: done.reason === "limit" ? "denied" : "failed", text };
    }
    work.read.clear(); // whatever was read may be something else now
    const notes = done.notes.map((one) => `\n${inOneLine(one)}`).join("");
    return {
      status: "ok",
      text: `undone: ${done.changed} paths are as they were before (event ${done.seq})${notes}`,
      files: done.changed,
    };
  },
});

const SHOWN = 5;

/** Why this may not be changed back. A directory that only leads to what may be is no matter. */
async function beyondOf(changes: readonly Change[], { mayNow }: Context): Promise<string | undefined> {
  const may = await mayNow();
  const paths = changes.filter((change) => "key" in change);
  const { true: allowed = [], false: others = [] } = Object.groupBy(
    paths,
    ({ key }) => `${may({ kind: "edit", what: key })}`,
  );
  const beyond = others.filter((one) => !isBareFolder(one) || !allowed.some(({ key }) => isBelow(key, one.key)));
  if (beyond.length === 0) return undefined;
  const shown = beyond.slice(0, SHOWN).map(({ key }) => shownWord(key));
  const more = beyond.length > SHOWN ? ` and ${beyond.length - SHOWN} more` : "";
  return `it would change ${shown.join(", ")}${more}, which it may not`;
}

/** One that comes or goes. */
function isBareFolder({ before, after }: TreeChange): boolean {
  return (before === null) !== (after === null) && (before ?? after)?.kind === "dir";
}

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
