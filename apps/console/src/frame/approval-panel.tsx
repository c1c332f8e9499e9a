import { plain, plainWords } from "@choiros/contract";
import { ShieldCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { ComputerApi, Decision } from "../server/computer-api.ts";
import { sentence } from "../server/problem.ts";
import { dayAndTime, shortTime } from "../words.ts";
import { answersFor } from "./approval-answers.ts";
import { Panel } from "./panel.tsx";
import type { Approval } from "./unfinished.ts";

interface ApprovalParts {
  readonly api: ComputerApi;
  readonly waiting: readonly Approval[];
  /** Whoever sits here is the owner of the server. */
  readonly owner: boolean;
  onClose(): void;
}

/** So long after the list has changed nothing is answered: a click, or its double, was for what stood there before. */
const SETTLE_MS = 500;

/** What an agent may not do without being told, waits here. */
export function ApprovalPanel({ api, waiting, owner, onClose }: ApprovalParts) {
  const body = useRef<HTMLDivElement>(null);
  const [settled, setSettled] = useState<readonly Approval[]>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(waiting), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [waiting]);
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
              <Question key={approval.id} {...{ api, approval, owner }} ready={settled === waiting} />
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}

interface QuestionParts extends Pick<ApprovalParts, "api" | "owner"> {
  readonly approval: Approval;
  readonly ready: boolean;
}

function Question({ api, approval, owner, ready }: QuestionParts) {
  const [said, setSaid] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { by, cause, covers, id, since, why } = approval;
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
      <div className="approval-who faint">
        <b>{by === "agent" ? "Agent" : by}</b>
        {cause.task !== undefined && <span>in task {plain(cause.task)}</span>}
        <time dateTime={since} title={dayAndTime(since)}>
          since {shortTime(since)}
        </time>
      </div>
      <p id={`covers-${id}`} className="approval-covers">
        {plainWords(covers)}
      </p>
      {why !== undefined && <p className="soft approval-why">{plainWords(why)}</p>}
      {said !== undefined && (
        <p className="said warn" role="alert">
          {said}
        </p>
      )}
      <div className="approval-answers">
        {answersFor(owner).map(([decision, words, look]) => (
          <button
            key={decision}
            type="button"
            className={look}
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
