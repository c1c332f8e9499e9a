import { plainText } from "@choiros/contract";
import { CircleHelp, Pause, Play } from "lucide-react";
import { AskMark } from "../../asks/ask-mark.tsx";
import { Markdown } from "../../shown/markdown.tsx";
import { Approval } from "./approval.tsx";
import { CallCard, type StepParts } from "./call-card.tsx";
import { callWords, type Shown, shownSteps } from "./call-words.ts";
import { Content, Words } from "./content.tsx";
import type { CheckStep, Step } from "./course.ts";
import { Reason } from "./folded.tsx";

/** What was done, in order: within a task, or by the Director itself. */
export function Steps({ steps, ...parts }: StepParts & { steps: readonly Step[] }) {
  return shownSteps(steps).map((step) => <OneStep key={keyOf(step)} {...parts} step={step} />);
}

function keyOf(step: Shown): string {
  if (step.is === "call") return step.id;
  return step.is === "looks" ? `looks ${step.calls[0]?.id}` : `${step.is} ${step.seq}`;
}

function OneStep({ step, ...parts }: StepParts & { step: Shown }) {
  switch (step.is) {
    case "call": {
      const now = step.end === undefined ? parts.now : 0; // else it would be drawn again each second
      return <CallCard {...parts} {...{ step, now }} />;
    }
    case "looks":
      return <Looks calls={step.calls} />;
    case "check":
      return <Check desk={parts.desk} step={step} />;
    case "approval":
      return <Approval step={step} />;
    case "question":
      return (
        <div className="step">
          <CircleHelp aria-hidden="true" size={15} className="gold-text" />
          <div className="grow">
            <span className="faint">Asked you</span>
            <Markdown text={step.question} folder="workspace" desk={parts.desk} />
          </div>
        </div>
      );
    case "pause":
      return (
        <p className="step">
          <Pause aria-hidden="true" size={14} className="gold-text" />
          <span>{step.detail === "" ? PAUSES[step.why] : plainText(step.detail)}</span>
        </p>
      );
    case "reply":
      return (
        <p className="step">
          <Play aria-hidden="true" size={14} className="soft" />
          <span className="soft">{step.type === "ask.resumed" ? "You let it go on." : "You left it as it is."}</span>
        </p>
      );
    case "said":
      return (
        <p className="course-said">
          <span className="faint">You said</span> {plainText(step.text)}
        </p>
      );
    case "answer":
      return (
        <section className="answer" aria-label="Answer" data-status={step.status}>
          <Words desk={parts.desk} seq={step.seq} part="answer" />
        </section>
      );
  }
}

const PAUSES: Readonly<Record<string, string>> = {
  failed: "It couldn't go on.",
  interrupted: "It was interrupted.",
  limit: "It reached a limit.",
  stopped: "It was stopped.",
};

function Looks({ calls }: { calls: Extract<Shown, { is: "looks" }>["calls"] }) {
  const lines = calls.map((call) => ({ id: call.id, ...callWords(call) }));
  return (
    <details className="looks">
      <summary>
        Looked at {lines[0]?.about} <span className="faint">and {lines.length - 1} more</span>
      </summary>
      <ul>
        {lines.map(({ id, verb, about }) => (
          <li key={id}>
            {verb} <span className="mono">{about}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Check({ step, desk }: Pick<StepParts, "desk"> & { step: CheckStep }) {
  const { output, reason } = step;
  const isGood = step.exit === 0;
  const hasOutput = output !== undefined && output.size > 0;
  return (
    <div className="check" data-good={isGood}>
      <p className="step">
        <AskMark status={isGood ? "done" : "failed"} />
        <span>
          Check: <span className="mono">{plainText(step.command)}</span>
        </span>
        <span className={isGood ? "step-end faint" : "step-end wrong"}>{isGood ? "passed" : `exit ${step.exit}`}</span>
      </p>
      {!isGood && (hasOutput || reason !== undefined) && (
        <div className="card">
          <div className="card-body">
            {reason !== undefined && <Reason text={reason} />}
            {hasOutput && <Content {...{ desk }} seq={step.seq} size={output.size} part="output" />}
          </div>
        </div>
      )}
    </div>
  );
}
