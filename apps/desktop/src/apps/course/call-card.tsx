import { type Cause, isGits } from "@choiros/contract";
import { ChevronRight } from "lucide-react";
import { memo, useEffect, useState } from "react";
import { durationWords } from "../../asks/ask-words.ts";
import type { DeskApi } from "../../desk/api.ts";
import type { Moment } from "../../desk/socket.ts";
import { takenBack, type Undos } from "../../desk/undos.ts";
import { useChanges } from "../../shown/changes.ts";
import { Counts, DiffText, DiffView, placeOf } from "../../shown/diff-view.tsx";
import { count } from "../../words.ts";
import { callWords, endedWell, endWords } from "./call-words.ts";
import { CommandOutput, Content, Quiet } from "./content.tsx";
import type { CallStep } from "./course.ts";
import { keysIn } from "./edits.ts";
import { Reason } from "./folded.tsx";
import { type Aim, doingOf, TurnBack } from "./turn-back.tsx";

export interface StepParts {
  readonly desk: DeskApi;
  /** Whether cards are open before anybody touched them. */
  readonly few: boolean;
  readonly now: number;
  /** What all of it belongs to. */
  readonly cause: Cause;
  readonly undos: Undos;
  /** Shows what taking it back, or doing it again, would do. */
  onUndo(aim: Aim): void;
}

interface CardParts extends StepParts {
  readonly step: CallStep;
}

/** One call of a tool: a command with what it writes, an edit with its lines, or a line on what else was done. */
export const CallCard = memo(function CallCard({ desk, few, now, onUndo, step, undos }: CardParts) {
  const { kind, icon: Icon, verb, about } = callWords(step);
  const status = step.end?.payload.status;
  const isWrong = status !== undefined && status !== "ok";
  const hasBody = step.edits.length > 0 || kind === "command" || kind === "edit" || isWrong;
  const [early] = useState(few); // of many, only what runs or went wrong is open by itself
  const [chosen, setChosen] = useState<boolean>();
  const open = hasBody && (chosen ?? (early || isWrong || (status === undefined && kind === "command")));
  const [lines, setLines] = useState<string>();
  const [key] = keysIn(step.edits);
  const doing = doingOf(undos, step.edits);
  const taken = doing && takenBack(undos, doing, "step");
  const isThere = taken === undefined || (key !== undefined && taken.but.includes(key));
  const head = (
    <>
      <Icon aria-hidden="true" size={14} className="card-icon" />
      <span className="card-name">
        {verb !== undefined && <span className="card-verb">{verb}</span>}
        <span className="mono">{about}</span>
      </span>
    </>
  );
  return (
    <article
      className="card"
      data-kind={kind}
      data-status={status ?? "running"}
      data-undone={taken?.isWhole === true}
      aria-label={`${verb ?? kind} ${about}`}
    >
      <header>
        {hasBody ? (
          <button type="button" className="card-head" aria-expanded={open} onClick={() => setChosen(!open)}>
            {head}
            {lines !== undefined && <Counts lines={lines} />}
            <CardEnd step={step} now={now} />
            <ChevronRight aria-hidden="true" size={13} className="card-fold" data-open={open} />
          </button>
        ) : (
          <span className="card-head">
            {head}
            <CardEnd step={step} now={now} />
          </span>
        )}
        {kind === "edit" && key !== undefined && isThere && (
          <button type="button" className="word" onClick={() => desk.openFile(key)}>
            open
          </button>
        )}
        {step.edits.length > 0 && step.end !== undefined && (
          <TurnBack what="step" target={{ call: step.id }} {...{ taken, onUndo }} />
        )}
      </header>
      {open && <CardBody {...{ desk, step }} onLines={setLines} />}
    </article>
  );
});

/** How it stands, in a word. */
function CardEnd({ step, now }: { step: CallStep; now: number }) {
  const { end, moment } = step;
  if (end === undefined)
    return <span className="card-end gold-text">{durationWords(now - Date.parse(moment.event.ts))}</span>;
  return <span className={endedWell(end) ? "card-end" : "card-end wrong"}>{endWords(step)}</span>;
}

interface BodyParts {
  readonly desk: DeskApi;
  readonly step: CallStep;
  /** The lines of the one file that it changed. */
  onLines(lines: string): void;
}

function CardBody({ desk, step, onLines }: BodyParts) {
  const { edits, end, tool } = step;
  const { output, reason, status } = end?.payload ?? {};
  const isCommand = tool === "exec";
  const isSaid = !isCommand && edits.length === 0 && reason === undefined; // a reason is what its model was told, too
  return (
    <div className="card-body">
      {reason !== undefined && <Reason text={reason} />}
      {isCommand && status === "stopped" && reason === undefined && (
        <p className="card-reason">It was stopped. Nothing that it changed was kept.</p>
      )}
      {isCommand && <CommandOutput {...{ desk }} call={step.id} {...endOf(step)} />}
      {isSaid && end !== undefined && output !== undefined && output.size > 0 && (
        <Content {...{ desk }} seq={end.moment.event.seq} size={output.size} part="output" />
      )}
      {edits.map((moment) => (
        <Edit
          key={moment.event.seq}
          {...{ desk, moment }}
          onLines={edits.length === 1 && !isCommand ? onLines : undefined}
        />
      ))}
      {!isCommand && end === undefined && edits.length === 0 && <Quiet>Under way…</Quiet>}
    </div>
  );
}

/** Where what a command wrote is kept, once it has ended. */
function endOf({ edits, end }: CallStep) {
  if (end === undefined) return {};
  const { output, reason, status } = end.payload;
  const isQuiet = edits.length > 0 || reason !== undefined || status === "stopped"; // then there is something else to see
  return { end: { seq: end.moment.event.seq, size: output?.size ?? 0, isQuiet } };
}

interface EditParts {
  readonly desk: DeskApi;
  readonly moment: Moment;
  /** Where it is the card's only one, the card's head says what it is about. */
  readonly onLines: ((lines: string) => void) | undefined;
}

/** What one event changed, with its lines. */
function Edit({ desk, moment, onLines }: EditParts) {
  const { shown: all, more, done, problem } = useChanges(desk, moment, 0);
  const files = all.filter(({ change }) => "key" in change && (change.after ?? change.before)?.kind !== "dir");
  const told = files.length > 0 ? files : all; // folders that came with files say nothing more
  const shown = told.filter((one) => !isGits(placeOf(one)));
  const gits = told.length - shown.length;
  const only = shown.length === 1 && onLines !== undefined ? shown[0] : undefined;
  const lines = only?.lines;
  useEffect(() => {
    if (lines !== undefined) onLines?.(lines);
  }, [lines, onLines]);
  if (problem !== undefined) return <p className="card-reason">{problem}</p>;
  if (!done) return <Quiet>Reading what changed…</Quiet>;
  if (only !== undefined) return <DiffText shown={only} />;
  return (
    <div className="card-diffs">
      {shown.map((one) => (
        <DiffView key={placeOf(one)} shown={one} />
      ))}
      {gits > 0 && <Quiet>{count(gits, files.length > 0 ? "file" : "folder")} in .git</Quiet>}
      {more > 0 && <Quiet>and {count(more, "more change")}</Quiet>}
    </div>
  );
}
