import { type FocusEvent, type KeyboardEvent, useRef } from "react";
import { focusOn, waiting } from "../focus.ts";
import { type Box, moved, type Point, resized, type Screen } from "./box.ts";
import { drawBox } from "./gestures.ts";
import type { Windowing } from "./windowing.ts";

interface NudgeParts {
  readonly id: string;
  readonly box: Box;
  readonly screen: Screen;
  readonly windowing: Windowing;
  readonly off: boolean;
}

const STEP = 16;
const STEPS: Readonly<Record<string, Point>> = {
  ArrowDown: { x: 0, y: STEP },
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
};

/** Gives the arrows to a window's frame, for what a menu named; until Enter, Escape, or something else has the keys. */
export function takeArrows(id: string, to: "move" | "resize", windowing: Windowing): void {
  const take = () => {
    const frame = document.getElementById(`window-${id}`);
    if (frame === null) return;
    focusOn(frame);
    frame.dataset.arrows = to;
  };
  windowing.front(id);
  take();
  const waits = waiting();
  requestAnimationFrame(() => waits() && take()); // its app may have taken the keys as it came to the front
}

/** Arrows on a window's own frame move it, with Shift they pull its lower right corner; it is one gesture until the key is let go. */
export function useNudges({ id, box, screen, windowing, off }: NudgeParts) {
  const now = useRef<Box>(undefined);
  const isPlain = ({ altKey, ctrlKey, metaKey, target, currentTarget }: KeyboardEvent) =>
    !off && !altKey && !ctrlKey && !metaKey && target === currentTarget;
  const end = () => {
    if (now.current !== undefined) windowing.place(id, now.current);
    now.current = undefined;
  };
  return {
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const by = STEPS[event.key];
      if (!isPlain(event)) return;
      const { arrows } = event.currentTarget.dataset;
      if (arrows !== undefined && (event.key === "Enter" || event.key === "Escape")) {
        event.preventDefault();
        event.currentTarget.blur();
        windowing.front(id); // the keys are where they were in it
      }
      if (by === undefined) return;
      event.preventDefault();
      const from = now.current ?? box;
      now.current = event.shiftKey || arrows === "resize" ? resized(from, "se", by, screen) : moved(from, by, screen);
      drawBox(event.currentTarget, now.current);
    },
    onKeyUp({ key }: KeyboardEvent) {
      if (STEPS[key] !== undefined) end();
    },
    onBlur({ target, currentTarget }: FocusEvent<HTMLElement>) {
      if (target === currentTarget) delete currentTarget.dataset.arrows;
      end();
    },
  };
}
