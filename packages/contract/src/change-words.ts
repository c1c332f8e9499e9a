import { KeyChange, PathChange } from "./change.ts";
import type { Envelope } from "./envelope.ts";
import { Path } from "./path.ts";
import { pathKey } from "./path-key.ts";
import { plain } from "./plain.ts";
import { SYSTEM_KEYS } from "./system.ts";
import { isWindowKey } from "./window-key.ts";

/** What an event changed, without another read: the first by name, and what became of all of them. */
export interface ChangeWords {
  readonly text: string;
  /** As in "new", "deleted", "moved". */
  readonly verb?: string;
}

type Payload = Envelope["payload"];
type Way = "new" | "deleted" | "moved" | "changed";

interface Changed {
  readonly text: string;
  readonly way: Way;
  readonly isFolder?: boolean;
}

/** `undone`: of what the changes took back, and what became of that, as in "removed". `undefined` where the event has no changes. */
export function changeWords(payload: Payload, undone = false): ChangeWords | undefined {
  if (typeof payload.count === "number") return { text: count(payload.count, "path") };
  if (!Array.isArray(payload.changes)) return undefined;
  const paths = payload.changes.flatMap((change) => PathChange.safeParse(change).data ?? []);
  const keys = payload.changes.flatMap((change) => KeyChange.safeParse(change).data ?? []);
  const all = [...pathsIn(undone ? paths.map(turned) : paths), ...kindsOf(keys)];
  const more = all.length > 2 ? ` and ${all.length - 2} more` : "";
  const text = `${all.slice(0, 2).map((one) => one.text).join(", ")}${more}`; // biome-ignore format: in one line
  return paths.length === 0 ? { text } : { text, verb: undone ? backOf(all) : verbOf(all) };
}

/** In a few words, as in "letters (new folder)"; what is only changed needs no word for that. */
export function namedChanges(payload: Payload, undone = false): string | undefined {
  const words = changeWords(payload, undone);
  if (words?.verb === undefined || words.verb === "changed") return words?.text;
  return `${words.text} (${words.verb})`;
}

/** As people and the command line write it: from the workspace, or from the root with a slash. */
export function shownKey(key: string): string {
  return plain(key.startsWith("workspace/") ? key.slice("workspace/".length) : `/${key}`);
}

export function shownPath(path: unknown): string {
  const parsed = Path.safeParse(path);
  return parsed.success ? shownKey(pathKey(parsed.data)) : "?";
}

const number = new Intl.NumberFormat("en");

export function count(many: number, one: string): string {
  return `${number.format(many)} ${many === 1 ? one : `${one}s`}`;
}

function turned({ after, before, path }: PathChange): PathChange {
  return { after: before, before: after, path };
}

/** What is gone, and is new elsewhere with the same bytes, was moved. */
function pathsIn(changes: readonly PathChange[]): Changed[] {
  const folder = movedFolder(changes);
  if (folder !== undefined) return [{ text: folder.map(shownKey).join(" → "), way: "moved" }];
  const gone = new Map(changes.flatMap(({ after, before, path }) => (after === null ? [[hashOf(before), path]] : [])));
  const moved = new Map<Path, Path>();
  for (const { after, before, path } of changes) {
    const from = before === null ? gone.get(hashOf(after)) : undefined;
    if (from === undefined || hashOf(after) === undefined) continue;
    moved.set(path, from);
    gone.delete(hashOf(after));
  }
  const left = new Set(moved.values());
  const onTheWay = foldersOnTheWay(changes);
  return changes.flatMap(({ after, before, path }): Changed[] => {
    const from = moved.get(path);
    if (from !== undefined) return [{ text: `${shownPath(from)} → ${shownPath(path)}`, way: "moved" }];
    if (left.has(path) || onTheWay.has(pathKey(path))) return [];
    const part = SYSTEM_PARTS.get(pathKey(path));
    if (part !== undefined) return [{ text: part, way: "changed" }]; // there is one also where there is no file
    const way = before === null ? "new" : after === null ? "deleted" : "changed";
    return [{ text: shownPath(path), way, isFolder: (after ?? before)?.kind === "dir" }];
  });
}

/** What the desktop is made of, as people say it. */
const SYSTEM_PARTS: ReadonlyMap<string, string> = new Map([
  [SYSTEM_KEYS.apps, "Apps"],
  [SYSTEM_KEYS.layout, "Layout"],
  [SYSTEM_KEYS.theme, "Theme"],
  [SYSTEM_KEYS.wallpaper, "Wallpaper"],
]);

/** New folders with one new thing in each: they were made for that one. */
function foldersOnTheWay(changes: readonly PathChange[]): ReadonlySet<string> {
  const made = changes.filter(({ before }) => before === null).map(({ path }) => pathKey(path));
  const inside = new Map<string, number>();
  for (const key of made) {
    const over = key.slice(0, Math.max(0, key.lastIndexOf("/")));
    inside.set(over, (inside.get(over) ?? 0) + 1);
  }
  return new Set(made.filter((key) => inside.get(key) === 1));
}

/** From where to where, if all that changed is one folder that went elsewhere with everything in it. */
function movedFolder(changes: readonly PathChange[]): readonly [string, string] | undefined {
  const gone = new Map(changes.flatMap(({ after, before, path }) => (after === null ? [[pathKey(path), before]] : [])));
  const made = new Map(changes.flatMap(({ after, before, path }) => (before === null ? [[pathKey(path), after]] : [])));
  const [from, to] = [shortest(gone.keys()), shortest(made.keys())];
  if (from === undefined || to === undefined || gone.get(from)?.kind !== "dir") return undefined;
  if (gone.size !== made.size || gone.size + made.size !== changes.length) return undefined;
  for (const [key, entry] of gone) {
    const other = key === from || key.startsWith(`${from}/`) ? made.get(to + key.slice(from.length)) : undefined;
    if (other?.kind !== entry?.kind || hashOf(other ?? null) !== hashOf(entry)) return undefined;
  }
  return [from, to];
}

function shortest(keys: Iterable<string>): string | undefined {
  const [first, ...others] = keys;
  return first && others.reduce((best, key) => (key.length < best.length ? key : best), first);
}

function hashOf(entry: PathChange["after"]): string | undefined {
  return entry === null || entry.kind === "dir" ? undefined : entry.hash;
}

/** Settings and windows aren't told one by one. */
function kindsOf(keys: readonly KeyChange[]): Changed[] {
  const kinds = new Set(keys.map(({ key }) => (isWindowKey(key) ? "windows" : "settings")));
  return [...kinds].map((text) => ({ text, way: "changed" }));
}

function verbOf(all: readonly Changed[]): string {
  const [first] = all;
  if (first === undefined || !all.every(({ way }) => way === first.way)) return "changed";
  if (!all.every(({ isFolder }) => isFolder) || first.way === "changed") return first.way;
  const folders = all.length === 1 ? "folder" : "folders";
  return first.way === "new" ? `new ${folders}` : `${folders} ${first.way}`;
}

const BACK: { readonly [way in Way]: string } = {
  changed: "changed",
  deleted: "brought back",
  moved: "moved back",
  new: "removed",
};

/** What was new is gone by an undo: whoever reads "new" of it would look for it. */
function backOf(all: readonly Changed[]): string {
  const [first] = all;
  if (first === undefined || !all.every(({ way }) => way === first.way)) return "changed";
  const back = BACK[first.way];
  if (first.way === "changed" || !all.every(({ isFolder }) => isFolder)) return back;
  return `${all.length === 1 ? "folder" : "folders"} ${back}`;
}
