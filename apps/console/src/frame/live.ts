import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { ComputerApi } from "../server/computer-api.ts";
import { type Connection, LiveEvents } from "../server/live-events.ts";
import { Health } from "../server/shapes.ts";
import { History } from "../time/history.ts";
import { goOn, NOTHING, type Unfinished } from "./unfinished.ts";

export interface Live extends Unfinished {
  readonly connection: Connection;
  readonly health: Health | undefined;
  readonly history: History;
  /** Wishes that a call ends. Throws where nobody hears it. */
  stop(call: string): void;
  /** The same of an ask, with all that is done for it. */
  stopAsk(ask: string): void;
}

const HEALTH_MS = 15_000;

/** Everything of one computer that moves by itself. */
export function useLive(api: ComputerApi): Live {
  const [connection, setConnection] = useState<Connection>("connecting");
  const [unfinished, setUnfinished] = useState(NOTHING);
  const [history, setHistory] = useState(() => new History(api));
  const events = useRef<LiveEvents>(undefined);
  const health = useHealth();

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
    });
    events.current = following;
    return () => {
      following.end();
      own.close();
    };
  }, [api]);

  const stop = useCallback((call: string) => events.current?.stop(call), []);
  const stopAsk = useCallback((ask: string) => events.current?.stopAsk(ask), []);
  return { connection, health, history, stop, stopAsk, ...unfinished };
}

/** What a history knows by now; asks again with each change. */
export function useHistory(history: History): number {
  return useSyncExternalStore(history.subscribe, history.version);
}

function useHealth(): Health | undefined {
  const [health, setHealth] = useState<Health>();
  useEffect(() => {
    const look = async () => {
      const response = await fetch("/api/health").catch(() => undefined);
      setHealth(Health.safeParse(await response?.json().catch(() => undefined)).data);
    };
    void look();
    const timer = setInterval(look, HEALTH_MS);
    return () => clearInterval(timer);
  }, []);
  return health;
}
