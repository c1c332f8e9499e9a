import { X } from "lucide-react";
import { useEffect, useState } from "react";
import type { DeskApi } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
import type { Version } from "../../desk/shapes.ts";
import { whoWords } from "../../shown/who.ts";
import { fileSize, number, shortDay } from "../../words.ts";
import type { Against } from "./use-compared.ts";

interface VersionParts {
  readonly desk: DeskApi;
  readonly file: string;
  readonly against: Against | undefined;
  compare(against: Against | undefined): void;
  onClose(): void;
}

const PAGE = 200;

/** Everything this file ever was. Whoever chooses one sees what is different now. */
export function Versions({ desk, file, against, compare, onClose }: VersionParts) {
  const { versions, problem } = useVersions(desk, file);
  const [shown, setShown] = useState(PAGE);
  return (
    <section className="ed-versions" aria-label="Versions">
      <header>
        <h3>Versions</h3>
        {versions !== undefined && <span className="faint">{number.format(versions.length)}</span>}
        <span className="grow" />
        <button type="button" className="ed-tool" aria-label="Close versions" onClick={onClose}>
          <X aria-hidden="true" size={15} />
        </button>
      </header>
      {problem !== undefined && <p className="soft empty">{problem}</p>}
      {versions?.length === 0 && <p className="soft empty">None yet: the first one is made when it is saved.</p>}
      <ol>
        {versions?.slice(0, shown).map((version, i) => (
          <li key={version.seq}>
            <button
              type="button"
              aria-pressed={against?.seq === version.seq}
              disabled={version.entry?.kind !== "file"}
              onClick={() => compare(against?.seq === version.seq ? undefined : version)}
            >
              <span>{whenWas(new Date(version.ts))}</span>
              <span className="ed-who" data-who={version.source}>
                {whoWords(version)}
              </span>
              <span className="ed-about faint">{about(version, i === 0)}</span>
            </button>
          </li>
        ))}
      </ol>
      {(versions?.length ?? 0) > shown && (
        <button type="button" className="button quiet" onClick={() => setShown(shown + PAGE)}>
          Show earlier ones
        </button>
      )}
    </section>
  );
}

/** Versions of one minute are told apart. */
function whenWas(date: Date): string {
  const time = date.toLocaleTimeString(undefined, { hourCycle: "h23" });
  return date.toDateString() === new Date().toDateString() ? `Today ${time}` : `${shortDay(date)}, ${time}`;
}

const HOW: Readonly<Record<string, string>> = { "file.move": "moved", undo: "undo" };

function about({ entry, seq, type }: Version, isNow: boolean): string {
  const what = entry === null ? "removed" : entry.kind === "file" ? fileSize(entry.size) : entry.kind;
  return [isNow ? "now" : `event ${number.format(seq)}`, HOW[type], what]
    .filter((word) => word !== undefined)
    .join(" · ");
}

function useVersions(desk: DeskApi, file: string) {
  const [state, setState] = useState<{ versions?: readonly Version[]; problem?: string }>({});
  useEffect(() => {
    let asked = new AbortController();
    const read = () => {
      asked.abort();
      asked = new AbortController();
      const { signal } = asked;
      desk.files.history(file, { signal }).then(
        (versions) => signal.aborted || setState({ versions }),
        (error: unknown) => signal.aborted || setState(({ versions }) => ({ ...(versions && { versions }), problem: sentence(error) })), // biome-ignore format: in one line
      );
    };
    read();
    const stop = desk.files.watch(file, read);
    return () => {
      stop();
      asked.abort();
    };
  }, [desk, file]);
  return state;
}
