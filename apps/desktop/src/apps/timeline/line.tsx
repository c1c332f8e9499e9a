import { describeEvent } from "@choiros/contract";
import { ChevronRight } from "lucide-react";
import { memo, useEffect, useState } from "react";
import type { DeskApi } from "../../desk/api.ts";
import type { Moment } from "../../desk/socket.ts";
import type { Undos } from "../../desk/undos.ts";
import { hasChanges } from "../../shown/has-changes.ts";
import { number, shortTime } from "../../words.ts";
import { aimOfRow, takenOfRow } from "./aim.ts";
import { dayOf, shortDayOf } from "./days.ts";
import { EventMark } from "./event-mark.tsx";
import { type FoldRow, isFold, type Row } from "./fold.ts";
import { useCounts } from "./line-counts.ts";
import { foldWords, headOf, isPlayed, type LineWords, whoInLine } from "./line-words.ts";
import { afterRest } from "./rest.ts";

/** Whoever scrolls on asks for nothing. */
const REST_MS = 80;

interface LineParts {
  readonly desk: DeskApi;
  readonly row: Row;
  readonly above: Row | undefined;
  /** How what isn't over stands, by call and by ask. */
  readonly states: ReadonlyMap<string, string>;
  /** The asks that were played from the demo's script. */
  readonly scripted: ReadonlySet<string>;
  readonly undos: Undos;
  onToggle(row: FoldRow): void;
  /** Somebody wants to see what undoing it would do. */
  onUndo(row: Row): void;
}

/** One line of what happened. While a list is scrolled it stays as it is. */
export const Line = memo(function Line({ desk, row, above, states, scripted, undos, onToggle, onUndo }: LineParts) {
  const head = useHead(desk, row);
  const words: LineWords = isFold(row) ? foldWords(row, head) : describeEvent(row.moment);
  const { event } = newestOf(row);
  const who = isPlayed(event, scripted)
    ? "scripted demo"
    : whoInLine(event, { isFold: isFold(row), detail: words.detail });
  const call = isFold(row) ? row.of : event.type === "tool.call" ? event.cause?.call : "";
  const state = states.get(call ?? "");
  const day = dayOf(event.ts);
  const isNewDay = above !== undefined && dayOf(newestOf(above).event.ts) !== day;
  const undo = undoWord(row, undos);
  const counts = useCounts(desk, isFold(row) ? undefined : row.moment);
  return (
    <>
      <span className="line-time">
        {isNewDay && <span className="line-day">{shortDayOf(event.ts)}</span>}
        <time dateTime={event.ts}>{shortTime(new Date(event.ts))}</time>
      </span>
      <span className="line-main" style={{ paddingInlineStart: row.depth * 16 }}>
        {isFold(row) ? (
          <button
            type="button"
            className="line-fold"
            tabIndex={-1}
            aria-label={row.open ? "Fold" : `Open ${row.moments.length} events`}
            onClick={(click) => {
              click.stopPropagation();
              onToggle(row);
            }}
          >
            <ChevronRight aria-hidden="true" size={14} data-open={row.open} />
          </button>
        ) : (
          <span className="line-fold" />
        )}
        <EventMark icon={words.icon} />
        <span className="line-words">
          <span className={words.icon === "command" ? "mono" : ""} data-fold={isFold(row)}>
            {words.text}
          </span>
          <span className="line-detail">
            {[who, words.detail, takenOfRow(row, undos)?.words].filter(Boolean).join(", ")}
          </span>
        </span>
      </span>
      <span className="line-end">
        {counts !== undefined && counts.added + counts.removed > 0 && (
          <span className="line-counts">
            {counts.added > 0 && <span className="added">+{number.format(counts.added)}</span>}{" "}
            {counts.removed > 0 && <span className="removed">−{number.format(counts.removed)}</span>}
          </span>
        )}
        {state !== undefined && <span className="line-chip">{state}</span>}
        {undo !== undefined && (
          <button
            type="button"
            className="line-undo"
            tabIndex={-1}
            onClick={(click) => {
              click.stopPropagation();
              onUndo(row);
            }}
          >
            {undo}
          </button>
        )}
      </span>
    </>
  );
});

export function newestOf(row: Row): Moment {
  const moment = isFold(row) ? row.moments[0] : row.moment;
  if (moment === undefined) throw new Error("a fold holds events");
  return moment;
}

function undoWord(row: Row, undos: Undos): string | undefined {
  if (!(isFold(row) ? row.moments.some(hasChanges) : hasChanges(row.moment))) return undefined;
  const aim = aimOfRow(row, undos);
  if (aim === undefined) return undefined;
  return aim.turn === "again" ? "redo" : isFold(row) ? "undo all" : "undo";
}

/** Where a fold began on another page, that event is asked for. */
function useHead(desk: DeskApi, row: Row): Moment | undefined {
  const [asked, setAsked] = useState<Moment>();
  const near = isFold(row) ? headOf(row) : undefined;
  const kind = isFold(row) && near === undefined && row.kind !== "windows" ? row.kind : undefined;
  const of = isFold(row) ? row.of : "";
  useEffect(() => {
    if (kind === undefined) return;
    const type = { ask: "message", task: "task.planned", call: "tool.call" }[kind];
    return afterRest(REST_MS, (signal) => {
      desk.events({ cause: { [kind]: of }, type: [type], limit: 1 }, { signal, onItem: setAsked }).catch(() => {}); // then it is told without
    });
  }, [desk, kind, of]);
  return near ?? asked;
}
