import type { Page } from "playwright-core";

type Theme = "dark" | "light";

/** Who chose this theme for the console, and with it for each desk that has none of its own. */
export async function chooseTheme(page: Page, theme: Theme): Promise<void> {
  await page.addInitScript((theme) => {
    if (top === self && location.protocol === "http:") localStorage.setItem("choir.theme", theme);
  }, theme);
}

/** In this theme from now on, the console and its desk, without a word about it in the log. */
export async function wear(page: Page, theme: Theme): Promise<void> {
  for (const frame of page.frames()) {
    const html = frame.locator("html");
    await html.evaluate(({ dataset }, theme) => (dataset.theme = theme), theme);
  }
}
