import "./timeline.css";
import "./filters.css";
import "./moment.css";
import { canonicalise, isDemo } from "@choiros/contract";
import { ArrowUp } from "lucide-react";
import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { flushSync } from "react-dom";
import { type Ask, asksIn } from "../../asks/ask-rows.ts";
import { isAtWork, statusWords } from "../../asks/ask-words.ts";
import type { DeskApi } from "../../desk/api.ts";
import { useUndos } from "../../desk/undos.ts";
import { focusOn } from "../../focus.ts";
import { useWatched } from "../../watched.ts";
import { number } from "../../words.ts";
import type { AppProps } from "../app.ts";
import { areKeysFree } from "../free-focus.ts";
import { type Aim, aimOfRow } from "./aim.ts";
import { dayOf } from "./days.ts";
import { Detail } from "./detail.tsx";
import { NO_FILTER } from "./filter.ts";
import { FilterBar } from "./filter-bar.tsx";
import { type FoldRow, isFold, type Row, seqOf } from "./fold.ts";
import { Line, newestOf } from "./line.tsx";
import { headOf } from "./line-words.ts";
import { type Active, activeOf, StoryList } from "./story-list.tsx";
import { StoryState } from "./story-state.tsx";
import { useFilter } from "./use-filter.ts";
import { useMoment, useSeen, useStory } from "./use-story.ts";

/** Everything that happened, as it happens. */
export default function Timeline({ window, desk }: AppProps) {
  const { filter, setFilter, left } = useFilter(window);
  const story = useStory(desk, filter);
  const version = useSyncExternalStore(story.subscribe, story.version);
  const [active, setActive] = useState<Active>();
  const [shown, setShown] = useState<number>();
  const [aim, setAim] = useState<Aim>();
  const [goal, setGoal] = useState<number>();
  /** It is still wanted when it is found, unless somebody went to another one meanwhile. */
  const sought = useRef<number>(undefined);
  const [isTop, setTop] = useState(true);
  const [day, setDay] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const calls = useWatched(desk.calls);
  const askRows = useWatched(desk.asks.rows);
  const asks = useMemo(() => asksIn(askRows, new Map()), [askRows]);
  const states = useMemo(() => statesOf(calls.keys(), asks), [calls, asks]);
  const scripted = useMemo(() => new Set(asks.flatMap(({ id, title }) => (isDemo(title) ? id : []))), [asks]);
  const undos = useUndos(desk);
  const seen = useSeen(desk, isTop);
  const moment = useMoment(desk, story, version, shown);

  const show = (seq: number | undefined, next?: Aim) => {
    setShown(seq);
    setAim(next);
  };
  const go = useCallback(
    (seq: number) => {
      setFilter(NO_FILTER);
      setGoal(seq);
      sought.current = seq;
    },
    [setFilter],
  );
  const { seq: wanted } = window.args;
  useEffect(() => {
    if (typeof wanted === "number" && wanted !== left) go(wanted);
  }, [wanted, left, go]);
  useEffect(() => {
    if (goal === undefined || story.query !== undefined) return;
    setGoal(undefined);
    story.reveal(goal).then(
      (isThere) => {
        if (!isThere) {
          const { seq: _, ...rest } = window.args;
          window.setArgs(rest); // else it would be looked for with each reload, and in every browser
          return desk.notify({ text: `There is no event ${goal} here.`, detail: `The last one is ${desk.head()}.` });
        }
        if (sought.current !== goal) return;
        setActive({ id: `event:${goal}`, seq: goal });
        setShown(goal);
        setAim(undefined);
      },
      () => {}, // the list says why it can't be read
    );
  }, [story, goal, desk, window]);

  const toggle = useCallback((row: FoldRow) => story.toggle(row.id), [story]);
  const pick = (row: Row) => {
    sought.current = undefined;
    show(shownSeq(row));
  };
  const aimAt = (next: Aim | undefined) => {
    if (next !== undefined) sought.current = undefined;
    setAim(next);
  };
  const undo = useCallback(
    (row: Row) => {
      sought.current = undefined;
      setActive(activeOf(row));
      setShown(shownSeq(row));
      setAim(aimOfRow(row, undos));
    },
    [undos],
  );
  const detail = moment?.event.seq;
  const { inFront } = window;
  useLayoutEffect(() => {
    const { current } = list;
    if (detail === undefined || !inFront || current === null) return;
    const isHidden = isCovered(current) && current.contains(document.activeElement);
    if (isHidden || areKeysFree(current)) focusOn(inSight(current));
  }, [detail, inFront]);
  const close = () => {
    sought.current = undefined;
    flushSync(() => show(undefined)); // until then it may cover the list
    focusOn(inSight(list.current));
  };
  const name = (seq: number) => {
    go(seq);
    focusOn(inSight(list.current)); // the field is empty by now
  };
  const key = (event: KeyboardEvent, row: Row) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const isOpen = isFold(row) && row.open;
    if (event.key === "ArrowRight" && isFold(row) && !isOpen) story.toggle(row.id, true);
    else if (event.key === "ArrowLeft" && isOpen) story.toggle(row.id, false);
    else if (event.key === "u" && aimOfRow(row, undos) !== undefined) undo(row);
    else return;
    event.preventDefault();
  };
  const leave = (event: KeyboardEvent) => {
    if (event.key === "/" && !(event.target instanceof HTMLInputElement)) {
      event.preventDefault();
      field.current?.focus();
    }
    if (event.key !== "Escape" || event.defaultPrevented || shown === undefined) return;
    event.preventDefault();
    if (aim === undefined) close();
    else setAim(undefined);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape leaves whatever is open in it
    <div className="timeline" data-detail={moment !== undefined} onKeyDown={leave}>
      <FilterBar {...{ desk, filter, field }} onFilter={setFilter} onGo={name} />
      <div className="timeline-body">
        <div className="timeline-list" ref={list}>
          {day !== undefined && <p className="timeline-day">{day}</p>}
          <StoryList
            key={canonicalise({ ...story.query })}
            {...{ story, version, active }}
            inFront={window.inFront}
            onActive={(row) => {
              sought.current = undefined;
              setActive(activeOf(row));
              if (moment !== undefined) show(shownSeq(row));
            }}
            onPick={pick}
            onKey={key}
            onTop={setTop}
            onFirst={(row) => setDay(row && dayOf(newestOf(row).event.ts))}
            render={(row, above) => (
              <Line {...{ desk, row, above, states, scripted, undos }} onToggle={toggle} onUndo={undo} />
            )}
            after={<StoryState story={story} onClear={() => setFilter(NO_FILTER)} />}
          />
          {!isTop && desk.head() > seen && story.query === undefined && (
            <button
              type="button"
              className="timeline-new"
              onClick={() => list.current?.querySelector("[role=tree]")?.scrollTo({ top: 0 })}
            >
              <ArrowUp aria-hidden="true" size={13} />
              {number.format(desk.head() - seen)} new
            </button>
          )}
        </div>
        {moment !== undefined && (
          <Detail
            key={moment.event.seq}
            {...{ desk, moment, aim, undos, scripted }}
            onAim={aimAt}
            onGo={go}
            onFilter={setFilter}
            onClose={close}
          />
        )}
      </div>
      <Foot desk={desk} />
    </div>
  );
}

