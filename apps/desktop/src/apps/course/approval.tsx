import { plainWhole, plainWords, reasonOf } from "@choiros/contract";
import { ShieldQuestionMark } from "lucide-react";
import type { ApprovalStep } from "./course.ts";

/** What was asked for, line by line, why, and what the user said to it: that is the console's to ask. */
export function Approval({ step: { covers, decision, why } }: { step: ApprovalStep }) {
  const lines = plainWords(covers).split("\n").filter(Boolean);
  const [only] = lines;
  return (
    <div className="wants" data-open={decision === undefined}>
      <ShieldQuestionMark aria-hidden="true" size={16} className="gold-text" />
      <div className="grow">
        <p>
          {decision === undefined ? "Needs your approval: " : ""}
          {lines.length === 1 && <span className="mono">{only}</span>}
        </p>
        {lines.length > 1 && (
          <ul className="approval-lines mono" aria-label="What it asks for">
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
        {why !== undefined && <Why why={why} />}
        <p className="faint">
          {decision === undefined ? "Answer it in the bar above the desktop." : DECISIONS[decision]}
        </p>
      </div>
    </div>
  );
}

/** In the words of the console. */
function Why({ why }: { why: string }) {
  const reason = reasonOf(why);
  if (reason === undefined) return <p className="soft approval-why">{plainWords(why)}</p>;
  return (
    <div className="soft approval-why">
      {reason.does}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className="approval-call" tabIndex={0} aria-label="What it was called with">
        <dl>
          {reason.given.map(([name, values]) => (
            <div key={name}>
              <dt className="faint">{plainWords(name)}</dt>
              <dd className="mono">{plainWhole(values.join("\n"))}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}

const DECISIONS: Readonly<Record<NonNullable<ApprovalStep["decision"]>, string>> = {
  always: "You allowed it for good.",
  closed: "It was closed without an answer.",
  denied: "You didn't allow it.",
  once: "You allowed it once.",
  task: "You allowed it for this task.",
};
