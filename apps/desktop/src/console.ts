import { newId } from "@choiros/contract";
import {
  type DeskWish,
  type DraftAnswer,
  type DraftRequest,
  FromConsole,
  type FromDesk,
} from "@choiros/contract/frame";

/** What opens one computer to this page, for a while. */
export interface Grant {
  readonly computer: string;
  readonly token: string;
}

const opened = new URLSearchParams(location.hash.slice(1));
const origin = opened.get("console");

/** What was chosen for the console, if anything was. */
export function consoleScheme(): "dark" | "light" | undefined {
  const said = opened.get("theme");
  return said === "dark" || said === "light" ? said : undefined;
}

/** A link to an event, as the console takes it. */
export function linkToEvent(computer: string, seq: number): string | undefined {
  return origin === null ? undefined : `${origin}/#${new URLSearchParams({ computer, event: String(seq) })}`;
}

/** The event that the console was opened with, if it was. */
export function linkedEvent(): number | undefined {
  const seq = Number(opened.get("event"));
  return Number.isSafeInteger(seq) && seq >= 1 ? seq : undefined;
}

/**
 * Asks the console around this page for a token, hears each new one, and answers when asked whether it is there. Which origin that is stands in the address it
 * opened us with; nobody else can put a frame around this page, for the server forbids it.
 */
export function awaitTokens(onToken: (grant: Grant) => void): void {
  if (origin === null || parent === window) return;
  addEventListener("message", (message) => {
    if (message.origin !== origin || message.source !== parent) return;
    const said = FromConsole.safeParse(message.data).data?.choir;
    if (said?.type === "ping") say({ type: "pong" });
    if (said?.type === "token") onToken(said);
    if (said?.type === "key") whenFocused(() => dispatchEvent(new KeyboardEvent("keydown", said.key)));
    if (said?.type === "draft") asked.get(said.ask)?.(said.answer);
  });
  sayHello();
}

/** The keyboard comes with a key that was pressed in the console, and may be a moment later than word of it. */
function whenFocused(then: () => void): void {
  if (document.hasFocus()) then();
  else addEventListener("focus", then, { once: true });
}

/** What is the console's to do: it asks whoever sits there. */
export function askConsole(wish: DeskWish): void {
  say({ type: "wish", wish });
}

/** How this page looks, so that the bar around it doesn't look otherwise. */
export function tellScheme(scheme: "dark" | "light"): void {
  say({ scheme, type: "scheme" });
}

/** Whether something would be lost, if the page went now: it asks then before it goes. */
export function tellUnheard(isAny: boolean): void {
  say({ isAny, type: "unheard" });
}

/** The console answers with a token: the one it gave, or a new one where that is over. */
export function sayHello(): void {
  say({ type: "hello" });
}

/** A text of 20 MB takes its time on a busy machine. */
const ANSWER_MS = 10_000;
const page = newId();
const asked = new Map<number, (answer: DraftAnswer) => void>();
let asks = 0;

/** What browsers keep for a page they keep for the console alone: a frame of another site gets nothing from most of them. */
export function askForDrafts(request: DraftRequest): Promise<DraftAnswer> {
  const ask = ++asks;
  const { promise, resolve } = Promise.withResolvers<DraftAnswer>();
  const silent = setTimeout(resolve, ANSWER_MS, { ok: false, why: "the console doesn't answer" });
  asked.set(ask, resolve);
  say({ ask, page, request, type: "draft" });
  return promise.finally(() => {
    clearTimeout(silent);
    asked.delete(ask);
  });
}

function say(choir: FromDesk): void {
  if (origin !== null) parent.postMessage({ choir }, origin);
}
