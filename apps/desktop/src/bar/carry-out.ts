import {
  type Ask,
  type Command,
  documentName,
  freeName,
  lastDone,
  lastUndone,
  lookBack,
  MAX_SAID_CHARACTERS,
  parseBar,
  type Target,
  type When,
} from "@choiros/contract";
import { ASK_INSTEAD } from "../asks/ask-instead.ts";
import type { DeskApi, Opening } from "../desk/api.ts";
import { Problem, sentence } from "../desk/problem.ts";
import { readBack } from "../desk/read-back.ts";
import type { Outcome } from "../desk/shapes.ts";
import type { Moment } from "../desk/socket.ts";
import { takeBackNow, turning } from "../desk/taken-back.ts";
import { faultOfPath } from "../shell/name-fault.ts";
import { changeTheme, tellChanged } from "../system/change-system.ts";
import { putWallpaper, removeWallpaper } from "../system/change-wallpaper.ts";
import type { Windowing } from "../windows/windowing.ts";
import { number } from "../words.ts";
import { inItsTurn } from "./in-its-turn.ts";
import { bestFile, keysNamed, open, openNamed, showFolder } from "./open-named.ts";
import { runLine } from "./run-line.ts";

interface Parts {
  readonly api: DeskApi;
  readonly windowing: Pick<Windowing, "closeFront" | "frontKey" | "showDesktop">;
  /** Appends what somebody wants to the log, for whoever can answer; `false` where that was refused. */
  say?(text: string, paths: readonly string[]): Promise<boolean>;
  /** A window with a new document is there. */
  begun?(window: string): void;
  /** Asks the console for what is its to do. */
  wish?(wish: "export" | "sign-out"): void;
  /** Shows what going back to a moment would change: it is done once that was seen. */
  propose?(moment: PastMoment): void;
}

/** A time, as it was asked for or that of an event, and the last event up to it. */
export interface PastMoment {
  readonly since: number;
  readonly time: string;
}

