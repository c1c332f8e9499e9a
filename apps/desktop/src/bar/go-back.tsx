import { History } from "lucide-react";
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import type { DeskApi } from "../desk/api.ts";
import { sentence } from "../desk/problem.ts";
import type { Preview, Said } from "../desk/shapes.ts";
import { focusOn } from "../focus.ts";
import { momentWords } from "../words.ts";
import { backWords } from "./back-words.ts";
import type { PastMoment } from "./carry-out.ts";

interface GoBackParts {
  readonly api: DeskApi;
  /** When everything was as it is to be again. */
  readonly moment: PastMoment;
  /** Whether somebody waits for it, who hasn't the keys elsewhere by now. */
  waits(): boolean;
  onLeave(): void;
}

interface Found {
  readonly said: readonly Said[];
  readonly answer: Preview;
}

/** What going back would change, before anything is touched. */
export function GoBack({ api, moment, waits, onLeave }: GoBackParts) {
  const { since } = moment;
  const title = `Go back to how all was ${momentWords(new Date(moment.time), new Date())}`;
  const [found, setFound] = useState<Found>();
  const [problem, setProblem] = useState<string>();
  const place = useRef<HTMLElement>(null);
  /** The button that has the keys once it is known what would change: the one to go back, or where that is nothing, to leave. */
  const button = useRef<HTMLButtonElement>(null);
  const take = useEffectEvent(() => waits() && focusOn(place.current));
  useEffect(() => void take(), []);
  useEffect(() => {
    const ended = new AbortController();
    api.preview({ since }, undefined, { signal: ended.signal, lines: false }).then(setFound, (error: unknown) => {
      if (!ended.signal.aborted) setProblem(sentence(error));
    });
    return () => ended.abort();
  }, [api, since]);
  const words = found && backWords(found.said);
  const refused = problem ?? (found?.answer.ok === false ? found.answer.message : undefined);
  const isKnown = refused === undefined && words !== undefined && words.stuck === 0;
  const isNothing = isKnown && words.text === undefined;
  useEffect(() => {
    if (isKnown && document.activeElement === place.current) focusOn(button.current);
  }, [isKnown]);

  const leaveByKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    onLeave();
  };
  const go = () => {
    onLeave();
    void api.takeBack({ since });
  };
  const look = () => {
    onLeave();
    api.open("timeline", { seq: since });
  };
  return (
    <section
      className="ask-back"
      aria-label={title}
      aria-busy={found === undefined}
      ref={place}
      tabIndex={-1}
      onKeyDown={leaveByKey}
    >
      <p className="ask-back-title">
        {title} <small className="faint">after event {since}</small>
      </p>
      <p role="status" className="soft">
        {refused ?? (words === undefined ? "Looking at what would change…" : sentenceOf(words.text, words.stuck))}
      </p>
      {words !== undefined && words.paths.length > 0 && (
        <ul>
          {words.paths.map(({ name, way }) => (
            <li key={name}>
              <span className="ask-back-way" data-way={way}>
                {way}
              </span>
              <span className="mono">{name}</span>
            </li>
          ))}
          {words.more > 0 && <li className="faint">and {words.more} more</li>}
        </ul>
      )}
      <footer>
        <button type="button" className="button quiet" onClick={look}>
          Look in Timeline
        </button>
        <span className="grow" />
        <button type="button" className="button" ref={isNothing ? button : undefined} onClick={onLeave}>
          Leave it
        </button>
        {!isNothing && (
          <button type="button" className="button gold" ref={button} disabled={!isKnown} onClick={go}>
            <History aria-hidden="true" size={14} />
            Go back
          </button>
        )}
      </footer>
    </section>
  );
}

function sentenceOf(text: string | undefined, stuck: number): string {
  if (stuck > 0)
    return `For ${stuck === 1 ? "one path" : `${stuck} paths`} somebody has to choose first: Timeline shows them.`;
  return text === undefined ? "Nothing would change: all is as it was then." : `${text}. It can be undone.`;
}
