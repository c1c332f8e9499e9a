import { type Ask, type Command, newId } from "@choiros/contract";
import type { DeskApi } from "../desk/api.ts";
import type { PostedNotice } from "../desk/notices.ts";
import { Turns, turnsOf } from "../desk/turns.ts";

interface SaidHere {
  readonly text: string;
  readonly said: Command | Ask;
}

type Doing = (Command | Ask)["do"];

/** These take back what was done last, this looks for a moment before, and these do something that it may be. */
const TAKES_BACK: readonly Doing[] = ["undo", "redo"];
const LOOKS_BACK: readonly Doing[] = ["go-back"];
const CHANGES: readonly Doing[] = ["ask", "new-doc", "new-folder", "run", "theme", "wallpaper"];

/** Does it after what was said before, as far as it means that, or the other way round. `work` gets the id of its call, for what has one. */
export async function inItsTurn(
  api: DeskApi,
  { text, said }: SaidHere,
  work: (call: string) => Promise<unknown>,
): Promise<unknown> {
  const call = newId();
  const waiting = tellWaiting(api, { text, said });
  const begin = () => {
    waiting.begun();
    return work(call);
  };
  const { runs, leave } = said.do === "run" ? running(api, call) : NOT_A_CALL;
  const turns = turnsOf(api);
  try {
    if (TAKES_BACK.includes(said.do)) return await turns.takeBack(begin);
    if (LOOKS_BACK.includes(said.do)) return await turns.inTurn(begin);
    if (!CHANGES.includes(said.do)) return await begin();
    return await turns.begin(() => lineOf(api).inTurn(begin, runs), runs);
  } finally {
    waiting.over();
    leave();
  }
}

const lines = new WeakMap<DeskApi, Turns>();

/** One thing after another, as it was said: so the log has it, and what is taken back first is what was said last. */
function lineOf(api: DeskApi): Turns {
  const there = lines.get(api) ?? new Turns();
  lines.set(api, there);
  return there;
}

interface Running {
  readonly runs?: Promise<void>;
  leave(): void;
}

const NOT_A_CALL: Running = { leave: () => {} };

/** From when a call runs on, it may take as long as it likes. */
function running({ calls }: DeskApi, call: string): Running {
  const { promise, resolve } = Promise.withResolvers<void>();
  const leave = calls.watch(() => calls.get().has(call) && resolve());
  return { runs: promise, leave };
}

/** What the server has a part in; the rest is shown at once. */
const WAITS: readonly Doing[] = ["open", ...TAKES_BACK, ...LOOKS_BACK, ...CHANGES];
const MOST_SAID = 60;
/** Whoever waits no longer needs no word. */
const SOON_MS = 1000;

/** Somebody who says it without a connection, or while other things are done first, knows that it was heard. */
function tellWaiting(api: DeskApi, { text, said }: SaidHere): { begun(): void; over(): void } {
  const short = text.length > MOST_SAID ? `${text.slice(0, MOST_SAID)}…` : text;
  const tell = (what: string) => api.notify({ text: `“${short}” waits for ${what}`, progress: "unknown" });
  const isAway = api.connection.get() !== "live" && WAITS.includes(said.do);
  let notice: PostedNotice | undefined;
  const timer = isAway ? undefined : setTimeout(() => (notice = tell("what was said before it")), SOON_MS);
  const end = () => {
    clearTimeout(timer);
    notice?.remove();
    notice = undefined;
  };
  if (isAway) notice = tell("the connection");
  const saysItself = said.do === "run"; // as soon as it has begun
  return { begun: () => (isAway && !saysItself ? undefined : end()), over: end };
}
