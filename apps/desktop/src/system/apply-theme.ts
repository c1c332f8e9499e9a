import type { Theme } from "@choiros/contract";
import { consoleScheme, tellScheme } from "../console.ts";
import { inkOn } from "./paint.ts";

const prefersLight = matchMedia("(prefers-color-scheme: light)");
let set: readonly string[] = [];

/** As the theme says; without one, as the console looks. Also from now on, whenever the system changes its mind. */
export function applyTheme(theme: Theme | undefined): void {
  const wanted = theme?.scheme ?? consoleScheme();
  const scheme = wanted === "system" ? (prefersLight.matches ? "light" : "dark") : wanted;
  const { dataset, style } = document.documentElement;
  dataset.theme = scheme;
  tellScheme(scheme);
  for (const name of set) style.removeProperty(name);
  const colours = coloursOf(theme, scheme);
  for (const [name, colour] of colours) style.setProperty(name, colour);
  set = colours.map(([name]) => name);
  prefersLight.onchange = () => applyTheme(theme);
}

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
