import { shownKey, type Target } from "@choiros/contract";
import { useEffect, useState } from "react";
import type { DeskApi } from "../desk/api.ts";
import type { Choice, Conflict, Shown } from "../desk/shapes.ts";
import { DiffText, placeOf } from "./diff-view.tsx";

const CHOICES: Readonly<Record<Choice, string>> = { mine: "Keep what is there now", theirs: "Take the older version" };

interface ConflictParts {
  readonly conflict: Conflict;
  /** What the older version would make of what is there now; `undefined` while that isn't known. */
  readonly older: Shown | undefined;
  readonly choice: Choice | undefined;
  onChoose(choice: Choice): void;
}

/** Both versions of a path where later work is in the way, and which of them shall stand. */
export function ConflictCard({ conflict, older, choice, onChoose }: ConflictParts) {
  return (
    <fieldset className="conflict">
      <legend className="mono">{shownKey(conflict.key)}</legend>
      <p className="soft">{conflict.why}</p>
      {older !== undefined && <Versions older={older} />}
      <div className="conflict-choices">
        {conflict.choices.map((one) => (
          <label key={one}>
            <input type="radio" name={conflict.key} checked={choice === one} onChange={() => onChoose(one)} />
            <span>{CHOICES[one]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Versions({ older }: { older: Shown }) {
  const { after, before } = older.change;
  return (
    <>
      <p className="versions">
        <span className="removed">− {before === null ? "nothing is there now" : "what is there now"}</span>
        <span className="added">
          + {after === null ? "in the older version there is nothing" : "the older version"}
        </span>
      </p>
      <DiffText shown={older} />
    </>
  );
}

interface OlderParts {
  readonly desk: DeskApi;
  readonly target: Target;
  readonly round: number;
  readonly conflicts: readonly Conflict[];
}

/** By path, what taking the older version of every conflict would do: that shows both versions of each. */
export function useOlder({ desk, target, round, conflicts }: OlderParts): ReadonlyMap<string, Shown> {
  const [older, setOlder] = useState<ReadonlyMap<string, Shown>>(new Map());
  const keys = conflicts.flatMap(({ choices, key }) => (choices.includes("theirs") ? [key] : []));
  const all = keys.sort().join("\0");
  useEffect(() => {
    if (all === "") return;
    const ended = new AbortController();
    const choices = new Map(all.split("\0").map((key) => [key, "theirs"] as const));
    desk
      .preview(target, choices, { signal: ended.signal })
      .then(({ said }) => {
        setOlder(new Map(said.flatMap((one) => ("shown" in one ? [[placeOf(one.shown), one.shown]] : []))));
      })
      .catch(() => {}); // the preview itself says what is wrong
    return () => ended.abort();
  }, [desk, target, round, all]);
  return older;
}
