import { type AskEvent, type AskValue, isOver, newAsk, newsOfAsk, type PendingValue, told } from "./ask-state.ts";
import type { Entry, KeyChange, PathChange } from "./change.ts";
import type { ContentRef } from "./content.ts";
import type { KnownEvent } from "./envelope.ts";
import type { Json } from "./json.ts";
import type { Path } from "./path.ts";
import { pathKey } from "./path-key.ts";
import type { Payload } from "./payloads.ts";
import type { Source } from "./source.ts";
import type { UndoValue } from "./taken-back.ts";
import { factsOfTask } from "./task-state.ts";
import { isWindowKey } from "./window-key.ts";

/** What a computer's state holds beside the tree. */
export const TABLES = [
  "window",
  "setting",
  "conversation",
  "message",
  "task",
  "checkpoint",
  "approval",
  "call",
  "ask",
  "pending",
  "undo",
] as const;
export type StateTable = (typeof TABLES)[number];

/** What is so from an event on: one path, or one key of a table. `null` where there is nothing any more. */
export type Fact =
  | { readonly table: "tree"; readonly key: string; readonly entry: Entry | null }
  | { readonly table: StateTable; readonly key: string; readonly value: Json };

/** One change by the key of its path, or by the name of a window or a setting; what stood before is no matter here. */
export type ChangeTo =
  | { readonly key: string; readonly after: Entry | null }
  | { readonly name: string; readonly after: Json };

/** The key is `messageKey`: those of one conversation stand together, in order. */
export type MessageValue = {
  readonly ask: string | null;
  readonly content: ContentRef | null;
  readonly conversation: string | null;
  readonly id: string;
  readonly paths: readonly Path[];
  readonly seq: number;
  readonly source: Source;
  /** `null` where it is too long for an event, and a content. */
  readonly text: string | null;
  readonly ts: string;
};

/** The key is the conversation's id. */
export type ConversationValue = {
  /** The seqs of its first and its last message. */
  readonly first: number;
  readonly last: number;
  readonly messages: number;
  readonly since: string;
  /** The beginning of what the user said first. */
  readonly title: string | null;
  readonly until: string;
};

/** The key is the commit's hash. */
export type CheckpointValue = {
  readonly at: number;
  readonly message: string;
  readonly seq: number;
  readonly ts: string;
  readonly why: Payload<"checkpoint.created">["why"];
};

/** The key is the approval's id. It stands from when it is asked for until it is answered. */
export type ApprovalValue = {
  readonly covers: string;
  readonly seq: number;
  readonly since: string;
};

/** The key is the call's id. It stands from when it is called until it has ended. */
export type CallValue = {
  readonly seq: number;
  readonly since: string;
  readonly tool: string;
};

/**
 * What an event makes so. `changes` is its list of changes or a part of it, in the event itself or read from contents;
 * `get` is what was so before. The server's tables and the browser's maps are both made from this, and from nothing else.
 */
export function factsOf(
  event: KnownEvent,
  changes: readonly ChangeTo[],
  get: (table: StateTable, key: string) => Json | undefined,
): Fact[] {
  if (event.type === "undo") return [...changes.map(factOfChange), factOfUndo(event)];
  if ("changes" in event.payload || "list" in event.payload) return changes.map(factOfChange);
  switch (event.type) {
    case "message":
      return factsOfMessage(event, get);
    case "task.planned":
    case "task.approved":
    case "task.denied":
    case "task.started":
    case "task.finished":
      return factsOfTask(event, get);
    case "checkpoint.created": {
      const { at, commit, message, why } = event.payload;
      const value: CheckpointValue = { at, message, seq: event.seq, ts: event.ts, why };
      return [{ table: "checkpoint", key: commit, value }];
    }
    case "approval.asked": {
      const { approval, covers } = event.payload;
      const value: ApprovalValue = { covers, seq: event.seq, since: event.ts };
      return [{ table: "approval", key: approval, value }, ...factsOfAsk(event, get)];
    }
    case "approval.given":
      return [{ table: "approval", key: event.payload.approval, value: null }, ...factsOfAsk(event, get)];
    case "ask.started":
    case "ask.steered":
    case "ask.wondered":
    case "ask.paused":
    case "ask.resumed":
    case "ask.left":
    case "ask.answered":
    case "model.call":
      return factsOfAsk(event, get);
    case "tool.call":
    case "tool.result":
      return factsOfCall(event);
    default:
      return [];
  }
}

/** A state in memory. Nobody changes its maps: `evolve` makes new ones. */
export type StateMaps = {
  readonly seq: number;
  readonly tree: ReadonlyMap<string, Entry>;
} & { readonly [Table in StateTable]: ReadonlyMap<string, Json> };

export const INITIAL_STATE: StateMaps = {
  seq: 0,
  tree: new Map(),
  window: new Map(),
  setting: new Map(),
  conversation: new Map(),
  message: new Map(),
  task: new Map(),
  checkpoint: new Map(),
  approval: new Map(),
  call: new Map(),
  ask: new Map(),
  pending: new Map(),
  undo: new Map(),
};

