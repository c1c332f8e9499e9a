import type { Target } from "@choiros/contract";
import { CornerDownLeft, Play, Redo2, Square, Undo2, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Ask } from "../../asks/ask-rows.ts";
import { isAtWork, isOpen } from "../../asks/ask-words.ts";
import { stopAsk } from "../../asks/stop-ask.ts";
import type { DeskApi } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
import type { Outcome } from "../../desk/shapes.ts";
import { count } from "../../words.ts";

interface FootParts {
  readonly desk: DeskApi;
  readonly ask: Ask;
  /** How many files it changed, without what is taken back. */
  readonly changed: number;
  onUndoAll(): void;
  onRedoAll(target: Target): void;
  /** Says something to it, or after it. */
  onSay(text: string): Promise<boolean>;
}

/** So long after it paused nothing is resumed: a click, or its double, was for what stood there before. */
const SETTLE_MS = 500;

/** What can be done about it, and the line in which one says more. */
export function Foot({ desk, ask, changed, onUndoAll, onRedoAll, onSay }: FootParts) {
  const isSettled = useSettled(ask.status);
  const redo = ask.taken?.redo;
  const settle = async (doing: Promise<Outcome>) => {
    try {
      const outcome = await doing;
      if (!outcome.ok) desk.notify({ text: outcome.message, kind: "wrong" });
    } catch (error) {
      desk.notify({ text: sentence(error), kind: "wrong" });
    }
  };
  const withdraw = () =>
    void settle(
      desk.asks.withdraw(ask.id).then((outcome) => {
        if (outcome.ok) desk.notifyDone("The ask is taken back", outcome);
        return outcome;
      }),
    );
  const isPaused = isOpen(ask) && !isAtWork(ask) && ask.status !== "queued";
  return (
    <footer className="course-foot">
      <FollowUp ask={ask} onSay={onSay} />
      <div className="course-deeds">
        {isAtWork(ask) && (
          <button type="button" className="button" onClick={() => void stopAsk(desk, ask.id)}>
            <Square aria-hidden="true" size={11} />
            Stop
          </button>
        )}
        {ask.status === "queued" && (
          <button type="button" className="button" onClick={withdraw}>
            <X aria-hidden="true" size={13} />
            Take back
          </button>
        )}
        {isPaused && (
          <>
            <button
              type="button"
              className="button gold"
              disabled={!isSettled}
              onClick={() => void settle(desk.asks.resume(ask.id))}
            >
              <Play aria-hidden="true" size={12} />
              Resume
            </button>
            <button
              type="button"
              className="button"
              disabled={!isSettled}
              onClick={() => void settle(desk.asks.leave(ask.id))}
            >
              Leave it
            </button>
          </>
        )}
        {changed > 0 && (
          <button type="button" className="button quiet" onClick={onUndoAll}>
            <Undo2 aria-hidden="true" size={14} />
            Undo all of it
          </button>
        )}
        {redo !== undefined && (
          <button type="button" className="button quiet" onClick={() => onRedoAll(redo)}>
            <Redo2 aria-hidden="true" size={14} />
            Redo
          </button>
        )}
        <span className="course-changed faint">
          {ask.taken !== undefined ? "taken back" : changed > 0 && `${count(changed, "file")} changed`}
        </span>
      </div>
    </footer>
  );
}

/** Whether it has been so for a moment; at the beginning it has. */
function useSettled(status: Ask["status"]): boolean {
  const [settled, setSettled] = useState(status);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(status), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [status]);
  return settled === status;
}

const WORDS: Partial<Readonly<Record<Ask["status"], string>>> = {
  approval: "Tell it something",
  running: "Tell it something",
  wondering: "Answer it",
};

function FollowUp({ ask, onSay }: Pick<FootParts, "ask" | "onSay">) {
  const [text, setText] = useState("");
  const busy = useRef(false);
  const send = async () => {
    if (text.trim() === "" || busy.current) return;
    busy.current = true;
    if (await onSay(text)) setText("");
    busy.current = false;
  };
  const key = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  const words = WORDS[ask.status] ?? "Ask for more";
  return (
    <div className="course-say">
      <textarea
        rows={1}
        value={text}
        aria-label={words}
        placeholder={words}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={key}
      />
      <button
        type="button"
        className="course-send"
        aria-label="Send"
        disabled={text.trim() === ""}
        onClick={() => void send()}
      >
        <CornerDownLeft aria-hidden="true" size={15} />
      </button>
    </div>
  );
}
