import { describeEvent, shownKey, type Who } from "@choiros/contract";
import { ArrowLeft, History, Link, MessageCircleQuestion, Sparkles, Undo2, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { aboutEvent } from "../../asks/about-words.ts";
import type { DeskApi } from "../../desk/api.ts";
import type { Shown } from "../../desk/shapes.ts";
import type { Moment } from "../../desk/socket.ts";
import { tellTakenBack } from "../../desk/taken-back.ts";
import type { Undos } from "../../desk/undos.ts";
import { useChanges } from "../../shown/changes.ts";
import { copyText } from "../../shown/copy-text.ts";
import { DiffView, placeOf } from "../../shown/diff-view.tsx";
import { hasChanges } from "../../shown/has-changes.ts";
import { TakeBack } from "../../shown/take-back.tsx";
import { count, dayAndTime, number } from "../../words.ts";
import { keepFocus } from "../free-focus.ts";
import { type Aim, aimOf } from "./aim.ts";
import { CommandOutput } from "./command-output.tsx";
import { EventMark } from "./event-mark.tsx";
import type { Filter } from "./filter.ts";
import { isPlayed, whoOfEvent } from "./line-words.ts";
import { RelatedEvents } from "./related-events.tsx";

interface DetailParts {
  readonly desk: DeskApi;
  readonly moment: Moment;
  readonly aim: Aim | undefined;
  readonly undos: Undos;
  /** The asks that were played from the demo's script. */
  readonly scripted: ReadonlySet<string>;
  onAim(aim: Aim | undefined): void;
  onGo(seq: number): void;
  onFilter(filter: Filter): void;
  onClose(): void;
}

/** All that is to be said of one event: what it changed, what it came from, what it led to, and how to take it back. */
export function Detail({ desk, moment, aim, undos, scripted, onAim, onGo, onFilter, onClose }: DetailParts) {
  const place = useRef<HTMLElement>(null);
  const leave = () => {
    keepFocus(place.current);
    onAim(undefined);
  };
  const { event } = moment;
  return (
    <section className="moment" aria-label={`Event ${number.format(event.seq)}`} ref={place} tabIndex={-1}>
      <Head {...{ desk, moment, undos, scripted, onAim, onClose }} />
      {aim !== undefined ? (
        <TakeBack
          key={JSON.stringify(aim.target)}
          {...{ desk }}
          {...aim}
          onDone={(outcome) => void tellTakenBack(desk, aim.target, outcome, aim.turn)}
          onLeave={leave}
        />
      ) : (
        <>
          <Words moment={moment} />
          <CommandOutput {...{ desk, moment }} />
          <Changes key={event.seq} {...{ desk, moment, onFilter }} />
          <RelatedEvents key={event.id} {...{ desk, moment, onGo, onFilter }} />
        </>
      )}
    </section>
  );
}

const BY: Readonly<Record<Who, string>> = {
  user: "by you",
  agent: "by an agent",
  command: "by a command of yours",
  system: "by the system",
  outside: "from outside",
};

type HeadParts = Pick<DetailParts, "desk" | "moment" | "undos" | "scripted" | "onAim" | "onClose">;

function Head({ desk, moment, undos, scripted, onAim, onClose }: HeadParts) {
  const { icon, text, detail } = describeEvent(moment);
  const { event } = moment;
  const turning = aimOf(moment, undos);
  const ask = event.cause?.ask;
  const by = isPlayed(event, scripted) ? "by the scripted demo" : BY[whoOfEvent(event)];
  return (
    <header className="moment-head">
      <div className="moment-line">
        <button type="button" className="icon-button moment-back" aria-label="Back to the list" onClick={onClose}>
          <ArrowLeft aria-hidden="true" size={16} />
        </button>
        <EventMark icon={icon} />
        <h3 className={icon === "command" ? "mono" : ""}>
          {text} {detail !== undefined && <span className="faint">{detail}</span>}
        </h3>
        <button type="button" className="icon-button moment-close" aria-label="Close" onClick={onClose}>
          <X aria-hidden="true" size={15} />
        </button>
      </div>
      <p className="faint">
        Event {number.format(event.seq)} · {dayAndTime(event.ts)} · {by} · <span className="mono">{event.type}</span>
      </p>
      <div className="moment-deeds">
        {turning !== undefined && (
          <button type="button" className="button" onClick={() => onAim(turning)}>
            <Undo2 aria-hidden="true" size={14} />
            {turning.turn === "again" ? "Redo" : hasChanges(moment) ? "Undo this" : "Undo all of this"}
          </button>
        )}
        {event.seq < desk.head() && (
          <button
            type="button"
            className="button"
            onClick={() =>
              onAim({ target: { since: event.seq }, title: `Go back to event ${number.format(event.seq)}` })
            }
          >
            <History aria-hidden="true" size={14} />
            Go back to here
          </button>
        )}
        {ask !== undefined && desk.asks.rows.get().has(ask) && (
          <button type="button" className="button" onClick={() => desk.open("course", { ask })}>
            <Sparkles aria-hidden="true" size={14} />
            Show the ask
          </button>
        )}
        <button type="button" className="button" onClick={() => desk.asks.begin(aboutEvent(event.seq, text))}>
          <MessageCircleQuestion aria-hidden="true" size={14} />
          Ask about this
        </button>
        <CopyLink desk={desk} seq={event.seq} />
      </div>
    </header>
  );
}

function CopyLink({ desk, seq }: { desk: DeskApi; seq: number }) {
  const link = desk.linkTo(seq);
  if (link === undefined) return null;
  const copy = () => {
    const isCopied = copyText(link);
    desk.notify(isCopied ? { text: "Link copied", detail: link } : { text: "Copy the link by hand", detail: link });
  };
  return (
    <button type="button" className="button" onClick={copy}>
      <Link aria-hidden="true" size={14} />
      Copy link
    </button>
  );
}

/** A message, a plan or a command that is longer than a line is told whole. */
function Words({ moment }: { moment: Moment }) {
  const { icon, text } = describeEvent(moment);
  if (!["ask", "task", "command"].includes(icon) || (text.length < 80 && !text.includes("\n"))) return null;
  return <p className={icon === "command" ? "moment-words mono" : "moment-words"}>{text}</p>;
}

function Changes({ desk, moment, onFilter }: Pick<DetailParts, "desk" | "moment" | "onFilter">) {
  const [round, setRound] = useState(0);
  const changes = useChanges(desk, moment, round);
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, []);
  if (!hasChanges(moment)) return null;
  return (
    <section className="moment-part" aria-label="What changed" aria-busy={!changes.done}>
      {changes.shown.map((shown) => (
        <DiffView key={placeOf(shown)} shown={shown}>
          {"key" in shown.change && <OfPath change={shown.change} {...{ desk, onFilter }} />}
        </DiffView>
      ))}
      {changes.more > 0 && <p className="faint">and {count(changes.more, "more change")}</p>}
      {!changes.done && late && <p className="faint">Reading what changed…</p>}
      {changes.problem !== undefined && (
        <p className="said-box" data-wrong role="alert">
          {changes.problem}{" "}
          <button type="button" className="word" onClick={() => setRound(round + 1)}>
            Try again
          </button>
        </p>
      )}
      {changes.done && changes.shown.length === 0 && changes.problem === undefined && (
        <p className="faint">Nothing changed by it.</p>
      )}
    </section>
  );
}

interface PathParts extends Pick<DetailParts, "desk" | "onFilter"> {
  readonly change: Extract<Shown["change"], { key: string }>;
}

function OfPath({ desk, change: { after, key }, onFilter }: PathParts) {
  const path = key.startsWith("workspace/") ? key.slice("workspace/".length) : `/${key}`;
  const name = shownKey(key);
  const open = () => desk.openFile(key, after?.kind === "dir" ? "folder" : "file");
  return (
    <>
      {after !== null && (
        <button type="button" className="word" aria-label={`Open ${name}`} onClick={open}>
          open
        </button>
      )}
      <button
        type="button"
        className="word"
        aria-label={`All that happened to ${name}`}
        onClick={() => onFilter({ path })}
      >
        history
      </button>
    </>
  );
}
