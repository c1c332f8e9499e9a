import type { Entry, Kept, KeyChange, PathChange } from "./change.ts";
import type { ContentRef } from "./content.ts";
import type { KnownEvent } from "./envelope.ts";

/** The contents an event names. `list` is a list of changes, whose own contents `referencesOfChanges` names. */
export interface References {
  readonly contents: readonly ContentRef[];
  readonly list?: ContentRef;
}

export function references(event: KnownEvent): References {
  const { payload } = event;
  const kept = event.type === "undo" ? listOfKept(event.payload.kept) : [];
  if ("changes" in payload) return { contents: [...referencesOfChanges(payload.changes), ...kept] };
  if ("list" in payload) return { contents: [payload.list, ...kept], list: payload.list };
  switch (event.type) {
    case "message":
      return { contents: "content" in event.payload ? [event.payload.content] : [] };
    case "ask.answered":
      return { contents: [event.payload.answer] };
    case "task.finished":
      return { contents: [event.payload.summary] };
    case "model.asked":
      return { contents: [event.payload.request] };
    case "model.call":
      return { contents: present(event.payload.request, event.payload.response) };
    case "approval.asked":
      return { contents: present(event.payload.whole) };
    case "tool.call":
      return { contents: [event.payload.input] };
    case "tool.result":
    case "deploy.result":
    case "receipt.check":
      return { contents: present(event.payload.output) };
    case "note.observed":
    case "note.supposed":
    case "note.asked":
      return { contents: [event.payload.content] };
    default:
      return { contents: [] };
  }
}

export function referencesOfChanges(changes: readonly (PathChange | KeyChange)[]): ContentRef[] {
  return changes.flatMap((change) => ("path" in change ? present(...[change.before, change.after].map(content)) : []));
}

function listOfKept(kept: Kept | undefined): ContentRef[] {
  return kept !== undefined && "list" in kept ? [kept.list] : [];
}

function content(entry: Entry | null): ContentRef | undefined {
  return entry === null || entry.kind === "dir" ? undefined : { hash: entry.hash, size: entry.size };
}

function present(...refs: (ContentRef | null | undefined)[]): ContentRef[] {
  return refs.filter((ref) => ref !== null && ref !== undefined);
}
