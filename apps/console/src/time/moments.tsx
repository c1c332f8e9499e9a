import { describeEvent } from "@choiros/contract";
import { useCallback } from "react";
import { shortTime } from "../words.ts";
import { EventMark } from "./event-mark.tsx";
import type { History } from "./history.ts";
import { VirtualList } from "./virtual-list.tsx";

interface MomentsParts {
  readonly history: History;
  readonly seq: number;
  onMove(seq: number): void;
}

/** Every moment, the newest first. */
export function Moments({ history, seq, onMove }: MomentsParts) {
  const { head } = history;
  const seqOf = (index: number) => head - index;
  const want = useCallback((first: number, last: number) => history.want(head - last, head - first), [history, head]);
  return (
    <VirtualList
      role="listbox"
      label="Moments, the newest first"
      count={head}
      rowHeight={34}
      active={head - seq}
      onActive={(index) => onMove(seqOf(index))}
      onRange={want}
      render={(index) => <MomentRow history={history} seq={seqOf(index)} />}
    />
  );
}

function MomentRow({ history, seq }: { history: History; seq: number }) {
  const moment = history.at(seq);
  if (moment === undefined) return <span className="moment faint">{seq}</span>;
  const { icon, text, detail } = describeEvent(moment);
  const { cause, source, ts } = moment.event;
  const who = source === "agent" && history.isScripted(cause?.ask) ? "scripted demo" : source;
  return (
    <span className="moment">
      <time className="faint" dateTime={ts}>
        {shortTime(ts)}
      </time>
      <EventMark icon={icon} />
      <span className={icon === "command" ? "moment-text mono" : "moment-text"}>
        {text}
        {detail !== undefined && <span className="faint"> {detail}</span>}
      </span>
      {source !== "user" && <span className={`tag ${source === "agent" ? "gold" : ""}`}>{who}</span>}
    </span>
  );
}
