import type { Doing, Target } from "@choiros/contract";
import type { Turn } from "../../desk/api.ts";
import type { Moment } from "../../desk/socket.ts";
import { placesOf, type TakenBack, type Undos } from "../../desk/undos.ts";

/** What is to be taken back, or done again, and how that is called. */
export interface Aim {
  readonly target: Target;
  readonly title: string;
  readonly turn?: Turn;
}

/** What a step, a task or an ask did, by its events; `undefined` where it changed nothing. */
export function doingOf(undos: Undos, edits: readonly Moment[], cause = edits[0]?.event.cause): Doing | undefined {
  const [first, last] = [edits[0]?.event.seq, edits.at(-1)?.event.seq];
  if (first === undefined || last === undefined) return undefined;
  return { cause, first, last, places: placesOf(undos, edits) };
}

interface TurnParts {
  readonly what: "step" | "task";
  readonly target: Target;
  readonly taken: TakenBack | undefined;
  onUndo(aim: Aim): void;
}

/** The way to take something back, or the rest of it; where it is, that is said, with the way to do it again. */
export function TurnBack({ what, target, taken, onUndo }: TurnParts) {
  const redo = taken?.redo;
  return (
    <>
      {taken !== undefined && <span className="step-end step-taken faint">{taken.words}</span>}
      {taken?.isWhole !== true && (
        <button type="button" className="word" onClick={() => onUndo({ target, title: `Undo this ${what}` })}>
          undo {what}
        </button>
      )}
      {redo !== undefined && (
        <button
          type="button"
          className="word"
          onClick={() => onUndo({ target: redo, title: `Redo this ${what}`, turn: "again" })}
        >
          redo {what}
        </button>
      )}
    </>
  );
}
