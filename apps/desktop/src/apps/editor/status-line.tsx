import { useWatched, type Watched } from "../../watched.ts";
import { COMMAND_KEY, number } from "../../words.ts";
import { languageOf } from "./language-of.ts";
import type { State } from "./session.ts";
import { savingWords } from "./state-words.ts";
import type { Writing } from "./text-file.ts";
import type { Cursor } from "./use-code.ts";

interface StatusParts {
  readonly state: State;
  readonly file: string;
  readonly cursor: Watched<Cursor>;
  readonly writing: Writing;
  onAgain(): void;
  /** All lines shall end in one way. */
  onUnify(): void;
}

export function StatusLine({ state, file, cursor, writing, onAgain, onUnify }: StatusParts) {
  const { saving, problem, isNew } = state;
  const at = useWatched(cursor);
  return (
    <div className="ed-status">
      <p
        role="status"
        className="ed-saving"
        data-saving={saving === "saved" && isNew ? "none" : saving}
        title={`A version is made after a pause of 30 seconds, when you leave, and with ${COMMAND_KEY} S`}
      >
        {savingWords(state)}
      </p>
      {saving === "failed" && problem !== undefined && (
        <>
          <p className="ed-problem" title={problem}>
            {problem}
          </p>
          <button type="button" className="ed-again" onClick={onAgain}>
            Try again
          </button>
        </>
      )}
      <p className="grow" />
      <p className="ed-detail">
        {at.selected > 0 && `${number.format(at.selected)} selected · `}Line {number.format(at.line)}, column{" "}
        {number.format(at.column)}
      </p>
      {writing.mixed && (
        <p className="ed-detail ed-mixed" title="Some lines end in CR LF, others in LF: each CR is marked in red">
          Mixed ends{" "}
          <button type="button" className="ed-again" title="One edit, which can be undone" onClick={onUnify}>
            Make all {writing.ends}
          </button>
        </p>
      )}
      <p className="ed-detail ed-more">{writing.mixed ? writing.charset : `${writing.charset} ${writing.ends}`}</p>
      <p className="ed-detail ed-more">{languageOf(file)?.name ?? "Text"}</p>
    </div>
  );
}
