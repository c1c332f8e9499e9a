import { describeEvent } from "@choiros/contract";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { dayAndTime, number, shorten } from "../words.ts";
import type { History } from "./history.ts";
import { MarkTrack } from "./mark-track.tsx";
import { nextMark } from "./marks.ts";

interface SliderParts {
  readonly history: History;
  readonly seq: number;
  onMove(seq: number): void;
}

/** Over the whole history. The browser's own slider, so that keys, touch and screen readers work as everywhere. */
export function Slider({ history, seq, onMove }: SliderParts) {
  const moment = history.at(seq);
  const words = moment === undefined ? "" : `, ${dayAndTime(moment.event.ts)}, ${shorten(describeEvent(moment).text)}`;
  const jump = (direction: 1 | -1, label: string) => {
    const to = nextMark(history.marks, seq, direction);
    return (
      <button
        type="button"
        className="bar-icon"
        aria-label={label}
        title={label}
        disabled={to === undefined}
        onClick={() => to !== undefined && onMove(to)}
      >
        {direction === 1 ? <ChevronRight aria-hidden="true" size={16} /> : <ChevronLeft aria-hidden="true" size={16} />}
      </button>
    );
  };
  return (
    <div className="slider">
      {jump(-1, "Mark before")}
      <div className="slider-track">
        <MarkTrack history={history} at={seq} />
        <input
          type="range"
          min={1}
          max={Math.max(1, history.head)}
          value={seq}
          disabled={history.head === 0}
          aria-label="Moment"
          aria-valuetext={`Event ${number.format(seq)} of ${number.format(history.head)}${words}`}
          onChange={(event) => onMove(event.currentTarget.valueAsNumber)}
        />
      </div>
      {jump(1, "Mark after")}
    </div>
  );
}
