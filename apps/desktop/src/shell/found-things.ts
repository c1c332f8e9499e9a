import { useEffect, useState } from "react";
import type { DeskApi } from "../desk/api.ts";
import { placeNow } from "../desk/place-now.ts";
import { idOf, type Spot } from "./desk-icons.ts";

export type IconKind = "file" | "folder" | "gone";

/** What a key on the desktop stands for now, and under which name. */
interface Found {
  readonly key: string;
  readonly kind: IconKind;
}

/**
 * What lies on the desktop, under the names of now: what was moved elsewhere is followed. And what each is; one that isn't
 * known yet isn't there.
 */
export function useFound(api: DeskApi, laid: readonly Spot[]) {
  const [found, setFound] = useState<ReadonlyMap<string, Found>>(new Map());
  const now = (key: string) => found.get(key)?.key ?? key;
  const all = JSON.stringify(keysOf(laid).map((key) => [key, now(key)]));
  useEffect(() => {
    const ended = new AbortController();
    const look = (key: string) =>
      foundAt(api, key, ended.signal).then(
        (one) => ended.signal.aborted || setFound((former) => new Map([...former, [key, one]])),
        () => {}, // it is looked at again with the next change
      );
    const pairs: readonly (readonly string[])[] = JSON.parse(all);
    const watched = pairs.flatMap(([key = "", ...names]) => {
      void look(key);
      return [...new Set([key, ...names])].map((name) => api.files.watch(name, () => void look(key)));
    });
    return () => {
      ended.abort();
      for (const leave of watched) leave();
    };
  }, [api, all]);
  const kinds = new Map([...found.values()].map(({ key, kind }) => [key, kind]));
  return { spots: renamed(laid, now), kinds };
}

/** Gives them, and any of them, under the names of now. */
export async function following(
  api: DeskApi,
  spots: readonly Spot[],
): Promise<(some: readonly Spot[]) => readonly Spot[]> {
  const { signal } = new AbortController();
  const found = await Promise.all(keysOf(spots).map(async (key) => [key, await foundAt(api, key, signal)] as const));
  const names = new Map(found);
  return (some) => renamed(some, (key) => names.get(key)?.key ?? key);
}

function keysOf(spots: readonly Spot[]): string[] {
  return spots.flatMap((spot) => ("key" in spot ? [spot.key] : [])).sort();
}

/** What lies there already isn't there twice. */
function renamed(spots: readonly Spot[], now: (key: string) => string): Spot[] {
  const named = spots.map((spot) => ("key" in spot ? { ...spot, key: now(spot.key) } : spot));
  return [...new Map(named.map((spot) => [idOf(spot), spot])).values()];
}

async function foundAt(api: DeskApi, key: string, signal: AbortSignal): Promise<Found> {
  const kind = await kindAt(api, key, signal);
  const now = kind === "gone" ? await placeNow(api, key) : undefined;
  return now === undefined ? { key, kind } : { key: now, kind: await kindAt(api, now, signal) };
}

/** A file is listed as itself; an empty folder only its history knows. */
async function kindAt({ files }: DeskApi, key: string, signal: AbortSignal): Promise<IconKind> {
  const [first] = await files.list(key, { signal });
  if (first !== undefined) return first.key === key ? "file" : "folder";
  const [version] = await files.history(key, { signal });
  return version?.entry?.kind === "dir" ? "folder" : "gone";
}
