import { IGNORED_NOTE, shownKey, type Target } from "@choiros/contract";
import { Undo2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Choices, ComputerApi } from "../server/computer-api.ts";
import { sentence } from "../server/problem.ts";
import type { Conflict, Preview, Said, Shown } from "../server/shapes.ts";
import { count } from "../words.ts";
import { ConflictCard, useOlder } from "./conflict-card.tsx";
import { placeOf, ShownChange } from "./diff-lines.tsx";

interface TakeBackParts {
  readonly api: ComputerApi;
  readonly target: Target;
  readonly title: string;
  /** The preview is of this moment: where something happens meanwhile, it is made anew. */
  readonly head: number;
  /** Grows when what couldn't be read may be read again. */
  readonly round: number;
  onDone(said: string): void;
  /** It couldn't be done, and nobody looks here any more. */
  onFailed(said: string): void;
  onCancel(): void;
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
export function TakeBack({ api, target, title, head, round, onDone, onFailed, onCancel }: TakeBackParts) {
  const [found, setFound] = useState<Found>();
  const [problem, setProblem] = useState<string>();
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  const [choices, setChoices] = useState<Choices>(new Map());
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    const ended = new AbortController();
    api
      .preview(target, choices, ended.signal)
      .then((next) => {
        if (ended.signal.aborted) return;
        setFound({ ...next, choices });
        setProblem(undefined);
        const found = next.said.flatMap((said) => ("conflict" in said ? [said.conflict] : []));
        // One that is settled is no conflict any more; it stays, so that the user can think again.
        setConflicts((former) => [...former.filter(({ key }) => choices.has(key)), ...found]);
      })
      .catch((error) => {
        if (!ended.signal.aborted) setProblem(sentence(error));
      });
    return () => ended.abort();
  }, [api, target, choices, head, round]);

  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  const undo = async () => {
    const failed = (words: string) => (isLeft.current ? onFailed(words) : setProblem(words));
    setBusy(true);
    try {
      const outcome = await api.undo(target, choices);
      if (outcome.ok)
        onDone(
          `Done: ${count(outcome.changed, "change")}, as event ${outcome.seq}. It can be undone like everything else.`,
        );
      else failed(outcome.message);
    } catch (error) {
      failed(sentence(error));
    } finally {
      setBusy(false);
    }
  };
  const shown = found?.said.flatMap((said) => ("shown" in said ? [said.shown] : [])) ?? [];
  const changes = countOf(shown);
  const open = conflicts.filter(({ key }) => !choices.has(key));
  const older = useOlder({ api, target, head, round, conflicts });
  const isShown = found?.answer.ok === true && found.choices === choices; // until then it is what was chosen before

  return (
    <section className="detail-part take-back" aria-label={title} aria-busy={found === undefined}>
      <header className="detail-title">
        <h3>{title}</h3>
        <button type="button" className="button quiet" onClick={onCancel}>
          Cancel
        </button>
        <button
          type="button"
          className="button gold"
          disabled={busy || !isShown || open.length > 0 || shown.length === 0}
          onClick={undo}
        >
          <Undo2 aria-hidden="true" size={14} />
          {shown.length > 0 ? `Take back ${count(changes, "change")}` : "Take it back"}
        </button>
      </header>
      {problem !== undefined && (
        <p className="said warn" role="alert">
          {problem}
        </p>
      )}
      {found?.answer.ok === false && <p className="said warn">{found.answer.message}</p>}
      {found?.answer.ok === true && <Notes answer={found.answer} />}
      {found === undefined && problem === undefined && <p className="waiting" />}
      {conflicts.map((conflict) => (
        <ConflictCard
          key={conflict.key}
          conflict={conflict}
          older={older?.get(conflict.key)}
          choice={choices.get(conflict.key)}
          onChoose={(choice) => setChoices(new Map([...choices, [conflict.key, choice]]))}
        />
      ))}
      {shown.slice(0, MOST).map((one) => (
        <ShownChange key={placeOf(one)} shown={one} />
      ))}
      {shown.length > MOST && (
        <p className="faint empty">and {count(changes - countOf(shown.slice(0, MOST)), "more change")}</p>
      )}
      {found?.answer.ok === true && shown.length === 0 && open.length === 0 && (
        <p className="empty faint">
          {conflicts.length > 0
            ? "Nothing would change: what is there now is kept."
            : `There is nothing to take back: ${nothingNote(found.answer)?.slice(NOTHING.length) ?? "everything already is as it was"}.`}
        </p>
      )}
      {found?.answer.ok === true && found.answer.notes.includes(IGNORED_NOTE) && (
        <p className="faint notes-foot">{IGNORED_NOTE}</p>
      )}
    </section>
  );
}

/** As the outcome counts them: a path that moved is gone at one place, and new at another. */
function countOf(shown: readonly Shown[]): number {
  return shown.reduce((many, { from }) => many + (from === undefined ? 1 : 2), 0);
}

type Possible = Extract<Preview, { ok: true }>;

const NOTHING = "nothing to undo: ";

function nothingNote({ notes }: Possible): string | undefined {
  return notes.find((note) => note.startsWith(NOTHING));
}

function Notes({ answer }: { answer: Possible }) {
  const { lasting, notes, stays } = answer;
  const lines = [
    ...notes.filter((note) => note !== nothingNote(answer) && note !== IGNORED_NOTE), // they stand below
    ...lasting.map((what) => `This can't be taken back: ${what}`),
    ...stays.map((key) => `${shownKey(key)} stays as it is.`),
  ];
  if (lines.length === 0) return null;
  return (
    <ul className="said notes">
      {lines.slice(0, 20).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
