import { type Envelope, type LookedBack, lastDone, lastUndone, lookBack, type Target } from "@choiros/contract";
import { events } from "@choiros/gateway/operations";
import { ask } from "./ask.ts";
import type { CommandCall } from "./command.ts";

/** What "undo" or "redo" means by now. */
export function lastAction(call: CommandCall, what: "undo" | "redo"): Promise<Target | undefined> {
  const read = async (query: LookedBack) => {
    const found: Envelope[] = [];
    await ask(call, events, { ...query, follow: false, from: 1 }, { item: ({ event }) => void found.push(event) });
    return found;
  };
  return lookBack(read, what === "undo" ? lastDone : lastUndone);
}

/** The last event by a time; `undefined` where there was none yet. */
export async function eventAt(call: CommandCall, time: string): Promise<number | undefined> {
  let seq: number | undefined;
  const query = { follow: false, from: 1, limit: 1, newest: true, until: time };
  await ask(call, events, query, {
    item({ event }) {
      seq = event.seq;
    },
  });
  return seq;
}
