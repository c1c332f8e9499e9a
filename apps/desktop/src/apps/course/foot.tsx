import type { Target } from "@choiros/contract";
import { CornerDownLeft, Play, Redo2, Square, Undo2, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Ask } from "../../asks/ask-rows.ts";
import { isAtWork, isOpen } from "../../asks/ask-words.ts";
import { stopAsk } from "../../asks/stop-ask.ts";
import type { DeskApi } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
import type { Outcome } from "../../desk/shapes.ts";
import { focusOn } from "../../focus.ts";
import { useKeptWords } from "../../kept-words.ts";
import { count } from "../../words.ts";
import type { WindowHandle } from "../app.ts";
import { areKeysFree } from "../free-focus.ts";

interface FootParts {
  readonly desk: DeskApi;
  readonly ask: Ask;
  /** How many files it changed, without what is taken back. */
  readonly changed: number;
  readonly window: WindowHandle;
  onUndoAll(): void;
  onRedoAll(target: Target): void;
  /** Says something to it, or after it. */
  onSay(text: string): Promise<boolean>;
}

/** So long after it paused nothing is resumed, nor stopped after that: a click, or its double, was for what stood there before. */
const SETTLE_MS = 500;

/** What can be done about it, and the line in which one says more. */
export function Foot({ desk, ask, changed, window, onUndoAll, onRedoAll, onSay }: FootParts) {
  const settled = useSettled(ask.status);
  const isSettled = settled === ask.status;
  const isAfterPause = !isSettled && isPaused(settled);
  const redo = ask.taken?.redo;
  // Pressed again before the ask stands otherwise, it would be refused, as what is done by then.
  const isDoing = useRef(false);
  useLayoutEffect(() => {
    isDoing.current = false;
  }, [ask.status, ask.until]);
  const settle = async (deed: () => Promise<Outcome>) => {
    if (isDoing.current) return;
    isDoing.current = true;
    try {
      const outcome = await deed();
      if (outcome.ok) return;
      desk.notify({ text: outcome.message, ...(outcome.reason !== "nothing" && { kind: "wrong" }) });
    } catch (error) {
      desk.notify({ text: sentence(error), kind: "wrong" });
    }
    isDoing.current = false;
  };
  const withdraw = () =>
    settle(async () => {
      const outcome = await desk.asks.withdraw(ask.id);
      if (outcome.ok) desk.notifyDone("The ask is taken back", outcome);
      return outcome;
    });
  return (
    <footer className="course-foot">
      <FollowUp ask={ask} window={window} onSay={onSay} />
      <div className="course-deeds">
        {isAtWork(ask) && (
          <button type="button" className="button" disabled={isAfterPause} onClick={() => void stopAsk(desk, ask.id)}>
            <Square aria-hidden="true" size={11} />
            Stop
          </button>
        )}
        {ask.status === "queued" && (
          <button type="button" className="button" disabled={isAfterPause} onClick={() => void withdraw()}>
            <X aria-hidden="true" size={13} />
            Take back
          </button>
        )}
        {isPaused(ask.status) && (
          <>
            <button
              type="button"
              className="button gold"
              disabled={!isSettled}
              onClick={() => void settle(() => desk.asks.resume(ask.id))}
            >
              <Play aria-hidden="true" size={12} />
              Resume
            </button>
            <button
              type="button"
              className="button"
              disabled={!isSettled}
              onClick={() => void settle(() => desk.asks.leave(ask.id))}
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
          {ask.taken !== undefined ? ask.taken.words : changed > 0 && `${count(changed, "file")} changed`}
        </span>
      </div>
    </footer>
  );
}

function isPaused(status: Ask["status"]): boolean {
  return isOpen({ status }) && !isAtWork({ status }) && status !== "queued";
}

/** What it has been for a moment; at the beginning it has. */
function useSettled(status: Ask["status"]): Ask["status"] {
  const [settled, setSettled] = useState(status);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(status), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [status]);
  return settled;
}

const WORDS: Partial<Readonly<Record<Ask["status"], string>>> = {
  approval: "Tell it something",
  running: "Tell it something",
  wondering: "Answer it",
};

/** Windows in whose line somebody said something: another ask that comes of it begins with the keys there. */
const speaking = new Set<string>();

function FollowUp({ ask, window, onSay }: Pick<FootParts, "ask" | "window" | "onSay">) {
  const { id, inFront } = window;
  const [text, setText] = useKeptWords(`say.${id}`);
  const field = useRef<HTMLTextAreaElement>(null);
  const isWanted = inFront && ask.status === "wondering";
  useEffect(() => {
    if (isWanted && areKeysFree(field.current)) focusOn(field.current); // what one types is the answer
  }, [isWanted]);
  // With what takes its place on the page: a key that is pressed in between would go nowhere.
  useLayoutEffect(() => {
    const { current } = field;
    if (!speaking.delete(id) || current === null || !areKeysFree(current)) return;
    current.setSelectionRange(current.value.length, current.value.length);
    focusOn(current);
  }, [id]);
  /** Whoever types on meanwhile begins the next one; what was refused stands before that. */
  const send = async () => {
    if (text.trim() === "") return;
    setText("");
    speaking.add(id);
    if (await onSay(text)) return;
    speaking.delete(id);
    setText((now) => (now === "" ? text : `${text}\n${now}`));
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
        ref={field}
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
