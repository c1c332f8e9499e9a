import { changeWords, count, namedChanges, shownPath } from "./change-words.ts";
import type { Envelope } from "./envelope.ts";
import type { Json } from "./json.ts";
import { Target } from "./payloads.ts";
import { plain, plainList, plainText } from "./plain.ts";
import { withoutMarks } from "./without-marks.ts";

/** An event; with the command where it called one. */
interface Moment {
  readonly command?: string | undefined;
  readonly event: Envelope;
}

export type EventIcon =
  | "approval"
  | "ask"
  | "task"
  | "undo"
  | "checkpoint"
  | "write"
  | "delete"
  | "move"
  | "folder"
  | "command"
  | "end"
  | "window"
  | "settings"
  | "start"
  | "other";

export interface EventWords {
  readonly icon: EventIcon;
  readonly text: string;
  readonly detail?: string;
}

/** What happened, in a line. Of a newer version's event: its type. */
export function describeEvent(moment: Moment): EventWords {
  const { icon, text, detail } = wordsOf(moment);
  return { icon, text: plainText(text), ...(detail !== undefined && { detail: plainText(detail) }) };
}

/** What "undo just this" is aimed at; `undefined` where there is nothing to take back. */
export function undoTargetOf({ event }: Pick<Moment, "event">): Target | undefined {
  if ("changes" in event.payload || "list" in event.payload) return { seq: event.seq };
  if (event.type.startsWith("approval.")) return undefined; // what was asked, and answered, stays so
  const { ask, task, call } = event.cause ?? {};
  if (call !== undefined) return { call };
  if (task !== undefined) return { task };
  return ask === undefined ? undefined : { ask };
}

/** Something that was done was taken back; going back to a moment is something that was done itself. */
export function isPlainUndo({ payload, type }: Pick<Envelope, "payload" | "type">): boolean {
  return type === "undo" && !("since" in Object(payload.target));
}

type Payload = Envelope["payload"];

function wordsOf({ event, command }: Moment): EventWords {
  const { type, payload } = event;
  switch (type) {
    case "log.created":
      return { icon: "start", text: "The computer was made" };
    case "message":
      return { icon: "ask", text: typeof payload.text === "string" ? payload.text : "A long message" };
    case "ask.started":
    case "ask.steered":
    case "ask.resumed":
    case "ask.left":
      return { icon: "ask", text: ASKS[type] };
    case "ask.wondered":
      return { icon: "ask", text: `Asked you: ${withoutMarks(String(payload.question))}` };
    case "ask.paused":
      return { icon: "ask", text: PAUSES[String(payload.why)] ?? "Paused", detail: String(payload.detail) };
    case "ask.answered":
      return { icon: "ask", text: payload.status === "done" ? "Answered" : "Gave up, and said why" };
    case "task.planned":
      return { icon: "task", text: `Planned: ${payload.instruction}` };
    case "task.approved":
    case "task.denied":
    case "task.started":
      return { icon: "task", text: TASKS[type] };
    case "task.finished":
      return { icon: "task", text: FINISHED[String(payload.status)] ?? "Finished a task" };
    case "approval.asked":
      return { icon: "approval", text: `Asked: ${plainList(String(payload.covers))}` };
    case "approval.given":
      return { icon: "approval", text: answerWords(event) };
    case "undo":
      return describeUndo(payload);
    case "checkpoint.created":
      return { icon: "checkpoint", text: "Checkpoint", detail: String(payload.message) };
    case "tool.call":
      return { icon: "command", text: command ?? String(payload.tool) };
    case "model.asked":
      return { icon: "task", text: `Asked ${payload.model}` };
    case "model.call":
      return { icon: "task", text: `${payload.model} ${ANSWERED[String(payload.status)] ?? "answered"}` };
    case "tool.result":
      return endWords(payload);
    case "receipt.check":
      return { icon: "command", text: `Checked: ${payload.command}`, detail: passWords(payload) };
    case "receipt.net":
      return { icon: "other", text: netWords(payload) };
    default:
      return describeChange(type, payload);
  }
}

const ANSWERED: Readonly<Record<string, string>> = {
  failed: "gave no answer, or not all of one",
  interrupted: "was interrupted",
  stopped: "was stopped",
};

const ASKS = {
  "ask.left": "Left as it is",
  "ask.resumed": "To go on",
  "ask.started": "Began an ask",
  "ask.steered": "Told a running ask",
} as const;

const PAUSES: Readonly<Record<string, string>> = {
  failed: "Could not go on",
  interrupted: "Was interrupted",
  limit: "Reached a limit",
  stopped: "Stopped",
};

