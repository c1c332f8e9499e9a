export type Theme = "system" | "dark" | "light";

const KEY = "choir.theme";
/** How the desk looked last: what is drawn before it says so has it, and nothing flashes. */
const DESK_KEY = "choir.desk-theme";
const prefersLight = matchMedia("(prefers-color-scheme: light)");

export function chosenTheme(): Theme {
  return kept(KEY) ?? "system";
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem(KEY);
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

/** As was chosen, or as the desk looks, or as the system does; also from now on, whenever that changes its mind. */
export function applyTheme(): void {
  const theme = kept(KEY) ?? kept(DESK_KEY) ?? (prefersLight.matches ? "light" : "dark");
  document.documentElement.dataset.theme = theme;
  prefersLight.onchange = () => {
    localStorage.removeItem(DESK_KEY); // a desk that is there says it again
    applyTheme();
  };
}

function kept(key: string): "dark" | "light" | undefined {
  const value = localStorage.getItem(key);
  return value === "dark" || value === "light" ? value : undefined;
}
