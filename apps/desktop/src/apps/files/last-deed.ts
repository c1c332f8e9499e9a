import { describeEvent, type KnownEvent, lastDone, lookBack, type Target } from "@choiros/contract";
import type { DeskApi } from "../../desk/api.ts";
import { readBack } from "../../desk/read-back.ts";

export interface LastDeed {
  readonly target: Target;
  readonly text: string;
  /** Everything was brought back to a moment: more than was done here. */
  readonly isGoBack: boolean;
}

/**
 * What this person did last to files as things, in any browser, as the log has it, and isn't taken back. Another version of
 * a file isn't that: it is the Editor's to take back, and a command's files are the command's. Nothing is looked for behind a
 * way back to a moment. What is `settled` isn't meant.
 */
export async function lastDeed(
  desk: Pick<DeskApi, "events">,
  settled: readonly Target[],
): Promise<LastDeed | undefined> {
  let events: readonly KnownEvent[] = [];
  const target = await lookBack(readBack(desk), (all) => {
    events = all.filter((event) => isDeed(event) && !settled.some((target) => isMeant(target, event)));
    return lastDone(events);
  });
  if (target === undefined) return undefined;
  const [first, ...others] = events.filter((event) => isMeant(target, event));
  if (first === undefined) return undefined;
  const { text, detail } = describeEvent({ event: first });
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const isGoBack = first.type === "undo";
  return { target, isGoBack, text: `${text}${more}${detail === undefined ? "" : ` (${detail})`}` };
}

function isDeed(event: KnownEvent): boolean {
  if (event.type === "undo") return true;
  if (event.source !== "user" || event.type === "settings.change") return false;
  if (event.type === "files.changed") return event.payload.by === "desk";
  if (event.type !== "file.write") return true;
  return "changes" in event.payload && event.payload.changes.every(({ before }) => before === null);
}

function isMeant(target: Target, { cause, seq }: KnownEvent): boolean {
  return "call" in target ? cause?.call === target.call : "seq" in target && seq === target.seq;
}
