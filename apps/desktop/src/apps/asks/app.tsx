import "./asks.css";
import { plainLine, withoutMarks } from "@choiros/contract";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { AskMark } from "../../asks/ask-mark.tsx";
import { type Ask, asksIn } from "../../asks/ask-rows.ts";
import { costWords, isOpen, needsUser, standWords } from "../../asks/ask-words.ts";
import { askedIn } from "../../bar/asked.ts";
import { useUndos } from "../../desk/undos.ts";
import { focusOn } from "../../focus.ts";
import { SearchField } from "../../shown/search-field.tsx";
import { useWatched } from "../../watched.ts";
import { count, momentWords } from "../../words.ts";
import type { AppProps } from "../app.ts";
import { useFreeFocus } from "../free-focus.ts";
import { fitting } from "./fitting-asks.ts";

/** More aren't drawn at once: who looks for one has words for it. */
const MOST = 300;

/** Everything that was asked, how it stands, and the way to each. */
export default function AsksList({ window, desk }: AppProps) {
  const rows = useWatched(desk.asks.rows);
  const settings = useWatched(desk.settings.values);
  const messages = useWatched(desk.asks.messages);
  const [words, setWords] = useState("");
  const [openOnly, setOpenOnly] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const undos = useUndos(desk);
  const asks = useMemo(() => asksIn(rows, settings, undos), [rows, settings, undos]);
  const texts = useMemo(() => new Map(askedIn(messages).map(({ id, text }) => [id, text])), [messages]);
  const found = fitting(asks, texts, { words, openOnly });
  const open = asks.filter(isOpen).length;
  useFreeFocus(field, window.inFront);

  const key = (event: KeyboardEvent) => {
    const lines = [...(list.current?.querySelectorAll<HTMLElement>("button") ?? [])];
    const at = lines.findIndex((line) => line.matches(":focus"));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1 }[event.key];
    if (to === undefined || (event.target === field.current && event.key !== "ArrowDown")) return;
    event.preventDefault();
    if (to < 0) focusOn(field.current);
    else lines[Math.min(to, lines.length - 1)]?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows lead through the list wherever one is
    <div className="asks-app" onKeyDown={key}>
      <div className="asks-tools">
        <SearchField hint="Find among asks" {...{ words, field }} onWords={setWords} />
        <button type="button" className="button" aria-pressed={openOnly} onClick={() => setOpenOnly(!openOnly)}>
          Not over yet{open > 0 && <b className="asks-count">{open}</b>}
        </button>
      </div>
      {found.length === 0 ? (
        <Nothing isAny={asks.length > 0} onAsk={() => desk.asks.begin("")} />
      ) : (
        <ul className="asks-lines" ref={list} aria-label="Asks">
          {found.slice(0, MOST).map((ask) => (
            <li key={ask.id}>
              <Line ask={ask} onOpen={() => void desk.open("course", { ask: ask.id })} />
            </li>
          ))}
          {found.length > MOST && (
            <li className="asks-rest faint">and {count(found.length - MOST, "more")}: find them by their words</li>
          )}
        </ul>
      )}
    </div>
  );
}

function Line({ ask, onOpen }: { ask: Ask; onOpen(): void }) {
  const cost = costWords(ask);
  return (
    <button type="button" className="asks-line" data-wants={needsUser(ask)} data-over={!isOpen(ask)} onClick={onOpen}>
      <AskMark status={ask.taken !== undefined && !isOpen(ask) ? "withdrawn" : ask.status} />
      <span className="asks-words">
        <span className="asks-name">{ask.title}</span>
        <span className="asks-sub">
          <span className={needsUser(ask) ? "gold-text" : ""}>{standWords(ask)}</span>
          {ask.question !== null && `: ${plainLine(withoutMarks(ask.question.text))}`}
          {ask.detail !== null && ask.detail !== "" && `: ${plainLine(ask.detail)}`}
        </span>
      </span>
      <span className="asks-end">
        {cost !== undefined && <span className="mono">{cost}</span>}
        <time dateTime={ask.until}>{momentWords(new Date(ask.until), new Date())}</time>
      </span>
    </button>
  );
}

function Nothing({ isAny, onAsk }: { isAny: boolean; onAsk(): void }) {
  return (
    <div className="empty asks-none">
      <p className="soft">
        {isAny ? "No ask is like that." : "Nothing was asked yet. Say what you want in the bar below."}
      </p>
      {!isAny && (
        <button type="button" className="button" onClick={onAsk}>
          Ask for something
        </button>
      )}
    </div>
  );
}
