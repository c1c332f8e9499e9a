import { isDeepStrictEqual } from "node:util";
import type { Computer, Conflict, Version } from "@choiros/computer";
import type * as shapes from "./shapes.ts";

/** Far enough back for what somebody still remembers. */
const MOST_VERSIONS = 100;

/** When each of the three versions came, and by whom, as far as the path's own history tells. */
export async function knownOf(computer: Computer, conflict: Conflict): Promise<shapes.Conflict["known"]> {
  const { back, left, now } = conflict;
  const known: { -readonly [Side in keyof shapes.Conflict["known"]]: shapes.Known } = {};
  let looked = 0;
  for await (const version of computer.history(conflict.key)) {
    for (const [side, value] of [
      ["now", now],
      ["left", left],
      ["back", back],
    ] as const) {
      if (known[side] === undefined && isDeepStrictEqual(version.entry, value)) known[side] = facts(version);
    }
    if (++looked === MOST_VERSIONS) break;
  }
  return known;
}

function facts({ seq, source, ts }: Version): shapes.Known {
  return { seq, source, ts };
}
