import type { Theme } from "@choiros/contract";
import { consoleScheme, tellScheme } from "../console.ts";
import { coloursOf } from "./theme-colours.ts";

const prefersLight = matchMedia("(prefers-color-scheme: light)");
let set: readonly string[] = [];

/** As the theme says; without one, as the console looks, or dark. As the system does also from now on, where that is wanted. */
export function applyTheme(theme: Theme | undefined): void {
  const wanted = theme?.scheme ?? consoleScheme() ?? "dark";
  const scheme = wanted === "system" ? (prefersLight.matches ? "light" : "dark") : wanted;
  const { dataset, style } = document.documentElement;
  dataset.theme = scheme;
  tellScheme(scheme);
  for (const name of set) style.removeProperty(name);
  const colours = coloursOf(theme, scheme);
  for (const [name, colour] of colours) style.setProperty(name, colour);
  set = colours.map(([name]) => name);
  prefersLight.onchange = wanted === "system" ? () => applyTheme(theme) : null;
}
