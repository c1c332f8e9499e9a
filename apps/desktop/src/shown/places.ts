import { type Path, pathKey } from "@choiros/contract";
import type { Moment } from "../desk/socket.ts";

/** Where events changed something: keys of paths, and names. `undefined` where one of them doesn't name all of it. */
export function placesIn(moments: readonly Moment[]): ReadonlySet<string> | undefined {
  const places = new Set<string>();
  for (const { event } of moments) {
    if (!Array.isArray(event.payload.changes)) return undefined;
    for (const change of event.payload.changes) {
      const { key, path } = Object(change) as { key?: string; path?: Path }; // it was held against its schema by whoever logged it
      if (path !== undefined) places.add(pathKey(path));
      else if (key !== undefined) places.add(key);
    }
  }
  return places;
}
