import { Path, PathChange, pathKey, type Target, Target as TargetShape } from "@choiros/contract";
import { plainText } from "../plain.ts";
import type { Moment } from "../server/shapes.ts";
import { count } from "../words.ts";
import { shownKey } from "./tree.ts";

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
export function describe(moment: Moment): EventWords {
  const { icon, text, detail } = wordsOf(moment);
  return { icon, text: plainText(text), ...(detail !== undefined && { detail: plainText(detail) }) };
}

function wordsOf({ event, command }: Moment): EventWords {
  const { type, payload } = event;
  switch (type) {
    case "log.created":
      return { icon: "start", text: "The computer was made" };
    case "message":
      return { icon: "ask", text: typeof payload.text === "string" ? payload.text : "A long message" };
    case "task.planned":
      return { icon: "task", text: `Planned: ${payload.instruction}` };
    case "task.finished":
      return { icon: "task", text: "Finished a task", detail: String(payload.status) };
    case "approval.asked":
      return { icon: "approval", text: `Asked: ${payload.covers}` };
    case "approval.given":
      return { icon: "approval", text: ANSWERS[String(payload.decision)] ?? "Answered" };
    case "undo":
      return { icon: "undo", text: `Undid ${targetWords(payload.target)}`, detail: howMany(payload) };
    case "checkpoint.created":
      return { icon: "checkpoint", text: "Checkpoint", detail: String(payload.message) };
    case "tool.call":
      return { icon: "command", text: command ?? String(payload.tool) };
    case "tool.result":
      return { icon: "end", text: "ended", detail: endWords(payload) };
    default:
      return describeChange(type, payload);
  }
}

const ANSWERS: Readonly<Record<string, string>> = {
  always: "Allowed for good",
  denied: "Denied",
  once: "Allowed once",
  task: "Allowed for a task",
};

function describeChange(type: string, payload: Moment["event"]["payload"]): EventWords {
  const [area, verb] = type.split(".");
  if (area === "window") return { icon: "window", text: `Window: ${verb}` };
  if (area === "settings") return { icon: "settings", text: "Changed settings" };
  const paths = pathsOf(payload);
  if (paths === undefined) return { icon: "other", text: type };
  const icon = area === "dir" ? "folder" : verb === "delete" ? "delete" : verb === "move" ? "move" : "write";
  if (verb === "move") return { icon, text: `${shown(payload.from)} → ${shown(payload.to)}`, detail: "moved" };
  const detail = verb === "delete" ? "deleted" : payload.by === "outside" ? "from outside" : undefined;
  const text = paths.length === 1 ? (paths[0] ?? "") : `${paths.slice(0, 2).join(", ")}${rest(payload, paths)}`;
  return detail === undefined ? { icon, text } : { icon, text, detail };
}

/** What "undo just this" is aimed at; `undefined` where there is nothing to take back. */
export function targetOf({ event }: Moment): Target | undefined {
  if ("changes" in event.payload || "list" in event.payload) return { seq: event.seq };
  if (event.type.startsWith("approval.")) return undefined; // what was asked, and answered, stays so
  const { ask, task, call } = event.cause ?? {};
  if (call !== undefined) return { call };
  if (task !== undefined) return { task };
  return ask === undefined ? undefined : { ask };
}

function pathsOf(payload: Moment["event"]["payload"]): string[] | undefined {
  if (typeof payload.count === "number") return [];
  if (!Array.isArray(payload.changes)) return undefined;
  const changes = payload.changes.flatMap((change) => PathChange.safeParse(change).data ?? []);
  const gone = new Map(changes.flatMap(({ after, before, path }) => (after === null ? [[hashOf(before), path]] : [])));
  const moved = new Map<Path, Path>();
  for (const { after, before, path } of changes) {
    const from = before === null ? gone.get(hashOf(after)) : undefined;
    if (from === undefined || hashOf(after) === undefined) continue;
    moved.set(path, from);
    gone.delete(hashOf(after));
  }
  const left = new Set(moved.values());
  return changes.flatMap(({ path }) => {
    const from = moved.get(path);
    if (from !== undefined) return [`${shown(from)} → ${shown(path)}`];
    return left.has(path) ? [] : [shown(path)];
  });
}

/** What is gone, and is new elsewhere with the same bytes, was moved. */
function hashOf(entry: PathChange["after"]): string | undefined {
  return entry === null || entry.kind === "dir" ? undefined : entry.hash;
}

function shown(path: unknown): string {
  const parsed = Path.safeParse(path);
  return parsed.success ? shownKey(pathKey(parsed.data)) : "?";
}

function rest(payload: Moment["event"]["payload"], paths: readonly string[]): string {
  if (typeof payload.count === "number") return count(payload.count, "path");
  return paths.length > 2 ? ` and ${paths.length - 2} more` : "";
}

function howMany(payload: Moment["event"]["payload"]): string {
  const many = Array.isArray(payload.changes) ? payload.changes.length : Number(payload.count);
  return count(many, "change");
}

function endWords(payload: Moment["event"]["payload"]): string {
  if (typeof payload.exit === "number") return payload.exit === 0 ? "well" : `exit ${payload.exit}`;
  return String(payload.status);
}

function targetWords(target: unknown): string {
  const parsed = TargetShape.safeParse(target);
  if (!parsed.success) return "something";
  const aim = parsed.data;
  if ("seq" in aim) return `event ${aim.seq}`;
  if ("since" in aim) return `everything after event ${aim.since}`;
  const [kind = "call"] = Object.keys(aim);
  return `a ${kind === "call" ? "command" : kind}`;
}
