import type { Envelope } from "@choiros/contract";
import type { Log } from "@choiros/log";
import type { EventQuery } from "./queries.ts";

/** The events a query is about, and with `follow` each new one as it comes. */
export async function* readEvents(log: Log, query: EventQuery, signal: AbortSignal): AsyncIterable<Envelope> {
  const from = query.from < 0 ? Math.max(1, (await log.head()).seq + 1 + query.from) : Math.max(1, query.from);
  if (!query.follow) {
    const types = query.type === undefined ? {} : { types: query.type };
    const to = query.to === undefined ? {} : { to: query.to };
    for await (const event of log.read({ from, ...types, ...to })) {
      if (signal.aborted) return;
      yield event;
    }
    return;
  }
  if (query.to !== undefined && query.to < from) return;
  for await (const event of log.subscribe({ from, signal })) {
    if (query.type === undefined || query.type.includes(event.type)) yield event;
    if (event.seq === query.to) return;
  }
}
