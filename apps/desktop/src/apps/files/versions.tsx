import { RotateCcw } from "lucide-react";
import { useEffect, useState } from "react";
import type { DeskApi } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
import type { Shown, Version } from "../../desk/shapes.ts";
import { DiffView } from "../../shown/diff-view.tsx";
import { whoWords } from "../../shown/who.ts";
import { fileSize } from "../../words.ts";
import { shownName } from "./keys.ts";
import { whenWords } from "./when.ts";

interface VersionsParts {
  readonly desk: DeskApi;
  readonly fileKey: string;
  onBringBack(key: string, at: number, when: string): Promise<void>;
}

/** Everything a file was, what each version changed, and how to bring it back. */
export function Versions({ desk, fileKey, onBringBack }: VersionsParts) {
  const [versions, setVersions] = useState<readonly Version[]>();
  const [why, setWhy] = useState<string>();
  const [picked, setPicked] = useState<number>();
  useEffect(() => {
    const ended = new AbortController();
    const look = () =>
      desk.files.history(fileKey, { signal: ended.signal }).then(setVersions, (error: unknown) => {
        if (!ended.signal.aborted) setWhy(sentence(error));
      });
    void look();
    const unwatch = desk.files.watch(fileKey, () => void look());
    return () => {
      unwatch();
      ended.abort();
    };
  }, [desk, fileKey]);
  if (why !== undefined) return <p className="files-none">{why}</p>;
  if (versions === undefined) return <div className="files-coming" aria-busy="true" />;
  const version = versions.find(({ seq }) => seq === picked) ?? versions[0];
  const isNow = version === versions[0];
  return (
    <div className="files-versions">
      <ul aria-label={`Versions of ${shownName(fileKey)}`}>
        {versions.map((one, i) => (
          <li key={one.seq}>
            <button type="button" aria-pressed={one === version} onClick={() => setPicked(one.seq)}>
              <span className="grow">{i === 0 ? "Now" : whenWords(one.ts)}</span>
              <span className="faint">{whoWords(one)}</span>
              <span className="faint files-version-size">{sizeWords(one)}</span>
            </button>
          </li>
        ))}
      </ul>
      {version !== undefined && (
        <>
          <div className="files-version-bar">
            <span className="grow soft">
              {whenWords(version.ts)}, event {version.seq}
            </span>
            {!isNow && version.entry !== null && (
              <button
                type="button"
                className="button"
                onClick={() => void onBringBack(fileKey, version.seq, whenWords(version.ts))}
              >
                <RotateCcw aria-hidden="true" size={14} />
                Bring back
              </button>
            )}
          </div>
          <Difference key={`${version.seq} ${isNow}`} {...{ desk, fileKey, version, isNow }} />
        </>
      )}
    </div>
  );
}

interface DifferenceParts {
  readonly desk: DeskApi;
  readonly fileKey: string;
  readonly version: Version;
  readonly isNow: boolean;
}

/** What this version changed; or what came since. */
function Difference({ desk, fileKey, version, isNow }: DifferenceParts) {
  const [since, setSince] = useState(false);
  const [shown, setShown] = useState<readonly Shown[]>();
  const [why, setWhy] = useState<string>();
  const { seq } = version;
  useEffect(() => {
    const ended = new AbortController();
    const all: Shown[] = [];
    const range = since ? { from: seq, key: fileKey } : { from: seq - 1, to: seq, key: fileKey };
    desk.files.diff(range, { signal: ended.signal, onItem: (one) => all.push(one) }).then(
      () => setShown(all),
      (error: unknown) => !ended.signal.aborted && setWhy(sentence(error)),
    );
    return () => ended.abort();
  }, [desk, fileKey, seq, since]);
  return (
    <div className="files-difference">
      {!isNow && (
        <fieldset className="files-tabs" aria-label="Compare">
          <button type="button" aria-pressed={!since} onClick={() => setSince(false)}>
            What it changed
          </button>
          <button type="button" aria-pressed={since} onClick={() => setSince(true)}>
            What came since
          </button>
        </fieldset>
      )}
      {why !== undefined && <p className="files-none">{why}</p>}
      {shown?.length === 0 && <p className="files-none">There is no difference.</p>}
      {shown?.slice(0, MOST_SHOWN).map((one) => (
        <DiffView key={"key" in one.change ? one.change.key : one.change.name} shown={one} />
      ))}
    </div>
  );
}

/** Of a folder, so many of the paths in it. */
const MOST_SHOWN = 50;

function sizeWords({ entry }: Version): string {
  if (entry === null) return "gone";
  return entry.kind === "dir" ? "" : fileSize(entry.size);
}
