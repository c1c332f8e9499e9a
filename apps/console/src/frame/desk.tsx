import { type DeskKey, type DeskWish, type FromConsole, FromDesk } from "@choiros/contract/frame";
import { useEffect, useEffectEvent, useRef } from "react";
import { flushSync } from "react-dom";
import type { ComputerApi } from "../server/computer-api.ts";
import { type Computer, DeskToken } from "../server/shapes.ts";
import { chosenTheme, followDesk } from "../theme.ts";
import { DeskDrafts } from "./desk-drafts.ts";
import { deskKeyOf } from "./desk-keys.ts";
import { watchFlood } from "./flood.ts";
import { handKeyboard } from "./keyboard.ts";

export type DeskState = "loading" | "answering" | "silent";

interface DeskParts {
  readonly api: ComputerApi;
  /** Whose drafts are kept. */
  readonly account: string;
  /** The server is there; it may be another run of it than before. */
  readonly live: boolean;
  readonly computer: Computer;
  /** What somebody followed a link to. */
  readonly event: number | undefined;
  /** A panel of the console is open: keys and clicks are for that. */
  readonly covered: boolean;
  /** And takes its whole place. */
  readonly hidden: boolean;
  /** It asks for something that is answered in the bar. */
  readonly wishing: boolean;
  onState(state: DeskState): void;
  /** It says so much that nobody here would get a word in: it has to go. */
  onFlood(): void;
  onWish(wish: DeskWish): void;
}

/** So often it is asked whether it is there, and so often it may owe the answer before the bar says that it doesn't answer. */
const PING_MS = 3000;
const MOST_OWED = 3;
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

export function Desk(parts: DeskParts) {
  const { api, account, live, computer, event, covered, hidden, wishing, onState, onFlood, onWish } = parts;
  const frame = useRef<HTMLIFrameElement>(null);
  const served = useRef<Served>(undefined);
  // Before the next message: what would be drawn later waits behind all that were sent.
  const stop = useEffectEvent(() => flushSync(onFlood));
  useEffect(() => watchFlood(stop), []);

  const greet = useEffectEvent(() => {
    const isFree = document.activeElement === null || document.activeElement === document.body;
    if (frame.current !== null && isFree && !covered) handKeyboard(frame.current);
  });

  useEffect(() => (wishing ? () => greet() : undefined), [wishing]);

  useEffect(() => {
    onState("loading");
    let owed = 0;
    let met = false;
    const onAnswer = () => {
      if (!met) greet();
      met = true;
      owed = 0;
      onState("answering");
    };
    const serving = serveDesk({ api, account, origin: computer.desk, frame }, { onAnswer, onWish });
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
  }, [api, account, computer.desk, onState, onWish]);
  useEffect(() => {
    if (live) served.current?.renew();
  }, [live]);

  useEffect(() => {
    if (covered) return undefined;
    const press = (event: KeyboardEvent) => {
      const key = deskKeyOf(event);
      if (key === undefined || frame.current === null) return;
      event.preventDefault();
      handKeyboard(frame.current);
      served.current?.press(key);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [covered]);

  const linked = event === undefined ? {} : { event: String(event) };
  return (
    <iframe
      ref={frame}
      className="desk"
      title={`Desktop of ${computer.name}`}
      src={`${computer.desk}/#${new URLSearchParams({ console: location.origin, theme: chosenTheme(), ...linked })}`}
      sandbox={SANDBOX}
      allow="fullscreen 'none'"
      referrerPolicy="no-referrer"
      inert={covered}
      hidden={hidden}
    />
  );
}

interface Served {
  /** A token of this run of the server, where the desk has one of a former run: that died with it. */
  renew(): void;
  /** Asks the page whether it is there; once it was. */
  ping(): void;
  press(key: DeskKey): void;
  end(): void;
}

interface Serving {
  readonly api: ComputerApi;
  readonly account: string;
  readonly origin: string;
  readonly frame: { readonly current: HTMLIFrameElement | null };
}

interface Heard {
  onAnswer(): void;
  onWish(wish: DeskWish): void;
}

/** Hands the desk's page its token when it asks, and a new one in time, and keeps its drafts. Only for this window, only of this origin. */
function serveDesk({ api, account, origin, frame }: Serving, { onAnswer, onWish }: Heard): Served {
  const drafts = new DeskDrafts({ account, computer: api.id });
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
  const tell = (choir: FromConsole) => frame.current?.contentWindow?.postMessage({ choir }, origin);
  const give = async () => {
    if (api.server.leaving) return;
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
  const keep = async ({ ask, page, request }: Extract<FromDesk, { type: "draft" }>) =>
    tell({ answer: await drafts.answer(page, request), ask, type: "draft" });
  let unheard = false;
  /** What was done there would be lost: the browser asks in its own words, which a page in a frame can't have it do. */
  const askFirst = (event: BeforeUnloadEvent) => unheard && event.preventDefault();
  const hear = (message: MessageEvent<unknown>) => {
    if (message.origin !== origin || message.source !== frame.current?.contentWindow) return;
    const said = FromDesk.safeParse(message.data).data?.choir;
    if (said === undefined) return;
    here = true;
    onAnswer();
    if (said.type === "hello") void give();
    if (said.type === "draft") void keep(said);
    if (said.type === "wish") onWish(said.wish);
    if (said.type === "scheme") followDesk(said.scheme);
    if (said.type === "unheard") unheard = said.isAny;
  };

  addEventListener("message", hear);
  addEventListener("beforeunload", askFirst);
  return {
    renew: () => {
      if (token !== undefined && run !== api.server.token) void give();
    },
    ping: () => {
      if (here) tell({ type: "ping" });
    },
    press: (key) => tell({ key, type: "key" }),
    end: () => {
      removeEventListener("message", hear);
      removeEventListener("beforeunload", askFirst);
      drafts.end();
      clearTimeout(timer);
    },
  };
}
