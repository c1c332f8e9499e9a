import type { DeskApi } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
import { number } from "../../words.ts";

interface Work<Part> {
  readonly doing: string;
  readonly parts: readonly (readonly Part[])[];
  /** What is in a part says nothing to a person: how far it is is told as a share. */
  readonly share?: boolean;
}

/**
 * One part after the other. Where there are several, a notice says how far it is, and Cancel stops it between two of them.
 * What went wrong is said, and ends it. How many parts were done.
 */
export async function inParts<Part>(
  desk: Pick<DeskApi, "notify">,
  { doing, parts, share = false }: Work<Part>,
  step: (part: readonly Part[]) => Promise<void>,
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
      await step(part);
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
