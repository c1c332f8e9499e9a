import { shownPath } from "@choiros/computer";
import { type Envelope, type KnownEvent, pathKey, recognise } from "@choiros/contract";
import { plain, shorten } from "./plain.ts";

/** An event in one line: number, time, who, what, and what it was about. */
export function eventLine(event: Envelope): string {
  const time = plain(event.ts)
    .replace("T", " ")
    .replace(/\.\d+Z$/, "Z");
  const known = recognise(event);
  const about = known.ok ? aboutOf(known.value) : "(of a newer version)";
  const columns = [String(event.seq).padStart(6), time, plain(event.source).padEnd(6), plain(event.type).padEnd(18)];
  return `${columns.join("  ")}  ${shorten(plain(about), 120)}`.trimEnd();
}

function aboutOf(event: KnownEvent): string {
  const { payload } = event;
  if ("changes" in payload) return payload.changes.map(nameOf).join(", ");
  if ("count" in payload) return `${payload.count} paths`;
  switch (event.type) {
    case "log.created":
      return event.payload.log_id;
    case "message":
      return "text" in event.payload ? event.payload.text : `${event.payload.content.size} bytes`;
    case "task.planned":
      return event.payload.instruction;
    case "task.finished":
    case "tool.result":
    case "deploy.result":
      return event.payload.status;
    case "tool.call":
      return event.payload.tool;
    case "model.call":
      return `${event.payload.model}, ${event.payload.status}`;
    case "approval.asked":
      return event.payload.covers;
    case "approval.given":
      return event.payload.decision;
    case "checkpoint.created":
      return event.payload.message;
    case "receipt.check":
      return `${event.payload.command} (exit ${event.payload.exit})`;
    case "receipt.net":
      return `${event.payload.host}:${event.payload.port}`;
    default:
      return "";
  }
}

function nameOf(change: { key: string } | { path: Parameters<typeof pathKey>[0] }): string {
  return "key" in change ? `name:${change.key}` : shownPath(pathKey(change.path));
}
