import "./take-back.css";
import { IGNORED_NOTE, shownKey, type Target } from "@choiros/contract";
import { Undo2 } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Choices, DeskApi, Turn } from "../desk/api.ts";
import { sentence } from "../desk/problem.ts";
import type { Conflict, Outcome, Preview, Said } from "../desk/shapes.ts";
import { focusOn } from "../focus.ts";
import { count } from "../words.ts";
import { ConflictCard, useOlder } from "./conflict-card.tsx";
import { DiffView, placeOf } from "./diff-view.tsx";
import { useRounds } from "./rounds.ts";

interface TakeBackParts {
  readonly desk: DeskApi;
  readonly target: Target;
  readonly title: string;
  /** What was taken back is done again. */
  readonly turn?: Turn | undefined;
  /** What has to happen before it, once the user wants it: in words, and done; `false` where it can't. */
  readonly first?: { readonly words: string; run(signal: AbortSignal): Promise<boolean> } | undefined;
  /** It is to be told; also where it was left meanwhile. */
  onDone(outcome: Outcome): void;
  /** Nobody wants it any more: it is done, or left as it is. */
  onLeave(): void;
}

interface Found {
  readonly said: readonly Said[];
  readonly answer: Preview;
  /** What it is the preview of. */
  readonly choices: Choices;
}

/** How many changes are drawn; all of them are counted. */
const MOST = 100;

/** Exactly what an undo would do, before anything is touched. Where it would cover later work, the user picks per path. */
export function TakeBack({ desk, target, title, turn = "back", first, onDone, onLeave }: TakeBackParts) {
  const [found, setFound] = useState<Found>();
  const [problem, setProblem] = useState<string>();
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  const [choices, setChoices] = useState<Choices>(new Map());
  const [busy, setBusy] = useState(false);
  const [isMore, setMore] = useState(false);
  const round = useRounds(desk);
  const place = useRef<HTMLElement>(null);
  useEffect(() => focusOn(place.current?.querySelector("button")), []);
  const left = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    left.current = controller;
    return () => controller.abort();
  }, []);

  useEffect(() => {
    const ended = new AbortController();
    desk
      .preview(target, choices, { signal: ended.signal })
      .then((next) => {
        if (ended.signal.aborted) return;
        setFound({ ...next, choices });
        setProblem(undefined);
        const met = next.said.flatMap((said) => ("conflict" in said ? [said.conflict] : []));
        // One that is settled is no conflict any more; it stays, so that the user can think again.
        setConflicts((former) => [...former.filter(({ key }) => choices.has(key)), ...met]);
      })
      .catch((error) => {
        if (!ended.signal.aborted) setProblem(sentence(error));
      });
    return () => ended.abort();
  }, [desk, target, choices, round]);

  const undo = async () => {
    const { signal } = left.current;
    focusOn(place.current); // the button that was pressed can't have the keys any more
    setBusy(true);
    try {
      if (first !== undefined) {
        if (!(await first.run(signal))) return;
        const now: Found = { ...(await desk.preview(target, choices, { signal })), choices };
        if (JSON.stringify(now) !== JSON.stringify(found)) return void setMore(true); // it is shown anew by itself
      }
      const outcome = await desk.undo(target, choices).catch((error: unknown) => {
        if (signal.aborted) desk.notify({ text: sentence(error), kind: "wrong" }); // nobody looks here any more
        throw error;
      });
      if (signal.aborted) return onDone(outcome);
      if (!outcome.ok) return setProblem(outcome.message);
      onDone(outcome);
      onLeave();
    } catch (error) {
      if (!signal.aborted) setProblem(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  const leave = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    onLeave();
  };
  const shown = found?.said.flatMap((said) => ("shown" in said ? [said.shown] : [])) ?? [];
  const open = conflicts.filter(({ key }) => !choices.has(key));
  const older = useOlder({ desk, target, round, conflicts });
  const isShown = found?.answer.ok === true && found.choices === choices; // until then it is what was chosen before
  const isReady = !busy && isShown && open.length === 0 && shown.length > 0;
  return (
    <section
      className="take-back"
      aria-label={title}
      aria-busy={found === undefined}
      ref={place}
      tabIndex={-1}
      onKeyDown={leave}
    >
      <header>
        <h3>{title}</h3>
        <button type="button" className="button quiet" onClick={onLeave}>
          Cancel
        </button>
        <button type="button" className="button gold" disabled={!isReady} onClick={undo}>
          <Undo2 aria-hidden="true" size={14} />
          {doingWords(turn, shown.length)}
        </button>
      </header>
      {problem !== undefined && (
        <p className="said-box" data-wrong role="alert">
          {problem}
        </p>
      )}
      {found?.answer.ok === false && (
        <p className="said-box" data-wrong>
          {found.answer.message}
        </p>
      )}
      {first !== undefined && <p className="said-box">{first.words}</p>}
      {isMore && <p className="said-box">{MORE}</p>}
      {found?.answer.ok === true && <Notes answer={found.answer} />}
      {found === undefined && problem === undefined && <p className="faint">Looking at what would change…</p>}
      <Blocked said={found?.said ?? []} />
      {open.length > 0 && <p className="soft">{count(open.length, "path")} changed since: pick what shall stand.</p>}
      {conflicts.map((conflict) => (
        <ConflictCard
          key={conflict.key}
          conflict={conflict}
          older={older.get(conflict.key)}
          choice={choices.get(conflict.key)}
          onChoose={(choice) => setChoices(new Map([...choices, [conflict.key, choice]]))}
        />
      ))}
      {shown.slice(0, MOST).map((one) => (
        <DiffView key={placeOf(one)} shown={one} />
      ))}
      {shown.length > MOST && <p className="faint">and {count(shown.length - MOST, "more change")}</p>}
      {found?.answer.ok === true && shown.length === 0 && open.length === 0 && (
        <p className="faint">
          {conflicts.length > 0
            ? "Nothing would change: what is there now is kept."
            : "There is nothing to take back: everything already is as it was."}
        </p>
      )}
      {found?.answer.ok === true && found.answer.notes.includes(IGNORED_NOTE) && (
        <p className="faint take-back-foot">{IGNORED_NOTE}</p>
      )}
    </section>
  );
}

const MORE = "It did more until it was stopped: look at what would be taken back now.";

function doingWords(turn: Turn, many: number): string {
  if (turn === "again") return many > 0 ? `Do ${count(many, "change")} again` : "Do it again";
  return many > 0 ? `Take back ${count(many, "change")}` : "Take it back";
}

/** What stands in the way, and can't be picked away. */
function Blocked({ said }: { said: readonly Said[] }) {
  const blocked = said.flatMap((one) => ("blocked" in one ? [one.blocked] : []));
  if (blocked.length === 0) return null;
  return (
    <ul className="said-box" data-wrong>
      {blocked.slice(0, 20).map(({ key, why }) => (
        <li key={key}>
          <span className="mono">{shownKey(key)}</span>: {why}
        </li>
      ))}
    </ul>
  );
}

function Notes({ answer: { lasting, notes, stays } }: { answer: Extract<Preview, { ok: true }> }) {
  const lines = [
    ...notes.filter((note) => note !== IGNORED_NOTE), // it stands below
    ...lasting.map((what) => `This can't be taken back: ${what}`),
    ...stays.map((key) => `${shownKey(key)} stays as it is.`),
  ];
  if (lines.length === 0) return null;
  return (
    <ul className="said-box">
      {lines.slice(0, 20).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
