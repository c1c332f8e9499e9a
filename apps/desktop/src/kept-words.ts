import { useLayoutEffect, useState } from "react";

const kept = new Map<string, string>();

/** What somebody writes and hasn't said yet; where the browser keeps something for the page, also after it was loaded anew. */
export function useKeptWords(place: string) {
  const [text, setText] = useState(() => keptWords(place));
  useLayoutEffect(() => keepWords(place, text), [place, text]);
  return [text, setText] as const;
}

export function keptWords(place: string): string {
  try {
    return kept.get(place) ?? sessionStorage.getItem(nameOf(place)) ?? "";
  } catch {
    return ""; // this browser keeps nothing
  }
}

export function keepWords(place: string, text: string): void {
  kept.set(place, text);
  try {
    if (text === "") sessionStorage.removeItem(nameOf(place));
    else sessionStorage.setItem(nameOf(place), text);
  } catch {
    // this browser keeps nothing, or has no room
  }
}

function nameOf(place: string): string {
  return `choir.words.${place}`;
}
