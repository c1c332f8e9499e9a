import type { Layout } from "@choiros/contract";
import type { Manifest } from "../apps/app.ts";
import type { Cell } from "./icon-grid.ts";

/** What lies in a cell of the desktop. */
export type Spot = NonNullable<Layout["icons"]>[number];

/** The same for the same thing, wherever it lies. */
export function idOf(spot: Spot): string {
  return `icon-${"key" in spot ? spot.key : `${spot.app} ${JSON.stringify(spot.args ?? {})}`}`;
}

/** Where no layout says what lies there: every app, column after column. */
export function everyApp(list: readonly Manifest[], room: Cell): Spot[] {
  return list
    .filter(({ hidden }) => hidden !== true)
    .map(({ id }, i) => ({ app: id, column: Math.floor(i / room.row), row: i % room.row }));
}

/** With these, too, from that cell on. What lies there already isn't put there twice: it stays, or comes to that cell. */
export function withKeys(spots: readonly Spot[], keys: readonly string[], at?: Cell): Spot[] {
  const there = new Map(spots.map((spot) => [idOf(spot), spot]));
  const put = keys.map((key): Spot => {
    const spot = { key, column: 0, row: 0 };
    return { ...(there.get(idOf(spot)) ?? spot), ...at };
  });
  if (at === undefined) return [...spots, ...put.filter((spot) => !there.has(idOf(spot)))];
  const ids = new Set(put.map(idOf));
  return [...spots.filter((spot) => !ids.has(idOf(spot))), ...put];
}

/** With every app that isn't there yet. */
export function withApps(spots: readonly Spot[], list: readonly Manifest[]): Spot[] {
  const there = new Set(spots.flatMap((spot) => ("app" in spot ? [spot.app] : [])));
  const missing = list.filter(({ id, hidden }) => hidden !== true && !there.has(id));
  return [...spots, ...missing.map(({ id }): Spot => ({ app: id, column: 0, row: 0 }))];
}

export function without(spots: readonly Spot[], gone: Spot): Spot[] {
  return spots.filter((spot) => idOf(spot) !== idOf(gone));
}

/** The same thing under another name. */
export function withKey(spots: readonly Spot[], from: string, to: string): Spot[] {
  return spots.map((spot) => ("key" in spot && spot.key === from ? { ...spot, key: to } : spot));
}
