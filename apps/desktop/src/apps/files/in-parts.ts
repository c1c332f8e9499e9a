import { MAX_MESSAGE_BYTES } from "@choiros/contract";
import type { DeskApi, FileDeed } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
import { number } from "../../words.ts";

/** The server takes so many deeds at once, and no more bytes of them than it hears, with some room for the words around them. */
export const MOST_DEEDS = 1000;
const MOST_BYTES = MAX_MESSAGE_BYTES - 1024;

/** In order, as many in each part as the server takes at once. */
export function partsOf(deeds: readonly FileDeed[]): FileDeed[][] {
  const parts: FileDeed[][] = [];
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const deed of deeds) {
    const more = encoder.encode(JSON.stringify(deed)).length + 1;
    const last = parts.at(-1);
    bytes += more;
    if (last !== undefined && last.length < MOST_DEEDS && bytes <= MOST_BYTES) last.push(deed);
    else {
      parts.push([deed]);
      bytes = more;
    }
  }
  return parts;
}

interface Work<Part> {
  readonly doing: string;
  readonly parts: readonly (readonly Part[])[];
  /** What is in a part says nothing to a person: how far it is is told as a share. */
  readonly share?: boolean;
}

/**
 * One part after the other. Where there are several, a notice says how far it is, and Cancel stops it between two of them.
 * What went wrong is said, and ends it; a step that said so itself gives `false`. How many parts were done.
 */
export async function inParts<Part>(
  desk: Pick<DeskApi, "notify">,
  { doing, parts, share = false }: Work<Part>,
  step: (part: readonly Part[]) => Promise<unknown>,
): Promise<number> {
  const stopped = new AbortController();
  const action = { label: "Cancel", run: () => stopped.abort() };
  const all = parts.flat().length;
  const said = (done: number) => ({
    text: doing,
    detail: share ? `${Math.round((100 * done) / all)} %` : `${number.format(done)} of ${number.format(all)}`,
    progress: done / all,
    action,
  });
  const notice = parts.length > 1 ? desk.notify(said(0)) : undefined;
  let [at, done] = [0, 0];
  try {
    for (const part of parts) {
      if (stopped.signal.aborted) break;
      if ((await step(part)) === false) break;
      at++;
      done += part.length;
      if (!stopped.signal.aborted) notice?.replace(said(done));
    }
  } catch (error) {
    desk.notify({ text: sentence(error), kind: "wrong" });
  }
  notice?.remove();
  return at;
}
