import { plainText } from "@choiros/contract";
import { AskMark } from "../../asks/ask-mark.tsx";
import { durationWords } from "../../asks/ask-words.ts";
import type { StepParts } from "./call-card.tsx";
import { Words } from "./content.tsx";
import type { TaskItem } from "./course.ts";
import { Folded } from "./folded.tsx";
import { leaseWords } from "./lease-words.ts";
import { markOf, Steps } from "./steps.tsx";

interface TaskParts extends StepParts {
  readonly task: TaskItem;
  /** What the Associate says, as it comes. */
  readonly said: string | undefined;
  /** Nothing runs for the ask just now. */
  readonly isStill: boolean;
}

/** One task of the plan: what it is to do, what it may, what it did, and whether its checks passed. */
export function TaskBlock({ task, said, isStill, ...parts }: TaskParts) {
  const { plan, status, steps, end } = task;
  const hasChanges = steps.some((step) => step.is === "call" && step.edits.length > 0);
  const checked = new Set(steps.flatMap((step) => (step.is === "check" ? [step.command] : [])));
  return (
    <section className="task" data-status={status} aria-label={plainText(plan.instruction.slice(0, 80))}>
      <header className="task-head">
        <AskMark status={markOf(status, isStill)} />
        <h4 className="task-words">
          <Folded text={plan.instruction} most={280} />
        </h4>
        <span className="step-end faint">{endWords(task, parts.now, isStill)}</span>
        {hasChanges && status !== "running" && (
          <button type="button" className="word" onClick={() => parts.onUndo({ task: task.id }, "Undo this task")}>
            undo task
          </button>
        )}
      </header>
      <ul className="lease" aria-label="What it may do">
        {leaseWords(plan).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      {plan.acceptance_criteria.length > 0 && (
        <p className="criteria soft">Done when {plainText(plan.acceptance_criteria.join("; "))}</p>
      )}
      <Steps {...parts} steps={steps} />
      {said !== undefined && status === "running" && <Saying text={said} />}
      {plan.verify
        .filter((command) => !checked.has(command))
        .map((command) => (
          <p key={command} className="step faint">
            <AskMark status="planned" />
            <span>
              Check: <span className="mono">{plainText(command)}</span>
            </span>
          </p>
        ))}
      {task.reason !== undefined && <p className="card-reason">{plainText(task.reason)}</p>}
      {end !== undefined && status !== "ok" && (
        <div className="task-summary">
          <Words desk={parts.desk} seq={end.seq} part="summary" />
        </div>
      )}
    </section>
  );
}

/** What a model says, while it says it. */
export function Saying({ text }: { text: string }) {
  return (
    <p className="saying soft" aria-live="off">
      {plainText(text)}
    </p>
  );
}

function endWords({ attempt, since, status, until }: TaskItem, now: number, isStill: boolean): string {
  const again = attempt > 1 ? `try ${attempt}` : undefined;
  const isCounting = status === "running" && !isStill;
  const end = until === undefined ? (isCounting ? now : undefined) : Date.parse(until);
  const took = since === undefined || end === undefined ? undefined : durationWords(end - Date.parse(since));
  const word = WORDS[status];
  return [again, word, took].filter((part) => part !== undefined).join(" · ");
}

const WORDS: Readonly<Record<string, string>> = {
  denied: "not allowed",
  failed: "failed",
  needs_input: "asks",
  planned: "planned",
};
