import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { useFreeFocus } from "../free-focus.ts";
import { isFold, type Row, seqOf } from "./fold.ts";
import { LINE, listTop, scrollHeight, scrollTopOf, stepOf } from "./scroll.ts";
import type { Story } from "./story.ts";
import type { Place } from "./stretches.ts";

/** The line that has the focus within the list. */
export interface Active {
  readonly id: string;
  readonly seq: number;
}

interface ListParts {
  readonly story: Story;
  readonly version: number;
  readonly active: Active | undefined;
  /** How many events came while somebody reads further down; shown by whoever is around. */
  onTop(isTop: boolean): void;
  onActive(row: Row): void;
  readonly inFront: boolean;
  /** Enter, or a click. */
  onPick(row: Row): void;
  onKey(event: KeyboardEvent, row: Row): void;
  /** The topmost line in sight. */
  onFirst(row: Row | undefined): void;
  render(row: Row, above: Row | undefined): ReactNode;
  /** Below the last line. */
  readonly after: ReactNode;
}

/** What stays where it is: a line that is so far above the edge; or the end, where that isn't read, for nobody knows how far it is. */
type Held = { readonly place: Place; readonly px: number } | "end" | undefined;

/** So many lines beyond what is in sight are drawn, and read; for somebody who flies over them, they would be drawn for nothing. */
const SPARE = 12;
const FLYING_SPARE = 1;

/**
 * Lines of which only those in sight are on the page. What somebody reads stays where it is, whatever comes above it; only
 * at the very top new ones push the others down. One stop for the Tab key; arrows move within.
 */
