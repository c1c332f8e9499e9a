import type { WindowValue } from "@choiros/contract";
import { AppWindow, Copy, Minus, Square, X } from "lucide-react";
import { type FocusEvent, type MouseEvent, memo, type PointerEvent, useCallback, useLayoutEffect, useRef } from "react";
import { appOf } from "../apps/registry.ts";
import { isByKeys } from "../by-keys.ts";
import type { DeskApi } from "../desk/api.ts";
import { focusOn } from "../focus.ts";
import { AppPlace } from "./app-place.tsx";
import { type Box, type Handle, hasCards, type Screen } from "./box.ts";
import { freeBox, shownBox } from "./deeds.ts";
import { keepEarly } from "./early-keys.ts";
import { drawBox, take } from "./gestures.ts";
import { useNudges } from "./nudges.ts";
import { handlesOf, type Zone } from "./snap.ts";
import { windowMenu } from "./window-menu.ts";
import type { Windowing } from "./windowing.ts";

interface FrameParts {
  readonly id: string;
  readonly window: WindowValue;
  readonly inFront: boolean;
  /** A card behind the front one. */
  readonly covered: boolean;
  readonly screen: Screen;
  readonly windowing: Windowing;
  readonly desk: DeskApi;
  onZone(zone: Zone | undefined): void;
}

/** In its frame, for the menu that keys open. */
const MENU_AT = { x: 8, y: 36 };

/** One window: its title bar, its eight handles, and its app. Drawn again only when it changed itself. */
export const WindowFrame = memo(function WindowFrame(parts: FrameParts) {
  const { id, window, inFront, covered, screen, windowing, desk } = parts;
  const element = useRef<HTMLElement>(null);
  const app = appOf(window.app);
  const Icon = app?.icon ?? AppWindow;
  const away = window.state === "minimised";
  const box = shownBox(window, screen);
  const drawAgain = useDrawn(element, box);
  const cards = hasCards(screen);
  const focus = useFocus(element, inFront, windowing, id);

  const begin = (event: PointerEvent<HTMLElement>, handle?: Handle) => {
    const { current } = element;
    if (current === null || event.button !== 0 || cards) return;
    take({
      element: current,
      grip: event.currentTarget,
      event: event.nativeEvent,
      box,
      free: window.state === "normal" ? undefined : freeBox(window, screen),
      screen,
      ...(handle !== undefined && { handle }),
      onZone: parts.onZone,
      onEnd(result) {
        if (result === undefined) {
          drawAgain();
          windowing.front(id);
        } else if ("zone" in result) windowing.put(id, result.zone);
        else windowing.place(id, result.box);
      },
    });
  };

  const isButton = (target: EventTarget) => target instanceof Element && target.closest("button") !== null;
  const title = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (isButton(event.target)) return;
      event.preventDefault();
      focus.regain();
      begin(event);
    },
    /** The keys stay where they are in it. */
    onMouseDown: (event: MouseEvent) => !isButton(event.target) && event.preventDefault(),
    onDoubleClick: ({ target }: MouseEvent) => !isButton(target) && windowing.toggleMaximised(id),
  };
  /** Everywhere but in its app; by keys, below its title. */
  const showMenu = (event: MouseEvent<HTMLElement>) => {
    if (event.target instanceof Element && event.target.closest(".app") !== null) return;
    event.preventDefault();
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const byKeys = isByKeys(event.nativeEvent) && event.target === event.currentTarget;
    const at = byKeys ? { x: left + MENU_AT.x, y: top + MENU_AT.y } : { x: event.clientX, y: event.clientY };
    desk.showMenu({ ...at, items: windowMenu(id, window, windowing) });
  };
  const pull = (handle: Handle) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      event.preventDefault();
      begin(event, handle);
    },
  });
  const controls = { title: window.title, maximised: window.state === "maximised", cards };
  return (
    <section
      ref={element}
      className="window"
      id={`window-${id}`}
      aria-label={window.title}
      data-state={window.state}
      data-front={inFront}
      hidden={away}
      inert={covered}
      tabIndex={-1}
      onFocus={focus.keep}
      onContextMenu={showMenu}
      onKeyDownCapture={(event) => keepEarly(id, event) && event.preventDefault()}
      style={{ zIndex: window.z }}
      onPointerDown={(event) => {
        if (!event.defaultPrevented) windowing.front(id);
      }}
      {...useNudges({ id, box, screen, windowing, off: cards })}
    >
      <div className="window-title" {...title}>
        <Icon aria-hidden="true" size={15} className="gold-text" />
        <h2>{window.title}</h2>
        <Controls {...controls} id={id} windowing={windowing} />
      </div>
      <AppPlace {...{ id, window, inFront, windowing, desk }} app={app} away={away} />
      {!cards &&
        handlesOf(window.state).map((handle) => <div key={handle} className={`handle ${handle}`} {...pull(handle)} />)}
    </section>
  );
});

