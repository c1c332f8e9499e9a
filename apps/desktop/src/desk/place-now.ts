import type { DeskApi } from "./api.ts";
import { placeAfter } from "./place-after.ts";
import type { Moment } from "./socket.ts";

/** One that went to and fro more often isn't looked for. */
const MOST_MOVES = 20;

/** Where what stood at a path is by now, as the log has it: there, or where it was moved; `undefined` where it is gone. */
export async function placeNow(desk: Pick<DeskApi, "events" | "files">, key: string): Promise<string | undefined> {
  let at = key;
  for (let move = 0; move < MOST_MOVES; move++) {
    const [newest] = await desk.files.history(at);
    if (newest === undefined) return undefined;
    if (newest.entry !== null) return at;
    const moments: Moment[] = [];
    const { seq } = newest;
    await desk.events({ from: seq, to: seq }, { onItem: (moment) => moments.push(moment) });
    const to = placeAfter(moments, at);
    if (to === at) return undefined;
    at = to;
  }
  return undefined;
}
