import { useEffect } from "react";
import { apps } from "../apps/registry.ts";
import type { Desk } from "../desk/desk.ts";
import { Watched } from "../watched.ts";
import { frontOf, inTurn } from "../windows/deeds.ts";
import type { Arrow } from "../windows/snap.ts";
import type { Windowing } from "../windows/windowing.ts";

interface KeyParts {
  readonly desk: Desk;
  readonly windowing: Windowing;
}

/** Another one each time somebody wants to type into the bar; with the words that it begins with then. */
export const barWanted = new Watched<{ readonly text?: string } | undefined>(undefined);
/** The window that is chosen in the switcher, while that is open; the front one first. */
export const switching = new Watched<{ readonly order: readonly string[]; readonly at: number } | undefined>(undefined);

const ARROWS: Readonly<Record<string, Arrow>> = {
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
};

/** The keys that work wherever one is on the desktop. An app that wants one for itself prevents its default. */
export function useKeys({ desk, windowing }: KeyParts): void {
  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.getModifierState("AltGraph")) return;
      if (isTaken(event)) event.preventDefault();
    };
    const isTaken = (event: KeyboardEvent): boolean =>
      forBar(event, windowing) ||
      forSwitcher(event, desk, windowing) ||
      forWindow(event, desk, windowing) ||
      forPage(event);
    const up = ({ key }: KeyboardEvent) => {
      if (key === "Control") choose(windowing);
    };
    addEventListener("keydown", down);
    addEventListener("keyup", up);
    return () => {
      removeEventListener("keydown", down);
      removeEventListener("keyup", up);
    };
  }, [desk, windowing]);
}

function forBar(event: KeyboardEvent, windowing: Windowing): boolean {
  const command = event.ctrlKey || event.metaKey;
  const app = command ? apps.get().find(({ chord }) => chord === event.key) : undefined;
  if (command && !event.altKey && event.key.toLowerCase() === "k") barWanted.set({});
  else if (app !== undefined) windowing.front(windowing.open(app));
  else if (event.key === "?" && !command && !isTyping(event)) barWanted.set({});
  else return false;
  return true;
}

function forSwitcher(event: KeyboardEvent, desk: Desk, windowing: Windowing): boolean {
  const now = switching.get();
  if (event.ctrlKey && !event.altKey && event.code === "Backquote") {
    const windows = desk.windows.get();
    const order = now?.order ?? inTurn(windows);
    if (order.length === 0) return true;
    const step = event.shiftKey ? -1 : 1;
    const none = step > 0 && frontOf(windows) === undefined ? -1 : 0; // then the first is the next
    switching.set({ order, at: ((now?.at ?? none) + step + order.length) % order.length });
    return true;
  }
  if (now === undefined) return false;
  const step = { ArrowDown: 1, ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") switching.set(undefined);
  else if (event.key === "Enter") choose(windowing);
  else if (step !== undefined) switching.set({ ...now, at: (now.at + step + now.order.length) % now.order.length });
  else return false;
  return true;
}

/** Brings the window that is chosen in the switcher to the front. */
export function choose(windowing: Windowing): void {
  const now = switching.get();
  switching.set(undefined);
  const id = now?.order[now.at];
  if (id !== undefined) windowing.front(id);
}

function forWindow(event: KeyboardEvent, desk: Desk, windowing: Windowing): boolean {
  if (event.key === "F6") return moveOn();
  if (!event.altKey || !event.ctrlKey) return false;
  if (event.code === "KeyD") {
    windowing.showDesktop();
    return true;
  }
  const id = frontOf(desk.windows.get());
  if (id === undefined) return false;
  const arrow = ARROWS[event.key];
  if (arrow !== undefined) windowing.snap(id, arrow);
  else if (event.code === "KeyW") windowing.closeFront();
  else if (event.code === "KeyM") windowing.put(id, "minimised");
  else return false;
  return true;
}

/** What a browser would do to all of its page: what is written saves itself, and all is all of the front window. */
function forPage(event: KeyboardEvent): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return false;
  const key = event.key.toLowerCase();
  if (key !== "a" || isTyping(event)) return key === "s";
  const shown = document.querySelector(".window[data-front=true] .app");
  if (shown !== null) getSelection()?.selectAllChildren(shown);
  return true;
}

/** From the front window's frame, where arrows move it, to the bar, to the icons, and around. */
function moveOn(): boolean {
  const stops = [".window[data-front=true]", ".ask textarea", ".icon"].flatMap((stop) => {
    const element = document.querySelector<HTMLElement>(stop);
    return element === null ? [] : [element];
  });
  const now = stops.findIndex((stop) => stop.matches(":focus"));
  stops[(now + 1) % stops.length]?.focus();
  return true;
}

/** Also within a shadow root, as an editor's. */
function isTyping(event: Event): boolean {
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select");
}