interface ControlParts {
  readonly id: string;
  readonly title: string;
  readonly maximised: boolean;
  readonly cards: boolean;
  readonly windowing: Windowing;
}

function Controls({ id, title, maximised, cards, windowing }: ControlParts) {
  return (
    <div className="window-controls">
      <button type="button" aria-label={`Minimise ${title}`} onClick={() => windowing.put(id, "minimised")}>
        <Minus aria-hidden="true" size={15} />
      </button>
      {!cards && (
        <button
          type="button"
          aria-label={`${maximised ? "Restore" : "Maximise"} ${title}`}
          onClick={() => windowing.toggleMaximised(id)}
        >
          {maximised ? <Copy aria-hidden="true" size={13} /> : <Square aria-hidden="true" size={12} />}
        </button>
      )}
      <button type="button" aria-label={`Close ${title}`} onClick={() => void windowing.close(id)}>
        <X aria-hidden="true" size={15} />
      </button>
    </div>
  );
}

/** Draws it where it stands, but not out of the hand that holds it. Returns how to once that has let go. */
function useDrawn(element: { readonly current: HTMLElement | null }, { x, y, w, h }: Box): () => void {
  const drawn = useRef<Box>(undefined);
  const draw = useCallback(() => {
    const [{ current }, box] = [element, drawn.current];
    if (current !== null && box !== undefined && current.dataset.taken === undefined) drawBox(current, box);
  }, [element]);
  useLayoutEffect(() => {
    drawn.current = { x, y, w, h };
    draw();
  }, [x, y, w, h, draw]);
  return draw;
}

/** Nobody has the keys; or who has them was put away with its window, and the browser only hasn't let them go yet. */
function isLaidDown(): boolean {
  const { activeElement } = document;
  return activeElement === document.body || activeElement?.closest(".window[data-state=minimised]") != null;
}

/** Who is brought to the front here gets the keys, where they were in it; who comes there by itself, where nobody has them. */
function useFocus(
  element: { readonly current: HTMLElement | null },
  inFront: boolean,
  windowing: Windowing,
  id: string,
) {
  const last = useRef<HTMLElement>(undefined);
  const regain = useCallback(() => {
    const { current } = element;
    for (const one of [last.current, current?.querySelector<HTMLElement>("[data-first]"), current])
      if (current?.contains(document.activeElement) === false) focusOn(one); // what is gone, or hidden, doesn't take them
  }, [element]);
  useLayoutEffect(() => {
    if (!inFront) return;
    const come = () => isLaidDown() && regain();
    if (windowing.wishes(id)) regain();
    else come();
    addEventListener("focus", come);
    const leave = windowing.wished.watch(() => windowing.wishes(id) && regain());
    return () => {
      removeEventListener("focus", come);
      leave();
    };
  }, [inFront, windowing, id, regain]);
  const keep = ({ target }: FocusEvent<HTMLElement>) => {
    if (target.closest(".app") !== null) last.current = target;
  };
  return { keep, regain };
}
