import { type KnownEvent, lastDone, lastUndone, recognise, type Target } from "@choiros/contract";
import { events } from "@choiros/gateway/operations";
import { ask } from "./ask.ts";
import type { CommandCall } from "./command.ts";

/** What happened longer ago is named by its event. */
const RECENT = 1000;

/** What "undo" and "redo" mean by now. */
export async function lastActions(
  call: CommandCall,
): Promise<{ readonly done: Target | undefined; readonly undone: Target | undefined }> {
  const recent: KnownEvent[] = [];
  const query = { follow: false, from: 1, limit: RECENT, newest: true };
  await ask(call, events, query, {
    item({ event }) {
      const known = recognise(event);
      if (known.ok) recent.push(known.value);
    },
  });
  return { done: lastDone(recent), undone: lastUndone(recent) };
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
