import { useEffect, useState } from "react";
import type { ComputerApi } from "../server/computer-api.ts";
import { sentence } from "../server/problem.ts";
import type { Shown } from "../server/shapes.ts";
import { placeOf, ShownChange } from "./diff-lines.tsx";
import { afterRest } from "./differences.ts";

interface SinceParts {
  readonly api: ComputerApi;
  readonly fileKey: string;
  readonly at: number;
  readonly head: number;
  readonly round: number;
}

/** More than these nobody reads one by one. */
const MOST = 100;

/** What became of a path since, and of all below it. */
export function Since({ api, fileKey, at, head, round }: SinceParts) {
  const [found, setFound] = useState<readonly Shown[]>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    setFound(undefined);
    setProblem(undefined);
    return afterRest(async (signal) => {
      const enough = new AbortController();
      const matches: Shown[] = [];
      const look = (shown: Shown) => {
        if (isOf(fileKey, shown) && matches.push(shown) > MOST) enough.abort();
      };
      try {
        await api.diff({ from: at, to: head, lines: true }, look, AbortSignal.any([signal, enough.signal]));
      } catch (error) {
        if (signal.aborted) return;
        if (!enough.signal.aborted) return setProblem(sentence(error));
      }
      setFound(matches);
    });
  }, [api, fileKey, at, head, round]);
  if (problem !== undefined) return <p className="said warn">{problem}</p>;
  if (found === undefined) return <p className="waiting" aria-busy="true" />;
  if (found.length === 0) return <p className="empty faint">It is now as it was then.</p>;
  return (
    <>
      {found.slice(0, MOST).map((shown) => (
        <ShownChange key={placeOf(shown)} shown={shown} />
      ))}
      {found.length > MOST && (
        <p className="faint empty">
          and more:{" "}
          <code>
            npx choir diff {at} {head} --user {api.id}
          </code>
        </p>
      )}
    </>
  );
}

function isOf(fileKey: string, { change, from }: Shown): boolean {
  if (!("key" in change)) return false;
  return [change.key, from].some((key) => key === fileKey || key?.startsWith(`${fileKey}/`) === true);
}
