import { describeEvent } from "@choiros/contract";
import { ChevronRight } from "lucide-react";
import { memo, useEffect, useState } from "react";
import type { DeskApi } from "../../desk/api.ts";
import type { Moment } from "../../desk/socket.ts";
import type { Undos } from "../../desk/undos.ts";
import { hasChanges } from "../../shown/has-changes.ts";
import { number, shortTime } from "../../words.ts";
import { aimOfRow, isTaken } from "./aim.ts";
import { dayOf, shortDayOf } from "./days.ts";
import { EventMark } from "./event-mark.tsx";
import { type FoldRow, isFold, type Row } from "./fold.ts";
import { useCounts } from "./line-counts.ts";
import { foldWords, headOf, type LineWords, whoOfEvent } from "./line-words.ts";

interface LineParts {
  readonly desk: DeskApi;
  readonly row: Row;
  readonly above: Row | undefined;
  readonly running: ReadonlySet<string>;
  readonly undos: Undos;
  onToggle(row: FoldRow): void;
  /** Somebody wants to see what undoing it would do. */
  onUndo(row: Row): void;
}

/** One line of what happened. While a list is scrolled it stays as it is. */
export const Line = memo(function Line({ desk, row, above, running, undos, onToggle, onUndo }: LineParts) {
  const head = useHead(desk, row);
  const words: LineWords = isFold(row) ? foldWords(row, head) : describeEvent(row.moment);
  const { event } = newestOf(row);
  const call = isFold(row) ? row.of : event.type === "tool.call" ? event.cause?.call : "";
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
            {[whoOf(row), words.detail, isTaken(row, undos) && "taken back"].filter(Boolean).join(", ")}
          </span>
        </span>
      </span>
      <span className="line-end">
        {counts !== undefined && counts.added + counts.removed > 0 && (
          <span className="line-counts">
            <span className="added">+{number.format(counts.added)}</span>{" "}
            <span className="removed">−{number.format(counts.removed)}</span>
          </span>
        )}
        {call !== undefined && running.has(call) && <span className="line-chip">running</span>}
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

/** Who it was, where it wasn't you; a call says its command itself. */
function whoOf(row: Row): string {
  const who = whoOfEvent(newestOf(row).event);
  return who === "user" || (isFold(row) && who === "command") ? "" : who;
}

/** Where a fold began on another page, that event is asked for. */
function useHead(desk: DeskApi, row: Row): Moment | undefined {
  const [asked, setAsked] = useState<Moment>();
  const near = isFold(row) ? headOf(row) : undefined;
  const kind = isFold(row) && near === undefined && row.kind !== "windows" ? row.kind : undefined;
  const of = isFold(row) ? row.of : "";
  useEffect(() => {
    if (kind === undefined) return;
    const ended = new AbortController();
    const type = { ask: "message", task: "task.planned", call: "tool.call" }[kind];
    desk
      .events({ cause: { [kind]: of }, type: [type], limit: 1 }, { signal: ended.signal, onItem: setAsked })
      .catch(() => {}); // then it is told without
    return () => ended.abort();
  }, [desk, kind, of]);
  return near ?? asked;
}
