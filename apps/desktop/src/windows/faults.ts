import type { NewNotice } from "../desk/notices.ts";
import { Watched } from "../watched.ts";
import { appOfCode, type Code, codeList } from "./app-code.ts";
import { inOrder, type Windows } from "./deeds.ts";

/** What apps threw elsewhere than where they are drawn, by window: the first, until somebody has seen it. */
export const faults = new Watched<ReadonlyMap<string, string>>(new Map());

export interface FaultParts {
  windows(): Windows;
  notify(notice: NewNotice): unknown;
}

export interface Fault {
  readonly thrown: unknown;
  /** Where it says itself that it comes from. */
  readonly file?: string;
  /** Of the app that was being told of a press or a key. */
  readonly window?: string | undefined;
}

/** Hears from now on what nobody on the page caught. */
export function catchFaults(parts: FaultParts): void {
  let last: Event | undefined;
  const note = (event: Event) => {
    last = event;
  };
  for (const type of HANDS) addEventListener(type, note, { capture: true, passive: true });
  const tell = (thrown: unknown, file = "") =>
    tellFault({ thrown, file, window: last && windowTold(last) }, parts, codeList());
  addEventListener("error", ({ error, filename, message }) => {
    if (!message.startsWith("ResizeObserver loop")) tell(error ?? message, filename); // that one is the browser's own
  });
  addEventListener("unhandledrejection", ({ reason }) => {
    if (!(reason instanceof DOMException && reason.name === "AbortError")) tell(reason); // stopped, as somebody wished
  });
}

/** In the window of its app, where that is known; else in a notice, so that the page isn't flooded. */
export function tellFault({ thrown, file, window }: Fault, parts: FaultParts, code: Code = {}): void {
  const words = wordsOf(thrown);
  const windows = parts.windows();
  const trace = `${thrown instanceof Error ? thrown.stack : ""}\n${file}`;
  const id = window !== undefined && windows.has(window) ? window : foremost(windows, appOfCode(trace, code));
  if (id === undefined) tellOfPage(words, parts);
  else if (!faults.get().has(id)) faults.set(new Map(faults.get()).set(id, words));
}

/** It was seen, or its app begins anew. */
export function forgetFault(window: string): void {
  if (faults.get().has(window)) faults.set(new Map([...faults.get()].filter(([id]) => id !== window)));
}

/** What people do to an app. */
const HANDS = ["click", "dblclick", "pointerdown", "pointerup", "keydown", "keyup", "input", "change", "drop"];
const AGAIN_MS = 60_000;
/** So many within that time. */
const MOST_TOLD = 4;
const MOST_CHARACTERS = 300;
const told = new Map<string, number>();

function tellOfPage(words: string, { notify }: FaultParts): void {
  const now = Date.now();
  for (const [one, at] of told) if (now - at >= AGAIN_MS) told.delete(one);
  if (told.has(words) || told.size >= MOST_TOLD) return;
  told.set(words, now);
  const action = { label: "Load the page anew", run: () => location.reload() };
  notify({ text: "Something on the desktop went wrong.", detail: words, kind: "wrong", action });
}

/** The window whose app is hearing of this event right now. */
function windowTold({ eventPhase, target }: Event): string | undefined {
  if (eventPhase === Event.NONE || !(target instanceof Element)) return undefined;
  return target
    .closest(".app")
    ?.closest(".window")
    ?.id.replace(/^window-/, "");
}

/** The one of this app that somebody is likely to look at. */
function foremost(windows: Windows, app: string | undefined): string | undefined {
  const own = inOrder(windows).filter(([, window]) => window.app === app);
  return (own.findLast(([, { state }]) => state !== "minimised") ?? own.at(-1))?.[0];
}

function wordsOf(thrown: unknown): string {
  const words = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  return words.slice(0, MOST_CHARACTERS);
}
