export type Theme = "system" | "dark" | "light";

const KEY = "choir.theme";
const prefersLight = matchMedia("(prefers-color-scheme: light)");

export function chosenTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === "dark" || kept === "light" ? kept : "system";
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  applyTheme();
}

/** Also from now on, whenever the system changes its mind. */
export function applyTheme(): void {
  const theme = chosenTheme();
  document.documentElement.dataset.theme = theme === "system" ? (prefersLight.matches ? "light" : "dark") : theme;
  prefersLight.onchange = applyTheme;
}
