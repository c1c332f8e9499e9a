import type { KeyboardEvent } from "react";

/** What was typed into a window while its app was still coming. */
const early = new Map<string, string>();

/** Keeps what a key writes for the app of a window that isn't there yet. Whether it did. */
export function keepEarly(id: string, event: KeyboardEvent<HTMLElement>): boolean {
  if (event.target !== event.currentTarget || !isComing(event.currentTarget)) return false;
  const former = early.get(id) ?? "";
  const text = event.key === "Backspace" ? former.slice(0, -1) : former + writtenBy(event);
  if (text === former) return false;
  early.set(id, text);
  return true;
}

/** What was typed elsewhere, and is meant for it. */
export function addEarly(id: string, text: string): void {
  early.set(id, (early.get(id) ?? "") + text);
}

/** The app's from then on. */
export function takeEarly(id: string): string {
  const text = early.get(id) ?? "";
  early.delete(id);
  return text;
}

/** Its code is, or what it shows. */
function isComing(frame: HTMLElement): boolean {
  return frame.querySelector(".app[aria-busy=true], .app > [aria-busy=true]") !== null;
}

function writtenBy({ altKey, ctrlKey, key, metaKey, nativeEvent }: KeyboardEvent): string {
  const commands = (altKey || ctrlKey || metaKey) && !nativeEvent.getModifierState("AltGraph");
  if (commands || nativeEvent.isComposing) return "";
  if (key === "Enter") return "\n";
  return [...key].length === 1 ? key : "";
}
