import { type KnownEvent, recognise } from "@choiros/contract";
import { useEffect, useState } from "react";
import type { DeskApi, EventQuery } from "../../desk/api.ts";
import type { Moment } from "../../desk/socket.ts";
import { FOLDER, isSample } from "./samples.ts";

export type Step = "write" | "run" | "undo" | "ask";

/** By which events it is known that the user did it, here or anywhere; of an ask, that somebody took it up. */
const SIGNS: Readonly<Record<Step, (event: KnownEvent) => boolean>> = {
  write: (event) => event.source === "user" && isWritten(event),
  run: ({ source, type }) => source === "user" && type === "tool.call",
  undo: ({ source, type }) => source === "user" && type === "undo",
  ask: ({ type }) => type === "ask.started",
};
const STEPS = ["write", "run", "undo", "ask"] as const;

/** Where those are looked for that were before; a sample may have been written to often. */
const PAST: readonly EventQuery[] = [
  { type: ["file.write", "files.changed"], source: ["user"], key: FOLDER, newest: true, limit: 100 },
  { type: ["tool.call"], source: ["user"], limit: 1 },
  { type: ["undo"], source: ["user"], limit: 1 },
  { type: ["ask.started"], limit: 1 },
];

/** What of a welcome is done, as the log tells it. */
export function doneBy(moments: readonly Moment[]): Step[] {
  const events = moments.flatMap(({ event }) => {
    const known = recognise(event);
    return known.ok ? [known.value] : [];
  });
  return STEPS.filter((step) => events.some(SIGNS[step]));
}

/** A sample that was there has other contents: making them isn't writing, and neither is removing them. */
function isWritten(event: KnownEvent): boolean {
  if (event.type !== "file.write" && event.type !== "files.changed") return false;
  if (!("changes" in event.payload)) return false; // too many to be somebody's writing
  return event.payload.changes.some(
    ({ after, before, path }) => before !== null && after !== null && typeof path === "string" && isSample(path),
  );
}

export function useDone(desk: DeskApi): ReadonlySet<Step> {
  const [done, setDone] = useState<ReadonlySet<Step>>(new Set());
  useEffect(() => {
    const ended = new AbortController();
    const take = (moments: readonly Moment[]) => {
      const steps = doneBy(moments);
      if (steps.length > 0) setDone((now) => new Set([...now, ...steps]));
    };
    const leave = desk.follow(take);
    for (const query of PAST) {
      const options = { signal: ended.signal, onItem: (moment: Moment) => take([moment]) };
      desk.events(query, options).catch(() => {}); // it only isn't ticked off
    }
    return () => {
      leave();
      ended.abort();
    };
  }, [desk]);
  return done;
}
