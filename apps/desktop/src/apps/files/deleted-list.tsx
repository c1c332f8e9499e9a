import { RotateCcw } from "lucide-react";
import { useEffect, useState } from "react";
import type { DeskApi } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
import type { FileLine } from "../../desk/shapes.ts";
import { whoWords } from "../../shown/who.ts";
import { type Deleted, deletedIn, STRETCH } from "./deleted.ts";
import { shownName } from "./keys.ts";
import { iconOf } from "./kinds.ts";
import { whenWords } from "./when.ts";

interface DeletedParts {
  readonly desk: DeskApi;
  readonly folder: string;
  /** What stands in the folder now. */
  readonly lines: readonly FileLine[];
  onBringBack(key: string, at: number, when: string): Promise<void>;
}

type Seen = { readonly found: readonly Deleted[]; readonly from: number } | { readonly why: string };

/** What was in a folder and is deleted: when, by whom, and how to bring it back. */
export function DeletedList({ desk, folder, lines, onBringBack }: DeletedParts) {
  const [stretches, setStretches] = useState(1);
  const [seen, setSeen] = useState<Seen>();
  useEffect(() => {
    let looking = new AbortController();
    const look = async (signal: AbortSignal) => {
      const to = desk.head();
      const from = Math.max(1, to - STRETCH * stretches + 1);
      const next = await deletedIn(desk, folder, { from, to, signal }).then(
        (found) => ({ found, from }),
        (error: unknown) => ({ why: sentence(error) }),
      );
      if (!signal.aborted) setSeen(next);
    };
    const lookAgain = () => {
      looking.abort();
      looking = new AbortController();
      void look(looking.signal);
    };
    lookAgain();
    const unwatch = desk.files.watch(folder, lookAgain);
    return () => {
      unwatch();
      looking.abort();
    };
  }, [desk, folder, stretches]);
  if (seen === undefined) return <div className="files-coming" aria-busy="true" />;
  if ("why" in seen) return <p className="files-none">{seen.why}</p>;
  const there = new Set(lines.map(({ key }) => key));
  const gone = seen.found.filter(({ key }) => !there.has(key));
  return (
    <div className="files-deleted">
      {gone.length === 0 && <p className="files-none">Nothing that was deleted from {shownName(folder)} is missing.</p>}
      <ul aria-label={`Deleted from ${shownName(folder)}`}>
        {gone.map((one) => (
          <DeletedLine key={one.key} one={one} onBringBack={onBringBack} />
        ))}
      </ul>
      {seen.from > 1 && (
        <button type="button" className="button quiet" onClick={() => setStretches((many) => many * 2)}>
          Look further back
        </button>
      )}
    </div>
  );
}

function DeletedLine({ one, onBringBack }: { one: Deleted } & Pick<DeletedParts, "onBringBack">) {
  const Icon = iconOf(one);
  const name = shownName(one.key);
  const when = whenWords(one.ts);
  return (
    <li>
      <Icon aria-hidden="true" size={16} />
      <span className="grow">
        <bdi className="files-name" title={name}>
          {name}
        </bdi>
        <span className="faint">
          {when} · {whoWords(one)}
        </span>
      </span>
      <button
        type="button"
        className="button quiet"
        aria-label={`Bring back ${name}`}
        onClick={() => void onBringBack(one.key, one.seq - 1, when)}
      >
        <RotateCcw aria-hidden="true" size={14} />
        Bring back
      </button>
    </li>
  );
}
