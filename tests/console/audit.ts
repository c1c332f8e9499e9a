import type { Page } from "playwright-core";

/** What somebody who sees badly, or not at all, or has a small screen, would stumble over on this page. */
export async function faultsOf(page: Page): Promise<string[]> {
  // A style that is on its way is no style yet.
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {}))));
  return [...(await page.evaluate(faintTexts)), ...(await page.evaluate(nameless)), ...(await page.evaluate(cutOff))];
}

/** Texts with less contrast than WCAG AA asks for, by the colours that are drawn. */
function faintTexts(): string[] {
  type Colour = readonly [red: number, green: number, blue: number, alpha: number];
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const parse = (colour: string): Colour => {
    if (pen === null) throw new Error("there is no canvas");
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = pen.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = ([r, g, b, alpha]: Colour, [r2, g2, b2]: Colour): Colour => {
    const mix = (one: number, two: number) => one * alpha + two * (1 - alpha);
    return [mix(r, r2), mix(g, g2), mix(b, b2), 1];
  };
  const light = ([r, g, b]: Colour) => {
    const part = (value: number) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const above = (element: Element | null): Element[] =>
    element === null ? [] : [element, ...above(element.parentElement)];
  const groundOf = (element: Element) =>
    above(element).reduceRight<Colour>(
      (ground, one) => over(parse(getComputedStyle(one).backgroundColor), ground),
      [255, 255, 255, 1],
    );
  const found: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.textContent?.trim() ?? "";
    const element = node.parentElement;
    if (text === "" || element === null || !element.checkVisibility()) continue;
    if (element.closest(".sr-only, :disabled") !== null) continue; // neither has to be seen
    const style = getComputedStyle(element);
    const opacity = above(element).reduce((product, one) => product * Number(getComputedStyle(one).opacity), 1);
    const ground = groundOf(element);
    const [r, g, b, alpha] = parse(style.color);
    const lights = [light(over([r, g, b, alpha * opacity], ground)), light(ground)];
    const ratio = (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05);
    const large = Number.parseFloat(style.fontSize) >= 24;
    if (ratio < (large ? 3 : 4.5)) found.push(`'${text.slice(0, 40)}' has a contrast of ${ratio.toFixed(2)}`);
  }
  return found;
}

function nameless(): string[] {
  const used = document.querySelectorAll<HTMLElement>("button, a, input, iframe, [role=tree], [role=listbox]");
  return [...used].flatMap((element) => {
    const by = element.getAttribute("aria-labelledby");
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element.textContent?.trim();
    const name =
      element.ariaLabel || (by !== null && document.getElementById(by)?.textContent) || label || element.title;
    return name || !element.checkVisibility() ? [] : [`${element.outerHTML.slice(0, 100)} has no name`];
  });
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