/** The state after one more event. Maps that the event says nothing about are the ones from before. */
export function evolve(
  state: StateMaps,
  event: KnownEvent,
  changes: readonly ChangeTo[] = inlineChanges(event),
): StateMaps {
  const facts = factsOf(event, changes, (table, key) => state[table].get(key));
  const next: Record<string, unknown> = { ...state, seq: event.seq };
  for (const [table, group] of Map.groupBy(facts, (fact) => fact.table)) {
    const map = new Map<string, Entry | Json>(state[table]);
    for (const fact of group) {
      const value = fact.table === "tree" ? fact.entry : fact.value;
      if (value === null) map.delete(fact.key);
      else map.set(fact.key, value);
    }
    next[table] = map;
  }
  return next as StateMaps; // each map was replaced by one of the same table's facts
}

/** The changes that stand in the event itself; of a long list there are none. */
export function inlineChanges({ payload }: KnownEvent): ChangeTo[] {
  if (!("changes" in payload)) return [];
  return payload.changes.map((change: PathChange | KeyChange) =>
    "path" in change ? { key: pathKey(change.path), after: change.after } : { name: change.key, after: change.after },
  );
}

/** Where a message stands: in its conversation, in order of seq. What belongs to none stands before all of them. */
export function messageKey(conversation: string | null, seq: number): string {
  return `${conversation ?? ""}/${String(seq).padStart(SEQ_DIGITS, "0")}`;
}

const SEQ_DIGITS = 16;

function factOfChange(change: ChangeTo): Fact {
  if ("key" in change) return { table: "tree", key: change.key, entry: change.after };
  return { table: isWindowKey(change.name) ? "window" : "setting", key: change.name, value: change.after };
}

/** By its seq, in order. */
function factOfUndo({ cause, payload, seq }: Event<"undo">): Fact {
  const { kept, target } = payload;
  const value: UndoValue = {
    ...{ cause: cause ?? null, seq, target },
    ...(kept !== undefined && { kept: "list" in kept ? kept.count : kept }),
  };
  return { table: "undo", key: String(seq).padStart(SEQ_DIGITS, "0"), value };
}

export type Event<Type extends KnownEvent["type"]> = Extract<KnownEvent, { type: Type }>;
export type Get = (table: StateTable, key: string) => Json | undefined;

function factsOfMessage({ id, seq, ts, source, cause, payload }: Event<"message">, get: Get): Fact[] {
  const text = "text" in payload ? payload.text : null;
  const content = "content" in payload ? payload.content : null;
  const conversation = cause?.conversation ?? null;
  const ask = cause?.ask ?? null;
  const value: MessageValue = { ask, content, conversation, id, paths: payload.paths ?? [], seq, source, text, ts };
  const message: Fact = { table: "message", key: messageKey(conversation, seq), value };
  if (conversation === null) return [message];
  const title = source === "user" && text !== null ? titleOf(text) : null;
  const begun: Fact[] =
    source === "user" && ask === id ? factsOfValue(id, newAsk({ seq, ts }, conversation, title)) : [];
  const former = get("conversation", conversation) as ConversationValue | null | undefined; // only written here
  const grown: ConversationValue = {
    first: former?.first ?? seq,
    last: seq,
    messages: (former?.messages ?? 0) + 1,
    since: former?.since ?? ts,
    title: former?.title ?? title,
    until: ts,
  };
  return [message, ...begun, { table: "conversation", key: conversation, value: grown }];
}

const TITLE_CHARACTERS = 80;

function titleOf(text: string): string | null {
  const line = named(text.trim().split("\n", 1)[0]?.trim() ?? "");
  const characters = Array.from(line.slice(0, (TITLE_CHARACTERS + 1) * 2)); // each is one or two
  if (characters.length <= TITLE_CHARACTERS) return line === "" ? null : line;
  return `${characters.slice(0, TITLE_CHARACTERS - 1).join("")}…`;
}

/** Of a path its last name, and without the word by which what it is about was begun. */
function named(line: string): string {
  return line
    .replace(/^about\s+(?=@|“|event \d|lines? \d)/, "")
    .replace(/@(?:"([^"]+)"|([^\s"@]+\/[^\s"@]*))/g, (_, quoted?: string, bare?: string) => {
      const path = quoted ?? bare ?? "";
      return path.split("/").findLast((part) => part !== "") ?? path;
    });
}

/** An event about an ask that nobody began says nothing. */
function factsOfAsk(event: AskEvent, get: Get): Fact[] {
  const { ask } = event.cause ?? {};
  const about = (key: string | undefined, next: (value: AskValue) => AskValue): Fact[] => {
    const former = key === undefined ? undefined : (get("ask", key) as AskValue | null | undefined); // only written here
    return key === undefined || !former ? [] : factsOfValue(key, next(former), former);
  };
  const own = about(ask, (value) => newsOfAsk(value, event));
  return event.type === "ask.steered" ? [...own, ...about(event.payload.into, told)] : own;
}

/** What isn't over stands apart too: whoever looks for it needn't look at all there ever was. */
function factsOfValue(key: string, value: AskValue, former?: AskValue): Fact[] {
  const ask: Fact = { table: "ask", key, value };
  if (former?.status === value.status && former.begun === value.begun) return [ask];
  const { begun, status } = value;
  const pending: PendingValue | null = isOver(status) ? null : { begun, status };
  return [ask, { table: "pending", key, value: pending }];
}

function factsOfCall(event: Event<"tool.call" | "tool.result">): Fact[] {
  const key = event.cause?.call;
  if (key === undefined) return [];
  if (event.type === "tool.result") return [{ table: "call", key, value: null }];
  const value: CallValue = { seq: event.seq, since: event.ts, tool: event.payload.tool };
  return [{ table: "call", key, value }];
}