const TASKS = {
  "task.approved": "Approved a task",
  "task.denied": "Denied a task",
  "task.started": "Began a task",
} as const;

const FINISHED: Readonly<Record<string, string>> = {
  failed: "Couldn't do a task",
  needs_input: "A task needs an answer",
  ok: "Finished a task",
};

const ENDS: Readonly<Record<string, string>> = {
  failed: "Failed",
  interrupted: "Was interrupted",
  ok: "Done",
  stopped: "Was stopped",
};

const ANSWERS: Readonly<Record<string, string>> = {
  always: "Allowed for good",
  denied: "Denied",
  once: "Allowed once",
  task: "Allowed for a task",
};

/** What the system denied nobody did: it was given up while it waited. */
function answerWords({ payload: { decision }, source }: Envelope): string {
  if (decision === "denied" && source === "system") return "Closed without an answer";
  return ANSWERS[String(decision)] ?? "Answered";
}

const WINDOWS: Readonly<Record<string, string>> = {
  change: "Changed the window",
  close: "Closed the window",
  focus: "To the front:",
  open: "Opened the window",
};

function describeChange(type: string, payload: Payload): EventWords {
  const [area, verb = ""] = type.split(".");
  if (area === "window") return { icon: "window", text: windowWords(verb, payload) };
  if (area === "settings") return { icon: "settings", text: "Changed settings" };
  const words = changeWords(payload);
  if (words === undefined) return { icon: "other", text: type };
  const icon = area === "dir" ? "folder" : verb === "delete" ? "delete" : verb === "move" ? "move" : "write";
  if (verb === "move") return { icon, text: `${shownPath(payload.from)} → ${shownPath(payload.to)}`, detail: "moved" };
  // A long list isn't read for this.
  const became = words.verb ?? (verb === "delete" ? "deleted" : undefined);
  const detail = [became, BY[String(payload.by)]].filter((part) => part !== undefined).join(", ");
  return { icon, text: words.text, ...(detail !== "" && { detail }) };
}

/** Whose work it was, where the event has another source. */
const BY: Readonly<Record<string, string>> = {
  command: "by a command",
  import: "by an import",
  outside: "from outside",
};

/** What it took back, by its own changes, and how many they were. */
function describeUndo(payload: Payload): EventWords {
  const target = Target.safeParse(payload.target).data;
  const many = Array.isArray(payload.changes) ? payload.changes.length : Number(payload.count);
  const detail = count(many, "change");
  if (target !== undefined && "since" in target)
    return { icon: "undo", text: `Went back to event ${target.since}`, detail };
  const what = Array.isArray(payload.changes) ? namedChanges(payload, true) : undefined;
  const text = `Undid ${[aimWords(target), what].filter((part) => part !== undefined).join(": ") || "one action"}`;
  return many === 1 ? { icon: "undo", text } : { icon: "undo", text, detail };
}

/** A call may be a command or anything else that was done: that is told by what it changed. */
function aimWords(target: Target | undefined): string | undefined {
  if (target === undefined || "call" in target) return undefined;
  if ("seq" in target) return `event ${target.seq}`;
  return "task" in target ? "a task" : "an ask";
}

/** With its title where it is one window. */
function windowWords(verb: string, { changes }: Payload): string {
  const words = WINDOWS[verb];
  if (words === undefined || !Array.isArray(changes)) return `Window: ${verb}`;
  const [change, second] = changes;
  const title = second === undefined ? (titleIn(change, "after") ?? titleIn(change, "before")) : undefined;
  return title === undefined ? "Arranged windows" : `${words} “${plain(title)}”`;
}

function titleIn(change: Json | undefined, side: "after" | "before"): string | undefined {
  const { title } = Object((Object(change) as Record<string, unknown>)[side]) as { title?: unknown }; // read only as far as asked
  return typeof title === "string" ? title : undefined;
}

function endWords({ exit, reason, status }: Payload): EventWords {
  if (status === "denied") {
    return { icon: "end", text: "Wasn't allowed", ...(typeof reason === "string" && { detail: reason }) };
  }
  if (typeof exit === "number" && exit !== 0) return { icon: "end", text: "Ended with", detail: `exit ${exit}` };
  return { icon: "end", text: ENDS[String(exit === 0 ? "ok" : status)] ?? "Ended" };
}

function passWords({ exit, reason }: Payload): string {
  if (typeof reason === "string") return `failed: ${reason}`;
  return exit === 0 ? "passed" : `failed, exit ${exit}`;
}

function netWords({ allowed, host, port }: Payload): string {
  return `${allowed === true ? "Reached" : "Was kept from"} ${host}:${port}`;
}
