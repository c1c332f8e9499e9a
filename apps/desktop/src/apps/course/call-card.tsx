import { pathKey, plainText, recognise, type Target } from "@choiros/contract";
import { ChevronRight } from "lucide-react";
import { memo, type ReactNode, useEffect, useState } from "react";
import { durationWords } from "../../asks/ask-words.ts";
import type { DeskApi } from "../../desk/api.ts";
import type { Moment } from "../../desk/socket.ts";
import { useChanges } from "../../shown/changes.ts";
import { Counts, DiffText, DiffView, placeOf } from "../../shown/diff-view.tsx";
import { useLiveOutput } from "../../shown/live-output.ts";
import { count } from "../../words.ts";
import { callWords } from "./call-words.ts";
import { Content } from "./content.tsx";
import { type CallStep, isFile } from "./course.ts";

export interface StepParts {
  readonly desk: DeskApi;
  /** Whether cards are open before anybody touched them. */
  readonly few: boolean;
  readonly now: number;
  /** Shows what taking it back would do. */
  onUndo(target: Target, title: string): void;
}

interface CardParts extends StepParts {
  readonly step: CallStep;
}

/** One call of a tool: a command with what it writes, an edit with its lines, or a line on what else was done. */
export const CallCard = memo(function CallCard({ desk, few, now, onUndo, step }: CardParts) {
  const { kind, icon: Icon, verb, about } = callWords(step);
  const status = step.end?.payload.status;
  const isWrong = status !== undefined && status !== "ok";
  const hasBody = step.edits.length > 0 || kind === "command" || kind === "edit" || isWrong;
  const [early] = useState(few); // of many, only what runs or went wrong is open by itself
  const [chosen, setChosen] = useState<boolean>();
  const open = hasBody && (chosen ?? (early || isWrong || (status === undefined && kind === "command")));
  const [lines, setLines] = useState<string>();
  const [key] = keysIn(step.edits);
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
        {kind === "edit" && key !== undefined && (
          <button type="button" className="word" onClick={() => desk.openFile(key)}>
            open
          </button>
        )}
        {step.edits.length > 0 && step.end !== undefined && (
          <button type="button" className="word" onClick={() => onUndo({ call: step.id }, "Undo this step")}>
            undo step
          </button>
        )}
      </header>
      {open && <CardBody {...{ desk, step }} onLines={setLines} />}
    </article>
  );
});

/** How it stands, in a word. */
function CardEnd({ step: { edits, end, moment }, now }: { step: CallStep; now: number }) {
  if (end === undefined)
    return <span className="card-end gold-text">{durationWords(now - Date.parse(moment.event.ts))}</span>;
  const { exit, status } = end.payload;
  if (status === "ok" && (exit === undefined || exit === 0))
    return edits.length === 0 ? null : <span className="card-end">{filesIn(edits)}</span>;
  const words = exit !== undefined && exit !== 0 ? `exit ${exit}` : WORDS[status];
  return <span className="card-end wrong">{words ?? status}</span>;
}

const WORDS: Readonly<Record<string, string>> = { denied: "not allowed" };

/** The keys of files, as far as the events name them. */
function keysIn(edits: readonly Moment[]): string[] {
  return edits.flatMap(({ event }) => {
    const known = recognise(event);
    if (!known.ok || !("changes" in known.value.payload)) return [];
    return [...known.value.payload.changes].flatMap((change) => (isFile(change) ? [pathKey(change.path)] : []));
  });
}

/** How many, where it isn't the one that the card is named after. */
function filesIn(edits: readonly Moment[]): string {
  const long = edits.reduce((sum, { event: { payload } }) => sum + (Number(payload.count) || 0), 0);
  const many = new Set(keysIn(edits)).size + long;
  return many <= 1 ? "" : count(many, "file");
}

interface BodyParts {
  readonly desk: DeskApi;
  readonly step: CallStep;
  /** The lines of the one file that it changed. */
  onLines(lines: string): void;
}

function CardBody({ desk, step, onLines }: BodyParts) {
  const { edits, end, tool } = step;
  const reason = end?.payload.reason;
  const output = end?.payload.output;
  const isCommand = tool === "exec";
  const isSaid = isCommand || (edits.length === 0 && output !== undefined);
  return (
    <div className="card-body">
      {reason !== undefined && <p className="card-reason">{plainText(reason)}</p>}
      {isCommand && end === undefined && <Live {...{ desk }} call={step.id} />}
      {isSaid && end !== undefined && output !== undefined && output.size > 0 && (
        <Content {...{ desk }} seq={end.moment.event.seq} size={output.size} part="output" />
      )}
      {isCommand && end !== undefined && (output?.size ?? 0) === 0 && edits.length === 0 && (
        <Quiet>It wrote nothing.</Quiet>
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

function Quiet({ children }: { children: ReactNode }) {
  return <p className="card-quiet faint">{children}</p>;
}

/** What a command has written so far, also before this was looked at. */
function Live({ desk, call }: { desk: DeskApi; call: string }) {
  const text = useLiveOutput(desk, call);
  if (text === undefined) return <Quiet>Nothing written yet.</Quiet>;
  return (
    // The end is what counts: it stays in sight as more comes.
    <div className="card-live" role="log" aria-label="Output so far">
      <pre>{text}</pre>
    </div>
  );
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
  const shown = files.length > 0 ? files : all; // folders that came with files say nothing more
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
      {more > 0 && <Quiet>and {count(more, "more change")}</Quiet>}
    </div>
  );
}
