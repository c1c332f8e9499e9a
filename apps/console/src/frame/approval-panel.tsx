import { isForTask, plainWords } from "@choiros/contract";
import { ShieldCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { ComputerApi, Decision } from "../server/computer-api.ts";
import { sentence } from "../server/problem.ts";
import type { History } from "../time/history.ts";
import { dayAndTime, shortTime } from "../words.ts";
import { answersFor } from "./approval-answers.ts";
import { ApprovalReason } from "./approval-reason.tsx";
import { useHistory } from "./live.ts";
import { Panel } from "./panel.tsx";
import type { Approval } from "./unfinished.ts";
import { useSettled } from "./use-settled.ts";

interface ApprovalParts {
  readonly api: ComputerApi;
  /** Knows how asks and tasks are called. */
  readonly history: History;
  readonly waiting: readonly Approval[];
  /** Whoever sits here is the owner of the server. */
  readonly owner: boolean;
  onClose(): void;
}

/** What an agent may not do without being told, waits here. */
export function ApprovalPanel({ api, history, waiting, owner, onClose }: ApprovalParts) {
  useHistory(history);
  const body = useRef<HTMLDivElement>(null);
  const ready = useSettled(waiting);
  // The button that was pressed is gone with its approval: the keyboard goes on with what is left.
  useEffect(() => {
    if (document.activeElement === document.body) body.current?.focus();
  }, [waiting]);
  return (
    <Panel title="Approvals" onClose={onClose}>
      <div className="approvals" ref={body} tabIndex={-1}>
        {waiting.length === 0 ? (
          <Nothing />
        ) : (
          <ul aria-label="Waiting for your answer">
            {waiting.map((approval) => (
              <Question key={approval.id} {...{ api, approval, history, owner, ready }} />
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}

interface QuestionParts extends Pick<ApprovalParts, "api" | "history" | "owner"> {
  readonly approval: Approval;
  readonly ready: boolean;
}

function Question({ api, approval, history, owner, ready }: QuestionParts) {
  const [said, setSaid] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { covers, id } = approval;
  const answers = answersFor({ owner, beforeTask: isForTask(approval) });
  const answer = async (decision: Decision) => {
    setBusy(true);
    try {
      const outcome = await api.answer(id, decision);
      if (outcome.ok) return; // its event takes it off the list
      setSaid(outcome.message);
    } catch (error) {
      setSaid(sentence(error));
    }
    setBusy(false);
  };
  return (
    <li aria-labelledby={`covers-${id}`} aria-busy={busy}>
      <Asker {...{ approval, history }} />
      <p id={`covers-${id}`} className="approval-covers">
        {plainWords(covers)}
      </p>
      <ApprovalReason {...{ approval }} />
      {said !== undefined && (
        <p className="said warn" role="alert">
          {said}
        </p>
      )}
      <div className="approval-answers">
        {answers.map(([decision, words, look], index) => (
          <button
            key={decision}
            type="button"
            className={index === 0 ? "button gold" : look}
            disabled={busy || !ready}
            aria-describedby={`covers-${id}`}
            onClick={() => answer(decision)}
          >
            {words}
          </button>
        ))}
      </div>
    </li>
  );
}

/** Who asks, for which ask, in which task. */
function Asker({ approval, history }: Pick<QuestionParts, "approval" | "history">) {
  const { by, cause, since } = approval;
  const who = by === "agent" ? "Agent" : by;
  const [ask, task] = [history.titleOf(cause.ask), history.titleOf(cause.task)];
  return (
    <div className="approval-who faint">
      <b>{history.isScripted(cause.ask) ? "Scripted demo" : who}</b>
      {ask !== undefined && <span>for “{plainWords(ask)}”</span>}
      <time dateTime={since} title={dayAndTime(since)}>
        since {shortTime(since)}
      </time>
      {task !== undefined && !isForTask(approval) && <span className="approval-task">Task: {plainWords(task)}</span>}
    </div>
  );
}

function Nothing() {
  return (
    <div className="empty">
      <ShieldCheck aria-hidden="true" size={22} />
      <p>Nothing waits for you.</p>
      <p className="faint">
        When an agent wants to leave the limits of its task, it asks here, and only here: the desktop can't answer for
        you.
      </p>
    </div>
  );
}
