import { useEffect, useState } from "react";
import type { DeskApi } from "../../desk/api.ts";
import type { FileLine } from "../../desk/shapes.ts";
import { count, fileSize, number } from "../../words.ts";
import { MOST_FOUND, type Seen } from "./folder-view.ts";
import { shownName } from "./keys.ts";

interface StatusParts {
  readonly desk: DeskApi;
  readonly seen: Seen;
  readonly lines: readonly FileLine[];
  readonly chosen: readonly FileLine[];
  readonly isFound: boolean;
  onVersions(): void;
}

/** How many there are, what is chosen, and how often it changed. */
export function StatusLine({ desk, seen, lines, chosen, isFound, onVersions }: StatusParts) {
  const [one] = chosen;
  const many = useVersionCount(desk, chosen.length === 1 && one?.entry.kind !== "dir" ? one : undefined);
  return (
    <div className="files-status">
      <span role="status">
        {seen.is === "here" && countWords(lines.length, isFound)}
        {chosen.length > 0 && `, ${number.format(chosen.length)} selected${sizeWords(chosen)}`}
      </span>
      {one !== undefined && many !== undefined && (
        <button type="button" onClick={onVersions}>
          <bdi>{shownName(one.key)}</bdi> has {count(many, "version")}
        </button>
      )}
    </div>
  );
}

function countWords(many: number, isFound: boolean): string {
  if (isFound) return many === MOST_FOUND ? `the best ${many}` : `${number.format(many)} found`;
  return count(many, "item");
}

function sizeWords(chosen: readonly FileLine[]): string {
  const bytes = chosen.reduce((sum, { entry }) => sum + (entry.kind === "dir" ? 0 : entry.size), 0);
  return bytes === 0 ? "" : ` (${fileSize(bytes)})`;
}

/** Nobody rests on a file for less than that while moving through a list. */
const PAUSE_MS = 200;

function useVersionCount(desk: DeskApi, line: FileLine | undefined): number | undefined {
  const [known, setKnown] = useState<{ readonly of: string; readonly many: number }>();
  const key = line?.key;
  const of = line === undefined ? "" : `${line.key} ${line.seq}`;
  useEffect(() => {
    if (key === undefined) return;
    const ended = new AbortController();
    const timer = setTimeout(async () => {
      const all = await desk.files.history(key, { signal: ended.signal }).catch(() => undefined); // then it isn't said
      if (all !== undefined) setKnown({ of, many: all.filter(({ entry }) => entry !== null).length });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [desk, key, of]);
  return known?.of === of ? known.many : undefined;
}
