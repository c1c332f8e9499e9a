import { plainText } from "@choiros/contract";
import { CircleHelp } from "lucide-react";
import type { Ask } from "../../asks/ask-rows.ts";
import { isAtWork } from "../../asks/ask-words.ts";
import type { DeskApi } from "../../desk/api.ts";
import { Files } from "./head.tsx";
import type { Streams } from "./streams.ts";

/** A question that waits for its answer: by a choice, or in words below. */
export function Question({ ask, onSay }: { ask: Ask; onSay(text: string): Promise<boolean> }) {
  if (ask.status !== "wondering" || ask.question === null) return null;
  const { choices, text } = ask.question;
  return (
    <section className="wants" data-open="true" aria-label="A question for you">
      <CircleHelp aria-hidden="true" size={16} className="gold-text" />
      <div className="grow">
        <p className="wants-words">{plainText(text)}</p>
        <div className="wants-choices">
          {choices.map((choice) => (
            <button key={choice} type="button" className="button" onClick={() => void onSay(choice)}>
              {plainText(choice)}
            </button>
          ))}
        </div>
        {choices.length === 0 && <p className="faint">Answer it below.</p>}
      </div>
    </section>
  );
}

/** Why nothing happens just now. */
export function Waits({ ask, waits, now }: { ask: Ask; waits: Streams["waits"]; now: number }) {
  if (ask.status === "queued") return <p className="step faint">{plainText(waits?.why ?? "Waits for its turn.")}</p>;
  if (waits === undefined || !isAtWork(ask)) return null;
  const left = Math.ceil((waits.until - now) / 1000);
  return (
    <p className="step faint">
      {plainText(waits.why)}
      {left > 0 && ` · ${left} s`}
    </p>
  );
}

/** Where the user finds what came of it. */
export function Look({ desk, ask }: { desk: DeskApi; ask: Ask }) {
  if (ask.answer === null || ask.look.length === 0) return null;
  return (
    <div className="course-look">
      <span className="faint">Where to look</span>
      <Files desk={desk} paths={ask.look} />
    </div>
  );
}
