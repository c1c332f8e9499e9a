import { useEffect, useEffectEvent, useRef } from "react";
import { flushSync } from "react-dom";
import type { ComputerApi } from "../server/computer-api.ts";
import { type Computer, DeskToken } from "../server/shapes.ts";
import { chosenTheme } from "../theme.ts";

export type DeskState = "loading" | "answering" | "silent";

interface DeskParts {
  readonly api: ComputerApi;
  /** The server is there; it may be another run of it than before. */
  readonly live: boolean;
  readonly computer: Computer;
  /** A panel of the console is open: keys and clicks are for that. */
  readonly covered: boolean;
  /** And takes its whole place. */
  readonly hidden: boolean;
  onState(state: DeskState): void;
  /** It says so much that nobody here would get a word in: it has to go. */
  onFlood(): void;
}

/** So often it is asked whether it is there, and so often it may owe the answer before the bar says that it doesn't answer. */
const PING_MS = 3000;
const MOST_OWED = 3;
/** So many messages may come within so long; a desk needs one now and then. */
const MOST_MESSAGES = 30;
const MESSAGES_MS = 1000;
/** Before a token is over there is a new one. */
const EARLY_MS = 2 * 60_000;
/** A page may ask as often as it likes: it gets the same token. */
const AGAIN_MS = 60_000;

/**
 * The desktop's page. It runs scripts, has its own origin and may download, and nothing else: no pop-ups, no dialogs, no
 * full screen, no way to send this page elsewhere. Its origin is of another site than ours, so `allow-same-origin` gives
 * it nothing of the console.
 */
const SANDBOX = "allow-scripts allow-same-origin allow-forms allow-downloads";

export function Desk({ api, live, computer, covered, hidden, onState, onFlood }: DeskParts) {
  const frame = useRef<HTMLIFrameElement>(null);
  const served = useRef<Served>(undefined);
  // Before the next message: what would be drawn later waits behind all that were sent.
  const stop = useEffectEvent(() => flushSync(onFlood));
  useEffect(() => watchFlood(stop), []);

  useEffect(() => {
    onState("loading");
    let owed = 0;
    const serving = serveDesk(api, computer.desk, frame, () => {
      owed = 0;
      onState("answering");
    });
    const ask = () => {
      if (document.visibilityState === "hidden")
        owed = 0; // browsers let pages that nobody sees wait
      else if (++owed === MOST_OWED) onState("silent");
      serving.ping();
    };
    const pings = setInterval(ask, PING_MS);
    served.current = serving;
    return () => {
      clearInterval(pings);
      serving.end();
    };
  }, [api, computer.desk, onState]);
  useEffect(() => {
    if (live) served.current?.renew();
  }, [live]);

  return (
    <iframe
      ref={frame}
      className="desk"
      title={`Desktop of ${computer.name}`}
      src={`${computer.desk}/#${new URLSearchParams({ console: location.origin, theme: chosenTheme() })}`}
      sandbox={SANDBOX}
      allow="fullscreen 'none'"
      referrerPolicy="no-referrer"
      inert={covered}
      hidden={hidden}
    />
  );
}

/** Counts what any window sends here: a page within the desk's can send, too. */
function watchFlood(onFlood: () => void): () => void {
  let since = 0;
  let heard = 0;
  const count = ({ timeStamp }: MessageEvent) => {
    if (timeStamp - since > MESSAGES_MS) {
      since = timeStamp;
      heard = 0;
    }
    if (++heard > MOST_MESSAGES) onFlood();
  };
  addEventListener("message", count);
  return () => removeEventListener("message", count);
}

interface Served {
  /** A token of this run of the server, where the desk has one of a former run: that died with it. */
  renew(): void;
  /** Asks the page whether it is there; once it was. */
  ping(): void;
  end(): void;
}

/** Hands the desk's page its token when it asks, and a new one in time. Only to this window, only of this origin. */
function serveDesk(
  api: ComputerApi,
  origin: string,
  frame: { readonly current: HTMLIFrameElement | null },
  onAnswer: () => void,
): Served {
  let token: Promise<string> | undefined;
  let given = 0;
  let here = false;
  /** The console's own token, which is another one in each run. */
  let run = "";
  let timer: ReturnType<typeof setTimeout> | undefined;

  const fresh = async () => {
    const path = `/api/computers/${api.id}/desk-token`;
    const granted = await api.server.ask(DeskToken, path, { method: "POST" });
    clearTimeout(timer);
    const wait = Math.max(AGAIN_MS, Date.parse(granted.expires) - Date.now() - EARLY_MS);
    timer = setTimeout(() => void give(), wait);
    return granted.token;
  };
  const tell = (choir: Readonly<Record<string, string>>) =>
    frame.current?.contentWindow?.postMessage({ choir }, origin);
  const give = async () => {
    if (token === undefined || run !== api.server.token || Date.now() - given > AGAIN_MS) {
      given = Date.now();
      run = api.server.token;
      token = fresh();
    }
    try {
      tell({ computer: api.id, token: await token, type: "token" });
    } catch {
      token = undefined; // the desk asks again
    }
  };
  const hear = (message: MessageEvent<unknown>) => {
    if (message.origin !== origin || message.source !== frame.current?.contentWindow) return;
    const said = Object(message.data) as { choir?: { type?: unknown } }; // read only as far as compared
    const type = said.choir?.type;
    if (type !== "hello" && type !== "pong") return;
    here = true;
    onAnswer();
    if (type === "hello") void give();
  };

  addEventListener("message", hear);
  return {
    renew: () => {
      if (token !== undefined && run !== api.server.token) void give();
    },
    ping: () => {
      if (here) tell({ type: "ping" });
    },
    end: () => {
      removeEventListener("message", hear);
      clearTimeout(timer);
    },
  };
}
