import type { Envelope, Signal } from "@choiros/contract";

/** What comes and isn't kept, of one ask: by task (or by the ask itself) what a model says. */
export interface Streams {
  readonly said: ReadonlyMap<string, string>;
  /** What it waits for, until something else comes of it. */
  readonly waits: { readonly why: string; readonly until: number } | undefined;
}

export const NO_STREAMS: Streams = { said: new Map(), waits: undefined };

/** Of much, the end is kept. */
const MOST_CHARACTERS = 32 * 1024;

/** With one more signal, if it is of this ask. */
export function withSignal(streams: Streams, { cause, payload, type }: Signal, ask: string, now: number): Streams {
  if (cause?.ask !== ask) return streams;
  const { ms, text, why } = payload;
  const of = cause.task ?? ask;
  if (type === "agent.wait" && typeof why === "string")
    return { ...streams, waits: { why, until: now + (typeof ms === "number" ? ms : 0) } };
  if (type === "agent.text" && typeof text === "string")
    return { ...streams, waits: undefined, said: added(streams.said, of, text) };
  return type === "tool.output" && streams.waits !== undefined ? { ...streams, waits: undefined } : streams;
}

/** What is in the log by now isn't shown as coming any more. */
export function withEvent(streams: Streams, { cause, type }: Envelope, ask: string): Streams {
  if (cause?.ask !== ask) return streams;
  const calm = streams.waits === undefined ? streams : { ...streams, waits: undefined };
  // A signal may be there before the events that came before it: only what ends with it is told by this one.
  if (type === "model.call") return { ...calm, said: without(calm.said, cause.task ?? ask) };
  if (type === "ask.paused" || type === "ask.answered") return NO_STREAMS;
  return calm;
}

function added(map: ReadonlyMap<string, string>, key: string, text: string): ReadonlyMap<string, string> {
  return new Map(map).set(key, ((map.get(key) ?? "") + text).slice(-MOST_CHARACTERS));
}

function without(map: ReadonlyMap<string, string>, key: string): ReadonlyMap<string, string> {
  if (!map.has(key)) return map;
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
