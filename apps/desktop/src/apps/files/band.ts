import { type PointerEvent, type RefObject, useRef } from "react";
import { type Cells, touched } from "./cells.ts";
import { framed, type Selection } from "./selection.ts";

interface BandParts {
  readonly room: RefObject<HTMLElement | null>;
  readonly cells: Cells;
  readonly order: readonly string[];
  readonly selection: Selection;
  onSelect(selection: Selection): void;
}

const STILL_PX = 4;
/** So near an edge it scrolls, by so much a frame. */
const NEAR_PX = 24;
const SCROLL_PX = 14;
/** In a grid, what lies between two pictures isn't touched. */
const GAP_PX = 12;

/** A frame that is drawn with the mouse, and chooses what it touches. */
export function useBand({ room, cells, order, selection, onSelect }: BandParts) {
  const element = useRef<HTMLDivElement>(null);
  /** Whether the press that just ended was one: then its click isn't for what lies under it. */
  const drawn = useRef(false);

  const begin = (event: PointerEvent<HTMLElement>) => {
    const { current } = room;
    if (current === null) return;
    drawn.current = false;
    const box = current.getBoundingClientRect();
    const pointOf = (x: number, y: number) => ({ x: x - box.left, y: y - box.top + current.scrollTop });
    const start = pointOf(event.clientX, event.clientY);
    const add = event.ctrlKey || event.metaKey || event.shiftKey;
    const ended = new AbortController();
    let last = { x: event.clientX, y: event.clientY };
    let hit = "";

    const draw = () => {
      const now = pointOf(last.x, last.y);
      const [x, y] = [Math.min(start.x, now.x), Math.min(start.y, now.y)];
      const rect = { x, y, w: Math.abs(now.x - start.x), h: Math.abs(now.y - start.y) };
      if (element.current !== null)
        Object.assign(element.current.style, {
          ...{ display: "block", translate: `${x}px ${y}px` },
          ...{ width: `${rect.w}px`, height: `${rect.h}px` },
        });
      const indexes = touched(cells, rect, cells.columns > 1 ? GAP_PX : 0);
      const former = hit;
      hit = indexes.join();
      if (hit === former) return;
      onSelect(framed(selection, indexes.flatMap((index) => order[index] ?? []), add)); // biome-ignore format: in one line
    };
    const scroll = () => {
      if (ended.signal.aborted) return;
      const by = last.y < box.top + NEAR_PX ? -SCROLL_PX : last.y > box.bottom - NEAR_PX ? SCROLL_PX : 0;
      if (drawn.current && by !== 0) {
        current.scrollTop += by;
        draw();
      }
      requestAnimationFrame(scroll);
    };
    const end = () => {
      ended.abort();
      if (element.current !== null) element.current.style.display = "none";
    };
    const options = { signal: ended.signal };
    addEventListener(
      "pointermove",
      ({ clientX, clientY }) => {
        last = { x: clientX, y: clientY };
        const far = Math.hypot(clientX - event.clientX, clientY - event.clientY) >= STILL_PX;
        if (far && !drawn.current) {
          drawn.current = true;
          requestAnimationFrame(scroll);
        }
        if (drawn.current) draw();
      },
      options,
    );
    addEventListener("pointerup", end, options);
    addEventListener("pointercancel", end, options);
    addEventListener(
      "keydown",
      (pressed) => {
        if (pressed.key !== "Escape") return;
        pressed.stopPropagation();
        onSelect(selection);
        end();
      },
      { ...options, capture: true },
    );
  };
  return { element, drawn, begin };
}
