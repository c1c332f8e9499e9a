import { type MouseEvent, type PointerEvent, type RefObject, useRef } from "react";
import type { FileLine } from "../../desk/shapes.ts";
import { focusOn } from "../../focus.ts";
import type { useBand } from "./band.ts";
import { extended, NOTHING, only, type Selection, toggled } from "./selection.ts";

interface PressParts {
  readonly list: RefObject<HTMLElement | null>;
  readonly order: readonly string[];
  readonly selection: Selection;
  readonly band: ReturnType<typeof useBand>;
  lineAt(target: EventTarget | null): FileLine | undefined;
  onSelect(selection: Selection): void;
  onOpen(line: FileLine): void;
}

const LONG_MS = 450;
const STILL_PX = 8;

/**
 * What a press means. With a mouse: choose, draw a frame, twice to open. With a finger: open; a long one begins to choose,
 * and while something is chosen, short ones choose more.
 */
export function usePresses({ list, order, selection, band, lineAt, onSelect, onOpen }: PressParts) {
  const touch = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout>; long: boolean }>(undefined);
  const cancel = () => clearTimeout(touch.current?.timer);

  const down = (event: PointerEvent<HTMLElement>) => {
    focusOn(list.current);
    const line = lineAt(event.target);
    if (event.pointerType === "touch") {
      const pressed = { x: event.clientX, y: event.clientY, long: false };
      const timer = setTimeout(() => {
        if (touch.current === undefined || line === undefined) return;
        touch.current.long = true;
        onSelect(toggled(selection, line.key));
      }, LONG_MS);
      touch.current = { ...pressed, timer };
      return;
    }
    touch.current = undefined;
    if (event.button !== 0) return;
    const onGrip = event.target instanceof Element && event.target.closest(".files-grip") !== null;
    if (!onGrip) return band.begin(event);
    band.drawn.current = false;
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (plain && line !== undefined && !selection.keys.has(line.key)) onSelect(only(line.key));
  };
  const move = ({ clientX, clientY }: PointerEvent) => {
    const { current } = touch;
    if (current !== undefined && Math.hypot(clientX - current.x, clientY - current.y) > STILL_PX) cancel();
  };
  const click = (event: MouseEvent) => {
    if (band.drawn.current) {
      band.drawn.current = false;
      return;
    }
    const line = lineAt(event.target);
    const { current } = touch;
    cancel();
    if (current?.long === true) return;
    if (line === undefined) return onSelect(NOTHING);
    if (current !== undefined && selection.keys.size > 0) onSelect(toggled(selection, line.key));
    else if (event.shiftKey) onSelect(extended(selection, order, line.key, event.ctrlKey || event.metaKey));
    else if (event.ctrlKey || event.metaKey) onSelect(toggled(selection, line.key));
    else if (current !== undefined) onOpen(line);
    else onSelect(only(line.key));
  };
  return {
    isTouching: () => touch.current !== undefined,
    props: {
      onPointerDown: down,
      onPointerMove: move,
      onPointerCancel: cancel,
      onClick: click,
      onDoubleClick: (event: MouseEvent) => {
        const line = lineAt(event.target);
        if (line !== undefined && touch.current === undefined) onOpen(line);
      },
    },
  };
}
