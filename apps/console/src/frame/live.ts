import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { ComputerApi } from "../server/computer-api.ts";
import { type Connection, LiveEvents } from "../server/live-events.ts";
import { Health } from "../server/shapes.ts";
import { History } from "../time/history.ts";
import { goOn, NOTHING, type Unfinished } from "./unfinished.ts";

export interface Live extends Unfinished {
  readonly connection: Connection;
  readonly health: Health | undefined;
  /** Whether the server owes an answer for longer than it takes: nobody knows by then what is kept. */
  readonly owed: boolean;
  readonly history: History;
  /** Wishes that a call ends. Throws where nobody hears it. */
  stop(call: string): void;
  /** The same of an ask, with all that is done for it. */
  stopAsk(ask: string): void;
}

const HEALTH_MS = 15_000;
/** Where it didn't answer: a question may have gone over a connection that was dead, and the next one goes over another. */
const SOON_MS = 2000;
/** Whoever takes longer doesn't say that anything is kept. */
const ANSWER_MS = 5000;

/** Everything of one computer that moves by itself. */
export function useLive(api: ComputerApi): Live {
  const [connection, setConnection] = useState<Connection>("connecting");
  const [unfinished, setUnfinished] = useState(NOTHING);
  const [history, setHistory] = useState(() => new History(api));
  const events = useRef<LiveEvents>(undefined);
  const [isQuiet, setQuiet] = useState(false);
  const { health, isSilent } = useHealth(connection);

  useEffect(() => {
    const own = new History(api);
    setHistory(own);
    setUnfinished(NOTHING);
    const following = new LiveEvents(api, {
      started: (moments, head) => {
        own.start(head);
        setUnfinished(goOn(NOTHING, moments));
      },
      came: (moments) => {
        own.add(moments);
        setUnfinished((former) => goOn(former, moments));
      },
      changed: (now) => {
        setConnection(now);
        if (now === "live") own.reconnected();
      },
      quiet: setQuiet,
    });
    events.current = following;
    return () => {
      following.end();
      own.close();
    };
  }, [api]);

  const stop = useCallback((call: string) => events.current?.stop(call), []);
  const stopAsk = useCallback((ask: string) => events.current?.stopAsk(ask), []);
  return { connection, health, history, owed: isQuiet || isSilent, stop, stopAsk, ...unfinished };
}

/** What a history knows by now; asks again with each change. */
export function useHistory(history: History): number {
  return useSyncExternalStore(history.subscribe, history.version);
}

/** What the server said last of itself, and whether it doesn't answer that any more. It is asked anew with each connection. */
function useHealth(connection: Connection): { readonly health: Health | undefined; readonly isSilent: boolean } {
  const [health, setHealth] = useState<Health>();
  const [isSilent, setSilent] = useState(false);
  useEffect(() => {
    const over = new AbortController();
    const look = async () => {
      const signal = AbortSignal.any([over.signal, AbortSignal.timeout(ANSWER_MS)]);
      const response = await fetch("/api/health", { signal }).catch(() => undefined);
      if (response?.status === 429) return; // it is there, and has much to do
      const { data } = Health.safeParse(await response?.json().catch(() => undefined));
      if (over.signal.aborted) return; // a newer one knows better
      setSilent(data === undefined);
      if (data !== undefined) setHealth(data);
    };
    if (connection !== "lost") void look();
    const timer = setInterval(look, isSilent ? SOON_MS : HEALTH_MS);
    return () => {
      clearInterval(timer);
      over.abort();
    };
  }, [connection, isSilent]);
  return { health, isSilent };
}
