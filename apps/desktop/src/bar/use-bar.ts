import { type CompositionEvent, type KeyboardEvent, type RefObject, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { apps } from "../apps/registry.ts";
import { askConsole } from "../console.ts";
import type { DeskApi } from "../desk/api.ts";
import { focusOn, waiting } from "../focus.ts";
import { useKeptWords } from "../kept-words.ts";
import { useWatched } from "../watched.ts";
import { addEarly } from "../windows/early-keys.ts";
import type { Windowing } from "../windows/windowing.ts";
import { carryOut, lackOf, type PastMoment } from "./carry-out.ts";
import { type Offer, offersFor } from "./completions.ts";
import { useFound } from "./found-files.ts";
import { History } from "./history.ts";
import type { Asks } from "./use-asks.ts";

/** Whether there is anything above the bar, and why: it was typed in, or the ? was pressed. */
export type Open = "typed" | "menu" | "closed";

interface BarParts {
  readonly api: DeskApi;
  readonly windowing: Windowing;
  readonly asks: Asks;
  readonly open: Open;
  setOpen(open: Open): void;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

interface Proposed {
  readonly moment: PastMoment;
  /** Whether whoever said it still waits for it. */
  waits(): boolean;
}

export interface Bar {
  readonly text: string;
  readonly offers: readonly Offer[];
  /** The offer that the arrows chose; -1 where they chose none. */
  readonly active: number;
  /** What the command that was typed lacks. */
  readonly missing: string | undefined;
  /** What somebody wants to go back to, until they did or thought again. */
  readonly proposed: Proposed | undefined;
  /** Puts this into the bar. */
  fill(text: string, open: Open): void;
  type(text: string): void;
  choose(offer: Offer): void;
  close(): void;
  onKeyDown(event: KeyboardEvent): void;
  onComposition(event: CompositionEvent): void;
}

const history = new History();
/** So long somebody types on in what they made. */
const SOON_MS = 2000;

/** What the bar holds, and what its keys do. */
export function useBar({ api, windowing, asks, open, setOpen, field }: BarParts): Bar {
  const [text, setText] = useKeptWords("bar");
  const [picked, setPicked] = useState<Offer>();
  const [missing, setMissing] = useState<string>();
  const [proposed, setProposed] = useState<Proposed>();
  const files = useFound(api, open === "typed" ? text : "");
  const known = { apps: useWatched(apps), files, asked: asks.texts };
  const offers = open === "closed" ? [] : offersFor(open === "menu" ? "" : text, known);
  const active = placeOf(picked, offers);

  /** Grows with whatever is done to what the bar holds. */
  const touched = useRef(0);
  /** What is being composed can't be taken elsewhere: it would be cut in two. */
  const isComposing = useRef(false);

  const fill = (next: string, why: Open) => {
    touched.current += 1;
    setProposed(undefined);
    setText(next);
    setOpen(why);
    setPicked(undefined);
    setMissing(undefined);
  };
  const close = () => {
    setOpen("closed");
    setPicked(undefined);
    setMissing(undefined);
    setProposed(undefined);
  };
  const say: Asks["say"] = (words, paths) => {
    setText((now) => (now.trim() === words ? "" : now)); // it was there to be said better
    return asks.say(words, paths);
  };
  const submit = (said: string) => {
    if (said.trim() === "") return;
    if (said.trim() === "?") return fill("", "menu"); // as the button beside it
    const lack = lackOf(said);
    if (lack !== undefined) return setMissing(lack);
    history.add(said);
    fill("", "closed");
    const empty = touched.current;
    const typesOn = () => touched.current !== empty && field.current?.matches(":focus") === true;
    const at = performance.now();
    /** Whoever types on begins to write it; who had to wait for it may be at something else. */
    const begun = (window: string) => {
      if (!typesOn() || isComposing.current || performance.now() - at > SOON_MS) return;
      addEarly(window, field.current?.value ?? "");
      fill("", "closed");
      windowing.wished.set({ id: window });
    };
    const waits = waiting();
    const propose = (moment: PastMoment) => setProposed({ moment, waits });
    const parts = { api, windowing, say, begun, wish: askConsole, propose };
    void carryOut(said, parts).then((isDone) => {
      if (!isDone && touched.current === empty) giveBack(said);
    });
  };
  /** To be said better; whoever says something else types over it, also where their hand was quicker than the answer. */
  const giveBack = (said: string) => {
    flushSync(() => setText(said));
    if (document.activeElement === field.current) field.current?.select(); // which takes the keys, too
  };
  const choose = (offer: Offer) => {
    if (offer.whole) return submit(offer.fill);
    fill(offer.fill, "typed");
    focusOn(field.current);
  };

  /** Whether the arrow had something to do. */
  const arrow = (step: -1 | 1): boolean => {
    if (isWithinLines(field.current, step)) return false;
    if (offers.length === 0 || (text === "" && open !== "menu") || history.isOpen) {
      if (!history.isOpen && isWithinWraps(field.current, step)) return false;
      const said = history.step(step, text, asks.texts);
      if (said !== undefined) fill(said, "closed");
      return said !== undefined;
    }
    const from = active < 0 && step < 0 ? 0 : active; // up from none is the last
    if (offers.length > 0) setPicked(offers[(from + step + offers.length) % offers.length]);
    return offers.length > 0;
  };
  const leave = () => {
    if (open !== "closed" || missing !== undefined || proposed !== undefined) close();
    else if (text !== "") fill("", "closed");
    else windowing.giveKeys();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const chosen = offers[active];
    const first = chosen ?? offers[0];
    if (event.key === "Enter" && !event.shiftKey) {
      if (chosen === undefined) submit(text);
      else choose(chosen);
    } else if (event.key === "Tab" && !event.shiftKey && open === "typed" && first !== undefined)
      choose({ ...first, whole: false });
    else if (event.key === "Escape") leave();
    else if (event.shiftKey || !((event.key === "ArrowUp" && arrow(-1)) || (event.key === "ArrowDown" && arrow(1))))
      return;
    event.preventDefault();
    event.stopPropagation();
  };
  const type = (next: string) => {
    history.leave();
    fill(next, next === "" ? "closed" : "typed");
  };
  const onComposition = (event: CompositionEvent) => {
    isComposing.current = event.type === "compositionstart";
  };
  return { text, offers, active, missing, proposed, fill, type, choose, close, onKeyDown, onComposition };
}

/** More may have come above it; -1 where it is none of them. */
function placeOf(offer: Offer | undefined, offers: readonly Offer[]): number {
  return offers.findIndex(({ fill, kind }) => fill === offer?.fill && kind === offer.kind);
}

/** Whether the arrow has a line to go to in what is written. */
function isWithinLines(field: HTMLTextAreaElement | null, step: -1 | 1): boolean {
  if (field === null) return false;
  const { selectionStart, value } = field;
  return step < 0 ? value.slice(0, selectionStart).includes("\n") : value.slice(selectionStart).includes("\n");
}

/** The same of a line that takes more than one row: there the browser knows where each ends. */
function isWithinWraps(field: HTMLTextAreaElement | null, step: -1 | 1): boolean {
  if (field === null || field.scrollHeight <= field.clientHeight) return false;
  return step < 0 ? field.selectionStart > 0 : field.selectionStart < field.value.length;
}
