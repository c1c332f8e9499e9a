import { type Cause, type Draft, newId, parentKey } from "@choiros/contract";
import { LogError, messageOf } from "@choiros/log";
import type { WindowAct } from "./actions/change-windows.ts";
import { carry } from "./change-list.ts";
import type { ActOptions, Watching } from "./computer-port.ts";
import { landingPages } from "./landing-pages.ts";
import type { Blocked, Change, Outcome } from "./outcome.ts";
import type { Parts } from "./parts.ts";
import type { LandingOptions } from "./reconciler.ts";
import { shownPath } from "./shown-path.ts";

/** The type of an event that changes files, and what it says besides the changes. */
export type Act = {
  [Type in FileEvent]: { readonly type: Type; readonly extra: Omit<PayloadOf<Type>, "changes" | "count" | "list"> };
}[FileEvent];

type FileEvent =
  | "file.write"
  | "file.delete"
  | "file.move"
  | "dir.create"
  | "dir.delete"
  | "dir.move"
  | "files.changed"
  | "settings.change"
  | "undo"
  | `window.${WindowAct}`;
type PayloadOf<Type> = Extract<Extract<Draft, { type: Type }>["payload"], { changes: unknown }>;

export interface CommitOptions extends ActOptions, Pick<Watching, "onProgress">, Pick<LandingOptions, "moved"> {
  readonly notes?: readonly string[];
}

/**
 * Makes changes true: one event, then the state, then the folder. Called in the computer's turn, with changes whose
 * `before` is what stands. Once the event is in the log it has happened, whatever the folder can take.
 */
export async function commit(
  parts: Parts,
  act: Act,
  changes: readonly Change[],
  options: CommitOptions = {},
): Promise<Outcome> {
  const { log, contents } = parts;
  const tooMuch = await options.mayLand?.(changes);
  if (tooMuch !== undefined) return { ok: false, reason: "limit", message: tooMuch };
  const cause: Cause & { call: string } = { ...options.cause, call: options.cause?.call ?? newId() };
  const payload = { ...(await carry(contents, changes)), ...act.extra };
  const { source = "user", id } = options;
  // The union of types and payloads is what `Act` is made from; TypeScript can't follow it through the spread.
  options.signal?.throwIfAborted(); // from here on it has happened
  const draft = { source, type: act.type, cause, payload, ...(id !== undefined && { id }) } as Draft;
  const appended = await log.append(draft);
  if (!appended.ok) {
    if (appended.reason !== "conflict") return { ok: false, reason: "invalid", message: appended.message };
    throw new LogError("misuse", appended.message);
  }
  const done = { ok: true, seq: appended.seq, call: cause.call, changed: changes.length } as const;
  if (appended.repeated) return { ...done, blocked: [], notes: ["this had been done before, and was not done again"] };
  const landed = await land(parts, appended.seq, changes, options);
  return { ...done, blocked: landed.blocked, notes: [...(options.notes ?? []), ...landed.notes] };
}

/** The event is in the log by now: what goes wrong from here on is told, and tried again, and undoes nothing. */
async function land(
  parts: Parts,
  seq: number,
  changes: readonly Change[],
  { moved, onProgress }: CommitOptions,
): Promise<Landed> {
  const { projector, reconciler, folder } = parts;
  const notes: string[] = [];
  const total = changes.length;
  let done = 0;
  try {
    await projector.reached(seq);
    for (const keys of landingPages(changes)) {
      const onLanded = (more: number) => onProgress?.({ what: "writing to the folder", done: done + more, total });
      const landed = await reconciler.land(keys, { moved: done === 0 ? moved : [], onLanded });
      for (const note of landed.notes) notes.push(note);
      done += keys.length;
    }
    const blocked = reconciler.blocked();
    if (blocked.length === 0) await folder.setSynced(seq);
    const ours = blocked.length === 0 ? NONE : new Set(changes.map(keyOf));
    return { blocked: blocked.filter(({ key }) => ours.has(key)), notes };
  } catch (error) {
    const why = messageOf(error);
    const keys = changes.flatMap((change) => ("name" in change ? [] : [change.key]));
    reconciler.block(keys, why);
    return { blocked: keys.map((key) => ({ key, why })), notes };
  }
}

const NONE: ReadonlySet<string> = new Set();

/** The changes, and a directory for each one above them that isn't there yet. */
export async function withParents(
  parts: Parts,
  changes: readonly Change[],
): Promise<readonly Change[] | { readonly why: string }> {
  const made = new Map(changes.flatMap((change) => ("name" in change ? [] : [[change.key, change.after] as const])));
  const missing = new Set<string>();
  for (const [key, after] of made) {
    if (after === null) continue;
    for (let up = parentDirectory(key); up !== undefined && !made.has(up) && !missing.has(up); up = parentDirectory(up))
      missing.add(up);
  }
  const there = await parts.state.entries([...missing]);
  const directories: Change[] = [];
  for (const key of missing) {
    const entry = there.get(key);
    if (entry === undefined) directories.push({ key, before: null, after: { kind: "dir", mode: 0o755 } });
    else if (entry.kind !== "dir") return { why: `${shownPath(key)} is a ${entry.kind}, and nothing can be in it` };
  }
  return [...directories, ...changes];
}

function keyOf(change: Change): string {
  return "name" in change ? change.name : change.key;
}

type Landed = { readonly blocked: readonly Blocked[]; readonly notes: readonly string[] };

/** The directory above, where it is an entry: areas are none. */
function parentDirectory(key: string): string | undefined {
  const parent = parentKey(key);
  return parent?.includes("/") ? parent : undefined;
}