/** These begin what is said, and say nothing by themselves. */
const MARKS = /^[\s/"'@]+$/;

const TOO_LONG = `That is too long: no more than ${number.format(MAX_SAID_CHARACTERS)} characters can be said at once. Put it into a file, and name that with @.`;

/** What a command that was typed lacks, or can't be about; `undefined` where nothing is wrong. */
export function lackOf(text: string): string | undefined {
  if (MARKS.test(text)) return "Say what you want in words. The ? shows every command.";
  if (text.length > MAX_SAID_CHARACTERS) return TOO_LONG;
  const said = parseBar(text, new Date());
  if (said.do === "incomplete") return `${said.words} needs ${said.needs}`;
  const isNew = said.do === "new-doc" || said.do === "new-folder";
  return isNew && said.name !== undefined ? faultOfPath(said.name) : undefined;
}

interface Said {
  readonly text: string;
  readonly said: Command | Ask;
  readonly call: string;
}

/** What comes of something that was said may come late. */
interface Doing extends Parts {
  readonly opens: Opening;
}

/** Does what was typed into the bar. What comes of it is a window, a file or a notice; `false` where nothing did, and why is said. */
export async function carryOut(text: string, parts: Parts): Promise<boolean> {
  const said = parseBar(text, new Date());
  if (said.do === "nothing" || said.do === "incomplete" || lackOf(text) !== undefined) return false;
  const { api } = parts;
  const doing = { ...parts, opens: api.later() };
  try {
    return (await inItsTurn(api, { text, said }, (call) => act({ text, said, call }, doing))) !== false;
  } catch (error) {
    api.notify({ text: sentence(error), kind: "wrong" });
    return false;
  }
}

/** `false` where it was refused, and that is said. */
async function act({ text, said, call }: Said, parts: Doing): Promise<unknown> {
  const { api, opens, windowing, say } = parts;
  switch (said.do) {
    case "ask":
      if (said.text === text.trim() && (await openNamed(parts, said.text))) return; // after "ask" it is one, whatever it names
      return say?.(said.text, await keysNamed(api, said.text));
    case "new-doc":
      return newDocument(parts, said.name);
    case "new-folder": {
      const key = await free(api, said.name);
      return tellMade(api, key, await api.files.arrange([{ folder: { key } }]));
    }
    case "open":
      return (
        (await open(parts, said.what)) ||
        offerAsk(text.trim(), `There is no file, folder or app “${said.what}”.`, parts)
      );
    case "find":
    case "files":
      return showFolder(parts, said);
    case "undo":
      return takeBack(api, await targetOf(said.target, parts));
    case "redo":
      return redo(api, await last(api, lastUndone));
    case "go-back":
      return goBack(parts, said.to);
    case "theme": {
      const outcome = await changeTheme(api, { scheme: said.scheme });
      tellChanged(api, outcome);
      return outcome.ok;
    }
    case "wallpaper":
      return changeWallpaper(api, said.file);
    case "run":
      return runLine(api, said.line, call);
    case "close":
      return windowing.closeFront();
    case "show-desktop":
      return windowing.showDesktop();
    case "help":
      return void opens.open("help", said.word === undefined ? {} : { find: said.word });
    case "export":
    case "sign-out":
      parts.wish?.(said.do);
      return void api.notify({ text: "That is the console's to do: it asks you, above." });
    default:
      opens.open(said.do); // the word is the app's own name
  }
}

/** What names nothing may be meant for an agent. */
function offerAsk(text: string, why: string, { api, say }: Parts): false {
  const ask = async () => say?.(text, await keysNamed(api, text));
  api.notify({ text: why, kind: "wrong", action: { label: ASK_INSTEAD, run: () => void ask() } });
  return false;
}

async function newDocument({ api, opens, begun }: Doing, name: string | undefined): Promise<boolean> {
  const key = await free(api, documentName(name));
  const outcome = await api.files.arrange([{ file: { key } }]);
  const window = tellMade(api, key, outcome) ? opens.openFile(key) : undefined;
  if (window !== undefined) begun?.(window);
  return outcome.ok;
}

function tellMade(api: DeskApi, key: string, outcome: Outcome): boolean {
  api.notifyDone(`${key.slice(key.lastIndexOf("/") + 1)} is made`, outcome);
  return outcome.ok;
}

/** Where something of this name goes: to the workspace, beside what is there. */
async function free(api: DeskApi, name: string): Promise<string> {
  const key = name.startsWith("workspace/") ? name : `workspace/${name}`;
  const lines = await api.files.list(key.slice(0, key.lastIndexOf("/")));
  return freeName(key, new Set(lines.map((line) => line.key)));
}

type Undo = Extract<Command, { do: "undo" }>["target"];

/** `that` is what was done last to the file in the front window, where there is one. */
async function targetOf(asked: Undo, { api, windowing }: Parts): Promise<Target | undefined> {
  if (asked !== "last" && asked !== "that") return asked;
  return last(api, lastDone, asked === "that" ? windowing.frontKey() : undefined);
}

function last(api: DeskApi, find: typeof lastUndone, key?: string): Promise<Target | undefined> {
  return lookBack(readBack(api, key), find);
}

async function takeBack(api: DeskApi, target: Target | undefined): Promise<boolean> {
  if (target === undefined) {
    const undone = await last(api, lastUndone);
    api.notify(
      undone === undefined
        ? { text: "There is nothing to undo." }
        : { text: "Everything is taken back already: redo does it again.", action: turning(api, undone, "again") },
    );
    return true;
  }
  if ("seq" in target) assertThere(api, target.seq);
  return takeBackNow(api, target);
}

function assertThere(api: DeskApi, event: number): void {
  if (event > api.head()) throw new Problem("Not there", `There is no event ${event}.`);
}

async function goBack({ api, propose }: Parts, to: When): Promise<void> {
  if ("event" in to) assertThere(api, to.event);
  const found = await eventAt(api, to);
  if (found === undefined) throw new Problem("Not there", "This computer isn't that old.");
  propose?.({ since: found.seq, time: "time" in to ? to.time : found.ts });
}

async function redo(api: DeskApi, target: Target | undefined): Promise<boolean> {
  if (target === undefined) {
    api.notify({ text: "There is nothing to redo." });
    return true;
  }
  return takeBackNow(api, target, "again");
}

/** This event, or the last one up to a time, if there was one. */
async function eventAt(api: DeskApi, to: When): Promise<Moment["event"] | undefined> {
  const moments: Moment[] = [];
  const query = "event" in to ? { from: to.event, to: to.event } : { until: to.time, newest: true, limit: 1 };
  await api.events(query, { onItem: (moment) => moments.push(moment) });
  return moments[0]?.event;
}

async function changeWallpaper(api: DeskApi, file: string | undefined): Promise<boolean> {
  if (file === undefined) return removeWallpaper(api);
  const found = await bestFile(api, file);
  if (found === undefined) throw new Problem("Not there", `There is no file “${file}”.`);
  return putWallpaper(api, found);
}
