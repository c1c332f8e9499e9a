const WHO: Readonly<Record<string, string>> = { agent: "an agent", system: "the computer", user: "you" };

/** Who made an event happen, in words. What happened to files by nobody's command came from outside. */
export function whoWords({ source, type }: { readonly source: string; readonly type: string }): string {
  return whoName(source === "system" && type === "files.changed" ? "outside" : source);
}

/** As a line of a folder tells it. */
export function whoName(by: string): string {
  return WHO[by] ?? by;
}
