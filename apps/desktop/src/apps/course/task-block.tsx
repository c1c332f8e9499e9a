import { leaseWords, plainText } from "@choiros/contract";
import { AskMark, type Mark } from "../../asks/ask-mark.tsx";
import { durationWords } from "../../asks/ask-words.ts";
import { takenBack } from "../../desk/undos.ts";
import type { StepParts } from "./call-card.tsx";
import { workedMs } from "./clock.ts";
import { Words } from "./content.tsx";
import type { TaskItem } from "./course.ts";
import { Folded } from "./folded.tsx";
import { Steps } from "./steps.tsx";
import { doingOf, TurnBack } from "./turn-back.tsx";
import { Thinking } from "./wants.tsx";

interface TaskParts extends StepParts {
  readonly task: TaskItem;
  /** What the Associate says, as it comes. */
  readonly said: string | undefined;
  /** Since when its model says nothing, while nothing else is done for it. */
  readonly quiet: string | undefined;
}

/** One task of the plan: what it is to do, what it may, what it did, and whether its checks passed. */
export function TaskBlock({ task, said, quiet, ...parts }: TaskParts) {
  const { plan, status, steps, end } = task;
  const edits = steps.flatMap((step) => (step.is === "call" ? step.edits : []));
  const doing = doingOf(parts.undos, edits, { ...parts.cause, task: task.id });
  const taken = doing && takenBack(parts.undos, doing, "task");
  const checked = new Set(steps.flatMap((step) => (step.is === "check" ? [step.command] : [])));
  return (
    <section className="task" data-status={status} aria-label={plainText(plan.instruction.slice(0, 80))}>
      <header className="task-head">
        <AskMark status={MARKS[status]} />
        <h4 className="task-words">
          <Folded text={plan.instruction} most={280} />
        </h4>
        <span className="step-end faint">{endWords(task, parts.now)}</span>
        {doing !== undefined && status !== "running" && (
          <TurnBack what="task" target={{ task: task.id }} {...{ taken }} onUndo={parts.onUndo} />
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
      {said === undefined && quiet !== undefined && status === "running" && <Thinking since={quiet} now={parts.now} />}
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

function endWords({ status, worked }: TaskItem, now: number): string {
  const ms = workedMs(worked, now);
  return [WORDS[status], ...(ms > 0 ? [durationWords(ms)] : [])].filter((part) => part !== undefined).join(" · ");
}

const WORDS: Readonly<Record<string, string>> = {
  denied: "not allowed",
  failed: "failed",
  halted: "stopped",
  needs_input: "asks",
  planned: "planned",
};

/** As a task stands, by the marks of asks. */
const MARKS: Readonly<Record<TaskItem["status"], Mark>> = {
  denied: "failed",
  failed: "failed",
  halted: "stopped",
  needs_input: "wondering",
  ok: "done",
  planned: "planned",
  running: "running",
};
