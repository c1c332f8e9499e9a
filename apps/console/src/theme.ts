export type Theme = "desk" | "dark" | "light";

const KEY = "choir.theme";
/** How the desk looked last: what is drawn before it says so has it, and nothing flashes. */
const DESK_KEY = "choir.desk-theme";

export function chosenTheme(): Theme {
  return kept(KEY) ?? "desk";
}

export function chooseTheme(theme: Theme): void {
  if (theme === "desk") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  applyTheme();
}

/** A desk may say it as often as it likes: nobody is made to see the page flicker. */
const CALM_MS = 1000;
/** When it may change again. */
let calm = 0;

/** Where nothing else was chosen here, the console looks as its desk does, in its own colours. */
export function followDesk(scheme: "dark" | "light"): void {
  if (kept(DESK_KEY) === scheme) return;
  localStorage.setItem(DESK_KEY, scheme);
  const now = performance.now();
  if (now < calm) return; // what is kept is worn then
  calm = now + CALM_MS;
  applyTheme();
  setTimeout(applyTheme, CALM_MS);
}

/** As was chosen, or as the desk looks; dark until there is either. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = kept(KEY) ?? kept(DESK_KEY) ?? "dark";
}

function kept(key: string): "dark" | "light" | undefined {
  const value = localStorage.getItem(key);
  return value === "dark" || value === "light" ? value : undefined;
}