function Foot({ desk }: { desk: DeskApi }) {
  const connection = useWatched(desk.connection);
  const [head, setHead] = useState(() => desk.head());
  useEffect(() => {
    const look = () => setHead(desk.head());
    return desk.follow(look, look);
  }, [desk]);
  return (
    <footer className="timeline-foot">
      <span>Event {number.format(head)}</span>
      <span data-live={connection === "live"}>{connection === "live" ? "live" : "waiting for the server"}</span>
    </footer>
  );
}

/** How what isn't over stands, by call and by ask. */
function statesOf(calls: Iterable<string>, asks: readonly Ask[]): ReadonlyMap<string, string> {
  const atWork = asks.filter(isAtWork);
  return new Map([
    ...[...calls].map((call) => [call, "running"] as const),
    ...atWork.map(({ id, status }) => [id, statusWords(status)] as const),
  ]);
}

/** On a narrow page the event that is shown covers the list: that can't have the keys then. */
function isCovered(list: HTMLElement): boolean {
  return getComputedStyle(list).visibility === "hidden";
}

/** The list, or the event that covers it. */
function inSight(list: HTMLElement | null): HTMLElement | null | undefined {
  const place = list !== null && isCovered(list) ? ".moment" : "[role=tree]";
  return list?.parentElement?.querySelector<HTMLElement>(place);
}

/** The event that a line shows: of a fold the one it came from. */
function shownSeq(row: Row): number {
  return (isFold(row) ? headOf(row) : undefined)?.event.seq ?? seqOf(row);
}
