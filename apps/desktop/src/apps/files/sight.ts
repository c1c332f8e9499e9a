import { type RefObject, useEffect, useLayoutEffect, useState } from "react";
import { type Cells, rectOf, type Slot, slotted } from "./cells.ts";

const SPARE_PX = 240;

/** How large the room is in which they are shown. */
export function useSize(room: RefObject<HTMLElement | null>): { readonly width: number; readonly height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = room;
    if (current === null) return;
    const look = () => {
      const { clientWidth: width, clientHeight: height, offsetWidth, parentElement } = current;
      parentElement?.style.setProperty("--files-scrollbar", `${offsetWidth - width}px`); // for what stands above
      setSize({ width, height });
    };
    const observer = new ResizeObserver(look);
    observer.observe(current);
    look();
    return () => observer.disconnect();
  }, [room]);
  return size;
}

/** Those that have to be drawn, by their places. While it scrolls nothing is drawn again but what comes into sight. */
export function useDrawn(room: RefObject<HTMLElement | null>, cells: Cells, height: number): readonly Slot[] {
  const [top, setTop] = useState(0);
  useEffect(() => {
    const { current } = room;
    if (current === null) return;
    const look = () => setTop(Math.floor(current.scrollTop / cells.height) * cells.height);
    current.addEventListener("scroll", look, { passive: true });
    look();
    return () => current.removeEventListener("scroll", look);
  }, [room, cells.height]);
  return slotted(cells, top, height, Math.ceil(SPARE_PX / cells.height));
}

/** Scrolls as little as brings it into sight. */
export function bringIntoSight(room: HTMLElement, cells: Cells, index: number): void {
  const { y, h } = rectOf(cells, index);
  if (y < room.scrollTop) room.scrollTop = y - cells.edge;
  else if (y + h > room.scrollTop + room.clientHeight) room.scrollTop = y + h + cells.edge - room.clientHeight;
}
