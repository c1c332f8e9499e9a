import { shownPath } from "@choiros/computer";
import { type Envelope, type KnownEvent, pathKey, plainList, recognise } from "@choiros/contract";
import { Moves } from "@choiros/gateway/operations";
import { count, plain, shorten } from "./plain.ts";

/** An event in one line: number, time, who, what, and what it was about; with the command that it called, if any. */
export function eventLine(event: Envelope, command?: string): string {
  const time = plain(event.ts)
    .replace("T", " ")
    .replace(/\.\d+Z$/, "Z");
  const known = recognise(event);
  const about = known.ok ? (command ?? aboutOf(known.value)) : "(of a newer version)";
  const columns = [String(event.seq).padStart(6), time, plain(event.source).padEnd(6), plain(event.type).padEnd(18)];
  return `${columns.join("  ")}  ${shorten(plain(about), 120)}`.trimEnd();
}

function aboutOf(event: KnownEvent): string {
  const { payload } = event;
  if ("changes" in payload) return namesOf(payload.changes);
  if ("count" in payload) return count(payload.count, "path");
  switch (event.type) {
    case "log.created":
      return event.payload.log_id;
    case "message":
      return "text" in event.payload ? event.payload.text : `${event.payload.content.size} bytes`;
    case "task.planned":
      return event.payload.instruction;
    case "tool.result":
      return resultText(event.payload);
    case "task.finished":
    case "deploy.result":
      return event.payload.status;
    case "tool.call":
      return event.payload.tool;
    case "model.asked":
      return event.payload.model;
    case "model.call":
      return `${event.payload.model}, ${event.payload.status}`;
    case "approval.asked":
      return plainList(event.payload.covers);
    case "approval.given":
      return answerText(event.payload.decision, event.source);
    case "checkpoint.created":
      return event.payload.message;
    case "receipt.check":
      return `${event.payload.command} (exit ${event.payload.exit})`;
    case "receipt.net":
      return `${event.payload.host}:${event.payload.port}${event.payload.allowed ? "" : ", refused"}`;
    default:
      return "";
  }
}

/** What the system denied nobody did: it was given up while it waited. */
function answerText(decision: string, source: string): string {
  return decision === "denied" && source === "system" ? "closed without an answer" : decision;
}

function resultText({ status, exit, reason }: Extract<KnownEvent, { type: "tool.result" }>["payload"]): string {
  const ended = exit === undefined ? status : `${status}, exit ${exit}`;
  return reason === undefined ? ended : `${ended}: ${reason}`;
}

type Changed = Extract<KnownEvent["payload"], { changes: unknown }>["changes"][number];

/** What moved is named once, with where it went. */
function namesOf(changes: readonly Changed[]): string {
  const moves = new Moves();
  for (const change of changes) if ("path" in change) moves.add({ ...change, key: pathKey(change.path) });
  const moved = moves.found();
  const gone = new Set([...moved.values()].map(({ key }) => key));
  return changes
    .map((change) => ("key" in change ? { name: `name:${change.key}` } : { key: pathKey(change.path) }))
    .flatMap((one) => {
      if ("name" in one) return one.name;
      const origin = moved.get(one.key);
      if (origin !== undefined) return `renamed ${shownPath(origin.key)} -> ${shownPath(one.key)}`;
      return gone.has(one.key) ? [] : shownPath(one.key);
    })
    .join(", ");
}
