import { isBelow, type KnownEvent, pathKey, recognise } from "@choiros/contract";
import type { Moment } from "./socket.ts";

/** Where a file is after these, one after the other: where it was, unless it moved. */
export function placeAfter(moments: readonly Moment[], key: string): string {
  return moments.reduce((at, { event }) => {
    const known = recognise(event);
    return known.ok ? (movedBy(known.value, at) ?? at) : at;
  }, key);
}

function movedBy(event: KnownEvent, key: string): string | undefined {
  if (event.type === "file.move" || event.type === "dir.move") {
    const [from, to] = [pathKey(event.payload.from), pathKey(event.payload.to)];
    if (key === from) return to;
    return isBelow(key, from) ? to + key.slice(from.length) : undefined;
  }
  if (event.type !== "files.changed" || !("changes" in event.payload)) return undefined;
  // A command says nothing of moves: what is gone, and is new elsewhere with the same bytes, was moved.
  const { changes } = event.payload;
  const gone = changes.find(({ after, path }) => after === null && pathKey(path) === key)?.before;
  if (gone?.kind !== "file") return undefined;
  const came = changes.find(
    ({ after, before }) => before === null && after?.kind === "file" && after.hash === gone.hash,
  );
  return came === undefined ? undefined : pathKey(came.path);
}
