import type { Theme } from "@choiros/contract";
import { inkOn } from "./paint.ts";

/** What a theme says of tokens. On an accent of its own stands what can be read there. */
export function coloursOf(theme: Theme | undefined, scheme: "dark" | "light"): [name: string, colour: string][] {
  const accent: [string, string][] =
    theme?.accent === undefined
      ? []
      : [
          ["--gold", theme.accent],
          ["--on-gold", inkOn(theme.accent)],
          ["--gold-text", `color-mix(in oklab, ${theme.accent} 70%, var(--text))`],
        ];
  const own = Object.entries(theme?.colours ?? {}).flatMap(([token, colour]): [string, string][] => {
    const one = typeof colour === "string" ? colour : colour[scheme];
    return one === undefined ? [] : [[`--${token}`, one]];
  });
  return [...accent, ...own];
}
