import { describeEvent } from "@choiros/contract";
import type { DeskApi } from "../../desk/api.ts";
import type { Moment } from "../../desk/socket.ts";
import { number } from "../../words.ts";
import { EventMark } from "./event-mark.tsx";
import type { Filter } from "./filter.ts";
import { begunBy, useRelated } from "./related.ts";

interface RelatedParts {
  readonly desk: DeskApi;
  readonly moment: Moment;
  onGo(seq: number): void;
  onFilter(filter: Filter): void;
}

/** What an event came from, and what it led to: each leads there. */
export function RelatedEvents({ desk, moment, onGo, onFilter }: RelatedParts) {
  const related = useRelated(desk, moment);
  if (related === undefined) return null;
  const { all, because, led, problem } = related;
  const begun = begunBy(moment);
  return (
    <>
      {problem !== undefined && (
        <p className="said-box" data-wrong>
          {problem}
        </p>
      )}
      {because.length > 0 && (
        <section className="moment-part" aria-label="Because of">
          <h4>{moment.event.type === "undo" ? "Took back" : "Because of"}</h4>
          <EventLinks moments={because} onGo={onGo} />
        </section>
      )}
      {(led.length > 0 || begun !== undefined) && (
        <section className="moment-part" aria-label="Led to">
          <h4>Led to</h4>
          {led.length === 0 ? <p className="faint">Nothing so far.</p> : <EventLinks moments={led} onGo={onGo} />}
          {all !== undefined && (
            <button type="button" className="word" onClick={() => onFilter({ cause: all })}>
              Show all of it
            </button>
          )}
        </section>
      )}
    </>
  );
}

function EventLinks({ moments, onGo }: { moments: readonly Moment[]; onGo(seq: number): void }) {
  return (
    <ul className="event-links">
      {moments.map((moment) => {
        const { icon, text, detail } = describeEvent(moment);
        return (
          <li key={moment.event.seq}>
            <button type="button" onClick={() => onGo(moment.event.seq)}>
              <EventMark icon={icon} />
              <span className="line-words">
                <span className={icon === "command" ? "mono" : ""}>{text}</span>
                {detail !== undefined && <span className="line-detail">{detail}</span>}
              </span>
              <span className="faint event-number">{number.format(moment.event.seq)}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
