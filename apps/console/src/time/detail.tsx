import { describeEvent, type Target, undoTargetOf } from "@choiros/contract";
import { History as HistoryIcon, Undo2, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Said } from "../frame/said-line.tsx";
import type { ComputerApi } from "../server/computer-api.ts";
import { dayAndTime, number, shorten } from "../words.ts";
import { placeOf, ShownChange } from "./diff-lines.tsx";
import { type Differences, useChanges } from "./differences.ts";
import { EventMark } from "./event-mark.tsx";
import { FileView } from "./file-view.tsx";
import type { History } from "./history.ts";
import { TakeBack } from "./take-back.tsx";
import type { Tree } from "./tree.ts";

interface DetailParts {
  readonly api: ComputerApi;
  readonly history: History;
  readonly seq: number;
  readonly tree: Tree;
  readonly differences: Differences;
  readonly chosen: string | undefined;
  onUnchoose(): void;
  onNow(): void;
}

interface Aim {
  readonly target: Target;
  readonly title: string;
}

/** What is to be said of the moment: what it changed, the file that was picked, or what going back would do. */
export function Detail({ api, history, seq, tree, differences, chosen, onUnchoose, onNow }: DetailParts) {
  const [aim, setAim] = useState<Aim>();
  const [said, setSaid] = useState<Said>();
  useEffect(() => setAim(undefined), [seq, chosen]);
  const place = useRef<HTMLElement>(null);
  const shown = { seq, chosen, aim };
  const now = useRef(shown);
  now.current = shown;
  // The button that was pressed goes with what it was for: the keyboard goes on here.
  const leave = () => {
    keepFocus(place.current);
    setAim(undefined);
  };
  const done = (words: string) => {
    setSaid({ good: true, text: words });
    const { current } = now;
    const isThere = current.seq === seq && current.chosen === chosen && current.aim === aim;
    if (!isThere) return keepFocus(place.current); // whoever looks at something else by then goes on with that
    leave();
    onNow();
  };
  const begin = (next: Aim) => {
    setSaid(undefined); // it was about something else
    setAim(next);
  };
  const dismiss = () => {
    place.current?.focus();
    setSaid(undefined);
  };
  const unchoose = () => {
    place.current?.focus();
    onUnchoose();
  };
  const entry = chosen === undefined ? undefined : tree.get(chosen);
  return (
    <section className="time-detail" aria-label="The moment" ref={place} tabIndex={-1}>
      {said !== undefined && (
        <p className={`said ${said.good ? "good" : "warn"}`} role={said.good ? "status" : "alert"}>
          <span className="grow">{said.text}</span>
          <button type="button" className="bar-icon" aria-label="Dismiss" onClick={dismiss}>
            <X aria-hidden="true" size={13} />
          </button>
        </p>
      )}
      <MomentHead {...{ history, seq }} onAim={begin} />
      {aim !== undefined ? (
        <TakeBack
          key={aim.title}
          {...{ api }}
          {...aim}
          head={history.head}
          round={history.round}
          onDone={done}
          onFailed={(text) => setSaid({ good: false, text })}
          onCancel={leave}
        />
      ) : chosen !== undefined && entry !== undefined ? (
        <>
          <button type="button" className="back" onClick={unchoose}>
            ← What changed at this moment
          </button>
          <FileView
            key={chosen}
            {...{ api }}
            fileKey={chosen}
            at={seq}
            head={history.head}
            round={history.round}
            kind={entry.kind}
            differs={differences.paths.has(chosen) || differences.folders.has(chosen)}
            onDone={done}
          />
        </>
      ) : (
        <ChangesAt {...{ api, history, seq }} />
      )}
    </section>
  );
}

/** Gives it the keys, unless somebody works elsewhere by now. */
function keepFocus(element: HTMLElement | null): void {
  const { activeElement } = document;
  if (activeElement === document.body || element?.contains(activeElement) === true) element?.focus();
}

function MomentHead({ history, seq, onAim }: { history: History; seq: number; onAim(aim: Aim): void }) {
  const moment = history.at(seq);
  if (moment === undefined) return <header className="moment-head" aria-busy="true" />;
  const { icon, text, detail } = describeEvent(moment);
  const target = undoTargetOf(moment);
  const { event } = moment;
  return (
    <header className="moment-head">
      <div className="moment-line">
        <EventMark icon={icon} />
        <h3 className={icon === "command" ? "mono" : ""}>
          {shorten(text)} {detail !== undefined && <span className="faint">{detail}</span>}
        </h3>
      </div>
      {shorten(text) !== text && (
        <details className="whole-text">
          <summary>All of it</summary>
          <p>{text}</p>
        </details>
      )}
      <p className="faint">
        Event {number.format(seq)} · {dayAndTime(event.ts)} · by{" "}
        {whoOf(event.source, history.isScripted(event.cause?.ask))} · <span className="mono">{event.type}</span>
      </p>
      <div className="row">
        {target !== undefined && (
          <button type="button" className="button" onClick={() => onAim({ target, title: "Undo just this" })}>
            <Undo2 aria-hidden="true" size={14} />
            Undo just this
          </button>
        )}
        {seq < history.head && (
          <button
            type="button"
            className="button"
            onClick={() => onAim({ target: { since: seq }, title: `Go back to event ${number.format(seq)}` })}
          >
            <HistoryIcon aria-hidden="true" size={14} />
            Go back to here
          </button>
        )}
      </div>
    </header>
  );
}

function whoOf(source: string, scripted: boolean): string {
  if (source === "user") return "you";
  return source === "agent" && scripted ? "the scripted demo" : `the ${source}`;
}

function ChangesAt({ api, history, seq }: Pick<DetailParts, "api" | "history" | "seq">) {
  const changes = useChanges(api, seq, history);
  if (changes === undefined) return <p className="waiting" aria-busy="true" />;
  if (changes.problem !== undefined) return <p className="said warn">{changes.problem}</p>;
  if (changes.shown.length === 0) return <p className="empty faint">Nothing on the computer changed at this moment.</p>;
  return (
    <section className="detail-part" aria-label="What changed at this moment">
      {changes.shown.map((shown) => (
        <ShownChange key={placeOf(shown)} shown={shown} />
      ))}
      {changes.more && (
        <p className="faint empty">
          and more:{" "}
          <code>
            npx choir diff {seq - 1} {seq} --user {api.id}
          </code>
        </p>
      )}
    </section>
  );
}
