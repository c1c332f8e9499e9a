import { shownKey } from "@choiros/contract";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import type { ComputerApi } from "../server/computer-api.ts";
import { sentence } from "../server/problem.ts";
import { Since } from "./file-since.tsx";
import { Then } from "./file-then.tsx";
import type { Stood } from "./tree.ts";

interface FileParts {
  readonly api: ComputerApi;
  readonly fileKey: string;
  readonly at: number;
  readonly head: number;
  /** Grows when what couldn't be read may be read again. */
  readonly round: number;
  readonly kind: Stood["kind"];
  /** It, or something in it, isn't now what it was. */
  readonly differs: boolean;
  onDone(said: string): void;
}

/** One path as it was, what became of it since, and the way to have it back. */
export function FileView({ api, fileKey, at, head, round, kind, differs, onDone }: FileParts) {
  const isDirectory = kind === "dir";
  const [way, setWay] = useState<"then" | "since">("then");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const restore = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const outcome = await api.restore(fileKey, at);
      if (outcome.ok) onDone(`${shownKey(fileKey)} is back as it was at event ${at}.`);
      else setProblem(outcome.message);
    } catch (error) {
      setProblem(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  const shown = isDirectory ? "since" : way;
  return (
    <section className="detail-part" aria-label={`${shownKey(fileKey)} at event ${at}`}>
      <header className="detail-title">
        <h3 className="mono">{shownKey(fileKey)}</h3>
        {!isDirectory && (
          <fieldset className="segments small">
            <legend className="sr-only">What to show</legend>
            <label>
              <input type="radio" name="way" checked={way === "then"} onChange={() => setWay("then")} />
              <span>Then</span>
            </label>
            <label>
              <input type="radio" name="way" checked={way === "since"} onChange={() => setWay("since")} />
              <span>Diff with now</span>
            </label>
          </fieldset>
        )}
        <button type="button" className="button" disabled={busy || !differs} onClick={restore}>
          <RotateCcw aria-hidden="true" size={14} />
          Bring this {isDirectory ? "folder" : "file"} back
        </button>
      </header>
      {problem !== undefined && (
        <p className="said warn" role="alert">
          {problem}
        </p>
      )}
      {shown === "then" && kind === "link" && <p className="faint">It was a link. It led to:</p>}
      {shown === "then" ? <Then {...{ api, fileKey, at, round }} /> : <Since {...{ api, fileKey, at, head, round }} />}
    </section>
  );
}
