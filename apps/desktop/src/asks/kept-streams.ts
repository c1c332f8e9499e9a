import type { Desk } from "../desk/desk.ts";
import { Watched } from "../watched.ts";
import { NO_STREAMS, type Streams, withEvent, withSignal } from "./streams.ts";

/** What comes and isn't kept, by ask, since this page is there: an ask's window may be opened later. */
export function keptStreams(desk: Pick<Desk, "follow" | "hear">): Watched<ReadonlyMap<string, Streams>> {
  const kept = new Watched<ReadonlyMap<string, Streams>>(new Map());
  const put = (ask: string | undefined, next: (streams: Streams, ask: string) => Streams) => {
    if (ask === undefined) return;
    const before = kept.get().get(ask) ?? NO_STREAMS;
    const after = next(before, ask);
    if (after === before) return;
    const all = new Map(kept.get()).set(ask, after);
    if (after === NO_STREAMS) all.delete(ask);
    kept.set(all);
  };
  desk.hear((signal) => put(signal.cause?.ask, (streams, ask) => withSignal(streams, signal, ask, Date.now())));
  desk.follow(
    (moments) => {
      for (const { event } of moments) put(event.cause?.ask, (streams, ask) => withEvent(streams, event, ask));
    },
    () => kept.set(new Map()),
  );
  return kept;
}
