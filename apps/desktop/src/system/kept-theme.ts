import { parseTheme, type Theme } from "@choiros/contract";

const KEY = "choir.theme";

/** The theme of the last visit: what is drawn before anything is known has it, and nothing flashes. */
export function keptTheme(): Theme | undefined {
  try {
    const parsed = parseTheme(localStorage.getItem(KEY) ?? "");
    return parsed.ok ? parsed.value : undefined;
  } catch {
    return undefined; // this browser keeps nothing
  }
}

export function keepTheme(theme: Theme | undefined): void {
  try {
    if (theme === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(theme));
  } catch {
    // this browser keeps nothing
  }
}
