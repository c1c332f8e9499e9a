import type { DeskKey } from "@choiros/contract/frame";

/**
 * The keys that mean the desktop wherever one is: with them the keyboard goes there, and the key itself after it. What is
 * typed into a field of the console, and what its own buttons take, stays here.
 */
export function deskKeyOf(event: KeyboardEvent): DeskKey | undefined {
  if (event.defaultPrevented || event.isComposing || event.getModifierState("AltGraph")) return undefined;
  if (event.target instanceof HTMLElement && event.target.matches("input, textarea, select")) return undefined;
  return isDesks(event) ? keyOf(event) : undefined;
}

function isDesks({ altKey, code, ctrlKey, key, metaKey }: KeyboardEvent): boolean {
  if (altKey) return ctrlKey && (key.startsWith("Arrow") || ["KeyD", "KeyM", "KeyW"].includes(code));
  if (ctrlKey || metaKey) return key.toLowerCase() === "k" || key === "/" || code === "Backquote";
  return key === "?" || key === "F6";
}

function keyOf({ altKey, code, ctrlKey, key, metaKey, shiftKey }: KeyboardEvent): DeskKey {
  return { altKey, code, ctrlKey, key, metaKey, shiftKey };
}
