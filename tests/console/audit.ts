import axe, { type AxeResults } from "axe-core";
import type { Frame, Page } from "playwright-core";

/**
 * What somebody who sees badly, or not at all, or has a small screen, would stumble over on this page. `colours`: nothing
 * else can have changed since the last look.
 */
export async function faultsOf(page: Page | Frame, only?: "colours"): Promise<string[]> {
  // A style that is on its way is no style yet.
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {}))));
  return [...(await barriers(page, only)), ...(await page.evaluate(cutOff)), ...(await page.evaluate(bulkyScrollbars))];
}

/** What axe finds serious or worse. It is put in by the debugger: the page's own policy lets no script in. */
async function barriers(page: Page | Frame, only?: "colours"): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  const options = {
    ...{ iframes: false, resultTypes: ["violations"] },
    ...(only === "colours" && { runOnly: ["color-contrast"] }),
  };
  const run = `axe.run(document, ${JSON.stringify(options)})`;
  const { violations }: AxeResults = await page.evaluate(run);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ failureSummary, html }) => `${id}: ${html}: ${failureSummary}`));
}

/** What lies beside the window, where nobody gets to. */
function cutOff(): string[] {
  const used = [...document.querySelectorAll<HTMLElement>("button, a, input")].filter((one) => one.checkVisibility());
  const beside = used.filter((element) => {
    const { left, right } = element.getBoundingClientRect();
    return left < -1 || right > innerWidth + 1;
  });
  const wide = document.documentElement.scrollWidth > innerWidth ? ["the page is wider than the window"] : [];
  return [...wide, ...beside.map((element) => `${element.ariaLabel ?? element.textContent} is cut off`)];
}

/** What scrolls, also in a shadow root, with the wide bars that a browser has by itself. */
function bulkyScrollbars(): string[] {
  const within = (root: ParentNode): Element[] =>
    [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot === null ? [] : within(one.shadowRoot))]);
  return within(document)
    .filter((one) => {
      const { overflowX, overflowY, scrollbarWidth } = getComputedStyle(one);
      return [overflowX, overflowY].some((flow) => flow === "auto" || flow === "scroll") && scrollbarWidth === "auto";
    })
    .map((one) => `${one.className} has the browser's own scrollbar`);
}
