import { useCallback, useLayoutEffect, useRef, useState } from "react";
import type { DeskApi } from "../desk/api.ts";
import type { Desk } from "../desk/desk.ts";
import { useWatched } from "../watched.ts";
import { hasCards } from "./box.ts";
import { frontOf, inOrder } from "./deeds.ts";
import { boxOfZone, type Zone } from "./snap.ts";
import { WindowFrame } from "./window-frame.tsx";
import type { Windowing } from "./windowing.ts";

interface LayerParts {
  readonly desk: Desk;
  readonly api: DeskApi;
  readonly windowing: Windowing;
}

/** All windows, in the room there is for them. In the order they were opened: what moves to the front isn't moved in the page. */
export function WindowLayer({ desk, api, windowing }: LayerParts) {
  const room = useRef<HTMLDivElement>(null);
  const windows = useWatched(desk.windows);
  const screen = useWatched(windowing.screen);
  const [zone, setZone] = useState<Zone>();
  const onZone = useCallback((next: Zone | undefined) => setZone(next), []);

  useLayoutEffect(() => {
    const { current } = room;
    if (current === null) return;
    const measure = () => windowing.screen.set({ w: current.clientWidth, h: current.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, [windowing]);

  const front = frontOf(windows);
  const cards = hasCards(screen);
  const top = inOrder(windows).at(-1)?.[1].z ?? 0;
  const preview = zone === undefined ? undefined : boxOfZone(zone, screen);
  return (
    <div ref={room} className="windows" data-cards={cards}>
      {preview !== undefined && (
        <div
          className="snap-preview"
          style={{
            transform: `translate(${preview.x}px, ${preview.y}px)`,
            width: `${preview.w}px`,
            height: `${preview.h}px`,
            zIndex: top + 1,
          }}
        />
      )}
      {[...windows].map(([id, window]) => (
        <WindowFrame
          key={id}
          {...{ id, window, screen, windowing, onZone }}
          desk={api}
          inFront={id === front}
          covered={cards && id !== front}
        />
      ))}
    </div>
  );
}
