import { describeEvent, type EventIcon, type Who, whoDid } from "@choiros/contract";
import type { Moment } from "../../desk/socket.ts";
import { count } from "../../words.ts";
import type { FoldKind, FoldRow } from "./fold.ts";

export interface LineWords {
  readonly icon: EventIcon;
  readonly text: string;
  readonly detail?: string;
}

/** What begins an ask, a task and a call. */
const BEGINS: Readonly<Record<FoldKind, string>> = {
  ask: "message",
  task: "task.planned",
  call: "tool.call",
  windows: "",
};

/** The event that all in it came from, if it is among them. */
export function headOf({ kind, moments }: Pick<FoldRow, "kind" | "moments">): Moment | undefined {
  return moments.findLast(({ event }) => event.type === BEGINS[kind]);
}

/** A fold in a line: what it came from, and what came of it. `head` where that is on another page. */
export function foldWords(row: Pick<FoldRow, "kind" | "moments">, head = headOf(row)): LineWords {
  const { kind, moments } = row;
  if (kind === "windows") return { icon: "window", text: "Arranged windows", detail: count(moments.length, "time") };
  const detail = [outcomeOf(row), changesOf(moments)].filter((part) => part !== undefined).join(" · ");
  const rest = detail === "" ? {} : { detail };
  if (head !== undefined) {
    const { icon, text } = describeEvent(head);
    return { icon, text: kind === "task" ? text.replace(/^Planned: /, "") : text, ...rest };
  }
  const [newest] = moments;
  if (kind !== "call" || newest === undefined)
    return { icon: kind === "ask" ? "ask" : "task", text: `One ${kind}`, ...rest };
  const { detail: became, icon, text } = describeEvent(moments.find(isLong) ?? newest);
  // What was too much to be done at once.
  if (moments.some(isLong) && moments.every(({ event }) => event.type === newest.event.type))
    return { icon, text: count(pathsIn(moments), "path"), ...(became !== undefined && { detail: became }) };
  return { icon, text: `${text} and ${count(moments.length - 1, "more event")}` };
}

/** Who it was, where it wasn't you; a call says its command itself, and some words say where it came from. */
export function whoInLine(event: Moment["event"], { isFold, detail }: { isFold: boolean; detail: string | undefined }) {
  const who = whoOfEvent(event);
  if (who === "user" || (isFold && who === "command")) return undefined;
  return who === event.payload.by && detail !== undefined ? undefined : who;
}

export function whoOfEvent({ source, type, payload: { by } }: Moment["event"]): Who {
  return whoDid({ source, type, by });
}

/** Whether what an agent did there was played from the demo's script. */
export function isPlayed({ cause, source }: Moment["event"], scripted: ReadonlySet<string>): boolean {
  return source === "agent" && scripted.has(cause?.ask ?? "");
}

function outcomeOf({ kind, moments }: Pick<FoldRow, "kind" | "moments">): string | undefined {
  if (kind === "ask") return askOutcome(moments);
  const wanted = kind === "call" ? "tool.result" : "task.finished";
  const end = moments.find(({ event }) => event.type === wanted);
  if (end === undefined) return undefined;
  if (kind === "task") return TASKS[String(end.event.payload.status)];
  const { detail, text } = describeEvent(end);
  return detail ?? text.toLowerCase();
}

const TASKS: Readonly<Record<string, string>> = { failed: "failed", needs_input: "needs an answer", ok: "done" };

/** How it stands, by the last of its own events. */
function askOutcome(moments: readonly Moment[]): string | undefined {
  const last = moments.find(({ event }) => event.type.startsWith("ask."));
  if (last === undefined) return undefined;
  const { payload, type } = last.event;
  if (type === "ask.answered") return payload.status === "done" ? "done" : "gave up";
  if (type === "ask.paused") return describeEvent(last).text.toLowerCase();
  return ASKS[type];
}

/** Whether its question still waits tells its state, not the log's last word on it. */
const ASKS: Readonly<Record<string, string>> = {
  "ask.left": "left as it is",
};

function isLong({ event }: Moment): boolean {
  return typeof event.payload.count === "number";
}

function changesOf(moments: readonly Moment[]): string | undefined {
  const many = pathsIn(moments);
  return many === 0 ? undefined : count(many, "change");
}

function pathsIn(moments: readonly Moment[]): number {
  let many = 0;
  for (const { event } of moments) {
    const { changes, count: counted } = event.payload;
    if (event.type.startsWith("window.")) continue;
    if (Array.isArray(changes)) many += changes.length;
    else if (typeof counted === "number") many += counted;
  }
  return many;
}
