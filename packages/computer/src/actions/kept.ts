import {
  type Doing,
  type KeptChange,
  pathFromKey,
  recognise,
  type Taken,
  takenBackBy,
  type UndoValue,
} from "@choiros/contract";
import type { Query } from "@choiros/log";
import { changesOf } from "../change-list.ts";
import { readKept } from "../kept-list.ts";
import type { Change } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import { shownPlace } from "../shown-path.ts";

/** How it is taken back now, by exactly what each undo kept. */
export async function takenBackNow(parts: Parts, doing: Doing): Promise<Taken | undefined> {
  const undos: UndoValue[] = [];
  for await (const rows of parts.state.rows("undo"))
    for (const { value } of rows) undos.push(await withList(parts, value as UndoValue)); // only written by the reducer
  return takenBackBy(undos, doing);
}

async function withList({ contents, log }: Parts, undo: UndoValue): Promise<UndoValue> {
  if (typeof undo.kept !== "number") return undo;
  for await (const event of log.read({ from: undo.seq, to: undo.seq })) {
    const known = recognise(event);
    if (!known.ok || known.value.type !== "undo") continue;
    const { kept } = known.value.payload;
    if (kept !== undefined && "list" in kept) return { ...undo, kept: await readKept(contents, kept.list, undo.seq) };
  }
  return undo;
}

/** The changes of a target at these places: they weren't taken back. */
export async function keptChanges(parts: Parts, query: Query, places: readonly string[]): Promise<KeptChange[]> {
  if (places.length === 0) return [];
  const [kept, wanted] = [[] as KeptChange[], new Set(places)];
  for await (const event of parts.log.read(query)) {
    const known = recognise(event);
    if (!known.ok) continue;
    const { seq, cause } = known.value;
    for await (const slice of changesOf(parts.contents, known.value))
      for (const change of slice)
        if (wanted.has(placeOf(change))) kept.push({ ...keptAt(change), seq, ...(cause && { cause }) });
  }
  return kept;
}

export function placeOf(change: Change): string {
  return "name" in change ? change.name : change.key;
}

function keptAt(change: Change): { key: string } | Pick<Extract<KeptChange, { path: unknown }>, "path" | "dir"> {
  if ("name" in change) return { key: change.name };
  const isDir = (change.after ?? change.before)?.kind === "dir";
  return { path: pathFromKey(change.key), ...(isDir && { dir: true }) };
}

/** So many are named. */
const NAMED = 3;

/** What whoever undid it should know of that: what happened first, since a long name may be cut where it is shown. */
export function keptNotes(kept: readonly string[]): string[] {
  if (kept.length > NAMED) return [`Kept as they stand: ${kept.length} paths`];
  return kept.map((place) => `Kept as it stands: ${shownPlace(place)}`);
}