export function StoryList(parts: ListParts) {
  const { story, version, active, inFront, onTop, onFirst, after } = parts;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  useFreeFocus(box, inFront);
  const held = useRef<Held>(undefined);
  /** Where the list was when that was held. */
  const seen = useRef(0);
  /** How far down the list was when somebody last looked. */
  const drawn = useRef(0);
  /** The keyboard went where nothing is read yet; whoever goes elsewhere meanwhile has another one. */
  const wish = useRef<Place | "end">(undefined);
  const [view, setView] = useState({ scrollTop: 0, height: 0, spare: SPARE });
  const total = story.total;
  const scroll = { total, view: view.height };
  const top = listTop(scroll, view.scrollTop);
  const first = Math.max(0, Math.floor(top / LINE) - view.spare);
  const last = Math.min(total - 1, Math.ceil((top + view.height) / LINE) + view.spare);
  const activeIndex = active === undefined ? undefined : story.indexOfRow(active.id, active.seq);

  const look = () => {
    const element = box.current;
    if (element === null) return;
    const { clientHeight: height, scrollTop } = element;
    const at = listTop({ total: story.total, view: height }, scrollTop);
    const line = Math.floor(at / LINE);
    const place = scrollTop < 2 ? undefined : story.placeAt(line);
    const isEnd = story.row(story.total - 1) === undefined && at + height >= story.total * LINE - 1;
    seen.current = scrollTop;
    held.current = place && (isEnd ? "end" : { place, px: at - line * LINE });
    const spare = Math.abs(at - drawn.current) > height ? FLYING_SPARE : SPARE;
    drawn.current = at;
    setView((now) => (now.scrollTop === scrollTop && now.height === height ? now : { scrollTop, height, spare }));
    onTop(scrollTop < 2);
    onFirst(story.row(line));
  };
  /** Where somebody came beyond what is drawn, that can't wait until there is time for it: nothing would be there for a frame. */
  const scrolled = () => {
    const { clientHeight: height = 0, scrollTop = 0 } = box.current ?? {};
    const at = listTop({ total, view: height }, scrollTop);
    if (at < first * LINE || at + height > (last + 1) * LINE) flushSync(look);
    else look();
  };
  const scrollTo = (px: number) => {
    const element = box.current;
    if (element === null) return;
    const now = { total: story.total, view: element.clientHeight };
    if (Math.abs(listTop(now, element.scrollTop) - px) <= stepOf(now)) return;
    element.scrollTop = scrollTopOf(now, px);
    look();
  };
  /** How far somebody has scrolled who wasn't heard yet: that isn't taken back. What is too short by now moved by itself. */
  const movedSince = () => {
    const element = box.current;
    if (element === null) return 0;
    const { clientHeight: height, scrollTop } = element;
    const isCut = scrollTop < seen.current && scrollTop >= element.scrollHeight - height - 1;
    return isCut ? 0 : (scrollTop - seen.current) * stepOf({ total: story.total, view: height });
  };
  const show = (index: number) => {
    const element = box.current;
    if (element === null) return;
    const height = element.clientHeight;
    const at = listTop({ total: story.total, view: height }, element.scrollTop);
    const line = index * LINE;
    if (line >= at && line + LINE <= at + height) return;
    const isNear = line > at - 2 * LINE && line < at + height + 2 * LINE;
    scrollTo(!isNear ? line - (height - LINE) / 2 : line < at ? line : line + LINE - height);
  };

  const wishedIndex = () => (wish.current === "end" ? story.total - 1 : wish.current && story.indexOf(wish.current));
  const goTo = (row: Row) => {
    wish.current = undefined;
    parts.onActive(row);
  };

  const resized = useEffectEvent(look);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => resized());
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const to = heldTop(story, held.current);
    if (to !== undefined) scrollTo(to + movedSince());
    look();
    const wished = wishedIndex();
    const row = wished === undefined ? undefined : story.row(wished);
    if (row !== undefined) goTo(row);
  }, [story, version]);
  useLayoutEffect(() => {
    wish.current = undefined;
    if (activeIndex !== undefined) show(activeIndex);
  }, [active?.id, active?.seq]);
  useEffect(() => story.want(first, last), [story, version, first, last]);

  const go = (index: number) => {
    const to = Math.min(total - 1, Math.max(0, index));
    const row = story.row(to);
    if (row !== undefined) return goTo(row);
    wish.current = to === total - 1 ? "end" : story.placeAt(to);
    show(to);
  };
  const key = (event: KeyboardEvent) => {
    if (event.target !== box.current) return;
    const at = activeIndex ?? -1;
    const row = story.row(at);
    if (row !== undefined) parts.onKey(event, row);
    if (event.defaultPrevented) return;
    const page = Math.max(1, Math.floor(view.height / LINE) - 1);
    const here = wishedIndex() ?? activeIndex ?? Math.floor(top / LINE) - 1;
    const moves: Record<string, number> = {
      ArrowDown: here + 1,
      ArrowUp: here - 1,
      End: total - 1,
      Home: 0,
      PageDown: here + page,
      PageUp: here - page,
    };
    const to = moves[event.key];
    if (event.key === "Enter" && row !== undefined) parts.onPick(row);
    else if (to !== undefined && !event.ctrlKey && !event.altKey && !event.metaKey) go(to);
    else return;
    event.preventDefault();
  };

  const lines = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  const base = baseOf(first);
  const layer = { transform: `translateY(${base * LINE + view.scrollTop - top}px)` };
  const inSight = activeIndex !== undefined && activeIndex >= first && activeIndex <= last;
  return (
    <div
      ref={box}
      className="story"
      role="tree"
      tabIndex={0}
      aria-label="What happened, the newest first"
      aria-activedescendant={inSight ? `${id}-${activeIndex}` : undefined}
      onKeyDown={key}
      onScroll={scrolled}
    >
      <div className="story-all" role="presentation" style={{ height: scrollHeight(scroll) }}>
        <div role="presentation" style={layer}>
          {lines.map((index) => {
            const row = story.row(index);
            const style = { transform: `translateY(${(index - base) * LINE}px)` };
            if (row === undefined) return <div key={`${index}`} className="story-line unread" style={style} />;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
              <div
                key={keyOf(row)}
                id={`${id}-${index}`}
                className="story-line"
                role="treeitem"
                tabIndex={-1}
                aria-posinset={index + 1}
                aria-setsize={total}
                aria-level={row.depth + 1}
                aria-selected={index === activeIndex}
                {...(isFold(row) && { "aria-expanded": row.open })}
                style={style}
                onClick={() => {
                  goTo(row);
                  parts.onPick(row);
                }}
              >
                {parts.render(row, story.row(index - 1))}
              </div>
            );
          })}
        </div>
      </div>
      {after}
    </div>
  );
}

export function activeOf(row: Row): Active {
  return { id: row.id, seq: seqOf(row) };
}

/** Where the list has to be for what is held to be where it was. Beyond the end there is nothing: the browser stops there. */
function heldTop(story: Story, held: Held): number | undefined {
  if (held === "end") return story.total * LINE;
  const index = held && story.indexOf(held.place);
  return held && index !== undefined ? index * LINE + held.px : undefined;
}

/** Lines have their place from this one on, all of which moves: as long as it is the same, they stay where they are. */
function baseOf(first: number): number {
  return Math.floor(first / 1024) * 1024;
}

/** One that goes on and on is several lines. Its oldest event stays the same. */
function keyOf(row: Row): string {
  return isFold(row) ? `${row.id}/${row.moments.at(-1)?.event.seq}` : row.id;
}
