/** The name of a setting, for a message. What no setting is called may be a key in the wrong place: its line tells where. */
export function shownName(name: PropertyKey): string {
  const text = String(name);
  return /^[a-z0-9_][a-z0-9_-]{0,23}$/.test(text) ? text : "…";
}
