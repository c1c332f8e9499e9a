import { type EventType, Path, Source } from "@choiros/contract";
import { z } from "zod";
import type { EventQuery } from "../../desk/api.ts";

/** What can be asked for by kind, as people call it. */
export const KINDS = {
  asks: { label: "Asks and messages", types: ["message"] },
  tasks: {
    label: "Tasks",
    types: ["task.planned", "task.approved", "task.denied", "task.started", "task.finished"],
  },
  commands: { label: "Commands", types: ["tool.call", "tool.result"] },
  files: {
    label: "Files",
    types: ["file.write", "file.delete", "file.move", "dir.create", "dir.delete", "dir.move", "files.changed"],
  },
  undos: { label: "Undos", types: ["undo"] },
  approvals: { label: "Approvals", types: ["approval.asked", "approval.given"] },
  checkpoints: { label: "Checkpoints", types: ["checkpoint.created"] },
  models: { label: "Models", types: ["model.asked", "model.call"] },
  notes: { label: "Notes", types: ["note.observed", "note.supposed", "note.asked"] },
  receipts: { label: "Checks and network", types: ["receipt.check", "receipt.net"] },
  windows: { label: "Windows", types: ["window.open", "window.close", "window.change", "window.focus"] },
  settings: { label: "Settings", types: ["settings.change"] },
} as const satisfies Record<string, { readonly label: string; readonly types: readonly EventType[] }>;
export type Kind = keyof typeof KINDS;

export const SOURCES: Readonly<Record<Source, string>> = { user: "You", agent: "Agents", system: "System" };

/** How long ago, in minutes. */
export const AGES = {
  hour: { label: "Last hour", minutes: 60 },
  day: { label: "Last 24 hours", minutes: 24 * 60 },
  week: { label: "Last 7 days", minutes: 7 * 24 * 60 },
  month: { label: "Last 30 days", minutes: 30 * 24 * 60 },
} as const;
export type Age = keyof typeof AGES;

/** As the fields have it; part of a window's args, so that it is the same after a reload. */
const FilterShape = z.object({
  age: z.enum(["hour", "day", "week", "month"]).exactOptional(),
  /** Everything of one ask, task or call. */
  cause: z.object({ id: z.string(), kind: z.enum(["ask", "task", "call"]) }).exactOptional(),
  kind: z.string().refine(isKind).exactOptional(),
  path: z.string().exactOptional(),
  /** As a field for a time on somebody's own clock writes it; instead of an age. */
  since: z.string().exactOptional(),
  source: Source.exactOptional(),
  text: z.string().exactOptional(),
  until: z.string().exactOptional(),
});
export type Filter = z.infer<typeof FilterShape>;

export const NO_FILTER: Filter = {};

/** Of args that somebody else made, or a newer desk, nothing is taken. */
export function parseFilter(value: unknown): Filter {
  return FilterShape.safeParse(value).data ?? NO_FILTER;
}

/** The same, with what says nothing left out. */
export function withField<Name extends keyof Filter>(filter: Filter, name: Name, value: Filter[Name] | ""): Filter {
  const { [name]: _, ...rest } = filter;
  return value === undefined || value === "" ? rest : { ...rest, [name]: value };
}

export type Query = Omit<EventQuery, "from" | "to" | "limit" | "newest">;

/** What the server is asked for; `undefined` where everything is wanted. */
export function queryOf(filter: Filter, now: Date): Query | undefined {
  const { age, cause, kind, source, text = "" } = filter;
  const since = age === undefined ? timeOf(filter.since) : new Date(now.getTime() - AGES[age].minutes * 60_000);
  const until = age === undefined ? timeOf(filter.until) : undefined;
  const query: Query = {
    ...(cause !== undefined && { cause: { [cause.kind]: cause.id } }),
    ...whereOf(filter.path ?? ""),
    ...(kind !== undefined && isKind(kind) && { type: KINDS[kind].types }),
    ...(since !== undefined && { since: since.toISOString() }),
    ...(source !== undefined && { source: [source] }),
    ...(text.trim() !== "" && { text: text.trim().slice(0, 1000) }),
    ...(until !== undefined && { until: until.toISOString() }),
  };
  return Object.keys(query).length === 0 ? undefined : query;
}

/** From the root, with a slash, it is one path and what is below it; else what a path has in it. */
export function whereOf(path: string): Pick<EventQuery, "key" | "named"> {
  const trimmed = path.trim().replace(/^\.\//, "").replace(/\/+$/, "");
  if (trimmed === "") return {};
  const key = trimmed.startsWith("/") ? trimmed.slice(1) : "";
  const isKey = /^(?:workspace|artifacts|choiros)(?:\/|$)/.test(key) && Path.safeParse(key).success;
  return isKey ? { key } : { named: trimmed.slice(0, 1000) };
}

/** The event that somebody names, by its number or by a link to it: `#12`, `event 12`. */
export function namedEvent(text: string): number | undefined {
  const [, link, number] =
    /^(?:\S*#(?:\S*&)?event=(\d{1,15})(?:&\S*)?|(?:event\s+|#)(\d{1,15}))$/i.exec(text.trim()) ?? [];
  const seq = Number(link ?? number);
  return seq >= 1 ? seq : undefined;
}

function isKind(kind: string): kind is Kind {
  return Object.hasOwn(KINDS, kind);
}

function timeOf(local: string | undefined): Date | undefined {
  const date = new Date(local ?? "");
  return Number.isNaN(date.getTime()) ? undefined : date;
}
