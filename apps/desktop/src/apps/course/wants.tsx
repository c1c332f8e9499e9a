import { pathKey, plainText, withoutMarks } from "@choiros/contract";
import { CircleHelp } from "lucide-react";
import { useRef, useState } from "react";
import type { Ask } from "../../asks/ask-rows.ts";
import { durationWords, isBusy } from "../../asks/ask-words.ts";
import type { Streams } from "../../asks/streams.ts";
import { watchDemo } from "../../asks/watch-demo.ts";
import { asSentence, connectModel, NOBODY, PATIENCE_MS } from "../../bar/no-model.ts";
import type { DeskApi } from "../../desk/api.ts";
import { focusOn } from "../../focus.ts";
import { Markdown } from "../../shown/markdown.tsx";
import { Files } from "./head.tsx";

interface QuestionParts {
  readonly desk: DeskApi;
  readonly ask: Ask;
  onSay(text: string): Promise<boolean>;
}

/** A question that waits for its answer: by a choice, or in words below. */
export function Question({ desk, ask, onSay }: QuestionParts) {
  if (ask.status !== "wondering" || ask.question === null) return null;
  return <OpenQuestion key={ask.until} question={ask.question} {...{ desk, onSay }} />;
}

interface OpenParts extends Pick<QuestionParts, "desk" | "onSay"> {
  readonly question: NonNullable<Ask["question"]>;
}

function OpenQuestion({ desk, question: { choices, text }, onSay }: OpenParts) {
  const [isSaid, setSaid] = useState(false);
  const place = useRef<HTMLElement>(null);
  // Said twice, it would be told to what goes on, or be another ask. The button goes, and the keys stay in this window.
  const say = async (choice: string) => {
    focusOn(place.current?.closest<HTMLElement>(".course-body"));
    setSaid(true);
    if (!(await onSay(choice))) setSaid(false);
  };
  return (
    <section ref={place} className="wants" data-open="true" aria-label="A question for you">
      <CircleHelp aria-hidden="true" size={16} className="gold-text" />
      <div className="grow">
        <Markdown text={text} folder="workspace" desk={desk} />
        <div className="wants-choices">
          {choices.map((choice) => (
            <button key={choice} type="button" className="button" disabled={isSaid} onClick={() => void say(choice)}>
              {plainText(withoutMarks(choice))}
            </button>
          ))}
        </div>
        {choices.length === 0 && <p className="faint">Answer it below.</p>}
      </div>
    </section>
  );
}

interface WaitParts {
  readonly desk: DeskApi;
  readonly ask: Ask;
  /** Whether another one is worked at. */
  readonly isBehind: boolean;
  readonly waits: Streams["waits"];
  readonly now: number;
}

/** Why nothing happens just now. */
export function Waits({ desk, ask, isBehind, waits, now }: WaitParts) {
  if (ask.status === "queued") {
    const isTaken = now - Date.parse(ask.until) < PATIENCE_MS; // it is about to be
    if (isBehind) return <p className="step faint">Waits for its turn.</p>;
    if (isTaken && waits === undefined) return <p className="step faint">Waits to be taken up.</p>;
    return (
      <p className="step faint">
        <span>
          {waits === undefined ? NOBODY : asSentence(plainText(waits.why))}{" "}
          <button type="button" className="word" onClick={connectModel}>
            Connect a model
          </button>{" "}
          <button type="button" className="word" onClick={() => void watchDemo(desk)}>
            Watch the scripted demo
          </button>
        </span>
      </p>
    );
  }
  if (waits === undefined || !isBusy(ask)) return null;
  const left = Math.ceil((waits.until - now) / 1000);
  return (
    <p className="step faint">
      {plainText(waits.why)}
      {left > 0 && ` · ${left} s`}
    </p>
  );
}

/** Sooner it isn't worth a number. */
const LONG_MS = 3000;

/** Nothing is to be seen of it, and yet its model is at it, or waits for who provides it. */
export function Thinking({ since, now }: { since: string; now: number }) {
  const ms = now - Date.parse(since);
  return <p className="step faint">Thinking…{ms >= LONG_MS && ` ${durationWords(ms)}`}</p>;
}

/** Where the user finds what came of it. */
export function Look({ desk, ask }: { desk: DeskApi; ask: Ask }) {
  const { taken } = ask;
  const there = ask.look.filter((path) => taken?.but.includes(pathKey(path)) ?? true);
  if (ask.answer === null || there.length === 0) return null;
  return (
    <div className="course-look">
      <span className="faint">Where to look</span>
      <Files desk={desk} paths={there} />
    </div>
  );
}
