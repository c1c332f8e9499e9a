import "./ask-mark.css";
import { Check, CircleHelp, Clock3, Minus, Pause, ShieldQuestionMark, X } from "lucide-react";
import type { Ask } from "./ask-rows.ts";

/** `planned`: nothing of it has begun. */
export type Mark = Ask["status"] | "planned";

/** How an ask, or a step of one, stands, as a sign: the words stand beside it. */
export function AskMark({ status }: { status: Mark }) {
  return (
    <span className="ask-mark" data-status={status} aria-hidden="true">
      {signOf(status)}
    </span>
  );
}

function signOf(status: Mark) {
  switch (status) {
    case "done":
      return <Check size={11} strokeWidth={3} />;
    case "given-up":
    case "failed":
      return <X size={11} strokeWidth={3} />;
    case "wondering":
      return <CircleHelp size={12} strokeWidth={2.4} />;
    case "approval":
      return <ShieldQuestionMark size={12} strokeWidth={2.4} />;
    case "stopped":
    case "limit":
    case "interrupted":
      return <Pause size={10} strokeWidth={3} />;
    case "queued":
      return <Clock3 size={12} strokeWidth={2.2} />;
    case "planned":
      return null;
    case "running":
      return <i />;
    default:
      return <Minus size={11} strokeWidth={3} />;
  }
}
