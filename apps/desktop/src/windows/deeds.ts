import type { WindowState, WindowValue } from "@choiros/contract";
import { canonicalise } from "@choiros/contract/canonical";
import { type Box, hangsOver, hasCards, reachable, type Screen, standing } from "./box.ts";
import { boxOfZone, isPart } from "./snap.ts";
import { spotFor } from "./spot.ts";

/** What can be done to windows. Each function says what becomes of which, as one event; nothing is changed here. */

/** What a window shows, in its app's own words. */
export type Args = WindowValue["args"];

export type Windows = ReadonlyMap<string, WindowValue>;

export interface Deed {
  readonly as: "open" | "close" | "change" | "focus";
  readonly changes: readonly { readonly id: string; readonly after: WindowValue | null }[];
}

/** The windows after it. */
export function done(windows: Windows, { changes }: Deed): Windows {
  const next = new Map(windows);
  for (const { id, after } of changes) {
    if (after === null) next.delete(id);
    else next.set(id, after);
  }
  return next;
}

interface New {
  readonly id: string;
  readonly app: string;
  readonly title: string;
  readonly args: Args;
  readonly size: { readonly w: number; readonly h: number };
}

/** As large as its app wants it, whatever this screen has room for. */
export function open(windows: Windows, { id, size, ...what }: New, screen: Screen): Deed {
  const inSight = inOrder(windows).filter(([, { state }]) => state !== "minimised");
  const others = inSight.map(([, window]) => (hasCards(screen) ? window.box : shownBox(window, screen))).reverse();
  const box = { ...spotFor(size, others, screen), ...size };
  return { as: "open", changes: [{ id, after: { ...what, box, state: "normal", z: nextZ(windows) } }] };
}

export function close(ids: readonly string[]): Deed {
  return { as: "close", changes: ids.map((id) => ({ id, after: null })) };
}

/** To the front, also out of where it was laid away; `undefined` where it is there. */
export function bringToFront(windows: Windows, id: string): Deed | undefined {
  const window = windows.get(id);
  if (window === undefined || frontOf(windows) === id) return undefined;
  return { as: "focus", changes: [{ id, after: shown({ ...window, z: nextZ(windows) }) }] };
}

/** Where a gesture left it: at the front, and of no zone any more. */
export function place(windows: Windows, id: string, box: Box, screen: Screen): Deed | undefined {
  const hangs = hangsOver(box, screen) ? ({ hangs: true } as const) : {};
  return change(windows, id, { box, state: "normal", ...hangs }, ["was", "hangs"]);
}

/** The box stays: that is where it comes back to. */
export function put(windows: Windows, id: string, state: WindowState): Deed | undefined {
  const window = windows.get(id);
  if (window === undefined || window.state === state) return undefined;
  if (state === "maximised" && isPart(window.state)) return change(windows, id, { state, was: window.state });
  if (state !== "minimised") return change(windows, id, { state });
  const { state: was, ...rest } = window;
  return { as: "change", changes: [{ id, after: { ...rest, state, ...(was !== "minimised" && { was }) } }] };
}

/** Back to the half or the quarter it had been, too. */
export function toggleMaximised(windows: Windows, id: string): Deed | undefined {
  const window = windows.get(id);
  return put(windows, id, window?.state === "maximised" ? (window.was ?? "normal") : "maximised");
}

/** Its title, or what it shows. It stays where it is. */
export function amend(windows: Windows, id: string, news: { title?: string; args?: Args }): Deed | undefined {
  const window = windows.get(id);
  if (window === undefined) return undefined;
  const after = { ...window, ...news };
  return same(after, window) ? undefined : { as: "change", changes: [{ id, after }] };
}

/** All of them away; where none is in sight, those back that went so, or all where nobody knows which did. */
export function showDesktop(windows: Windows, aside: ReadonlySet<string> = new Set()): Deed | undefined {
  const inSight = inOrder(windows).filter(([, { state }]) => state !== "minimised");
  const known = [...windows].filter(([id]) => aside.has(id));
  const changes =
    inSight.length > 0
      ? inSight.flatMap(([id]) => put(windows, id, "minimised")?.changes ?? [])
      : (known.length > 0 ? known : [...windows]).map(([id, window]) => ({ id, after: shown(window) }));
  return changes.length === 0 ? undefined : { as: "change", changes };
}

/** From the back to the front. */
export function inOrder(windows: Windows): [id: string, window: WindowValue][] {
  return [...windows].sort(([id, one], [other, two]) => one.z - two.z || (id < other ? -1 : 1));
}

/** The nearest that isn't laid away. */
export function frontOf(windows: Windows): string | undefined {
  return inOrder(windows).findLast(([, { state }]) => state !== "minimised")?.[0];
}

/** As the switcher goes through them: the front one first, then the nearest, also what is laid away. */
export function inTurn(windows: Windows): string[] {
  const [front, ids] = [frontOf(windows), inOrder(windows).map(([id]) => id)];
  return [...ids.filter((id) => id !== front), ...(front === undefined ? [] : [front])].reverse();
}

/** Where it is drawn on this screen. One that is laid away has the place it would come back to. */
export function shownBox(window: WindowValue, screen: Screen): Box {
  const state = window.state === "minimised" ? (window.was ?? "normal") : window.state;
  if (hasCards(screen)) return boxOfZone("maximised", screen);
  return state === "normal" ? freeBox(window, screen) : boxOfZone(state, screen);
}

/** Where it stands on this screen when it is of no zone. */
export function freeBox({ box, hangs }: WindowValue, screen: Screen): Box {
  return hangs === true ? reachable(box, screen) : standing(box, screen);
}

/** Also brings it to the front. */
function change(
  windows: Windows,
  id: string,
  news: Partial<WindowValue>,
  over: readonly ("was" | "hangs")[] = ["was"],
): Deed | undefined {
  const window = windows.get(id);
  if (window === undefined) return undefined;
  const z = frontOf(windows) === id ? window.z : nextZ(windows);
  const after: WindowValue = { ...window };
  for (const word of over) delete after[word];
  Object.assign(after, news, { z });
  return same(after, window) ? undefined : { as: "change", changes: [{ id, after }] };
}

function shown(window: WindowValue): WindowValue {
  if (window.state !== "minimised") return window;
  const { was = "normal", ...rest } = window;
  return { ...rest, state: was };
}

function nextZ(windows: Windows): number {
  return Math.max(0, ...[...windows.values()].map(({ z }) => z)) + 1;
}

function same(one: WindowValue, two: WindowValue): boolean {
  return canonicalise(one) === canonicalise(two);
}
