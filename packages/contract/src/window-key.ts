/** Tells a window's key from a setting's: an undo has both in one list. */
export function isWindowKey(key: string): boolean {
  return key.startsWith("window.");
}
