import type { BrowserContextOptions, Frame, Page } from "playwright-core";
import { faultsOf } from "../console/audit.ts";
import { wear } from "../console/theme.ts";

/** The screens and themes that all has to be right in. */
export type Look = `${Width} ${"dark" | "light"}`;
type Width = keyof typeof SIZES;

const SIZES = {
  1440: { width: 1440, height: 900 },
  1024: { width: 1024, height: 768 },
  390: { width: 390, height: 844 },
} as const;

/** A browser of that size; the small one is a phone's. */
export function browserOf(look: Look): BrowserContextOptions {
  const [width] = look.split(" ") as ["1440" | "1024" | "390", string]; // that is how it is written
  const isPhone = width === "390";
  return {
    ...{ reducedMotion: "reduce", viewport: SIZES[width] },
    ...(isPhone && { hasTouch: true, isMobile: true }),
  };
}

/** What anybody would stumble over in what is shown, in both themes, at each of these widths; the last one stays. */
export async function faultsAt(page: Page, where: Page | Frame, widths: readonly Width[]): Promise<string[]> {
  const faults: string[] = [];
  for (const theme of ["light", "dark"] as const) {
    await wear(page, theme);
    for (const width of widths) {
      await page.setViewportSize(SIZES[width]);
      await fitted(where, width);
      const only = theme === "dark" ? "colours" : undefined; // all else was looked at in the light
      faults.push(...(await faultsOf(where, only)).map((fault) => `${theme}, ${width}: ${fault}`));
    }
  }
  return faults;
}

/** A frame learns of its new size after its page, and draws what came of it in the frame after. */
async function fitted(where: Page | Frame, width: Width): Promise<void> {
  await where.waitForFunction((width) => innerWidth === width, Number(width));
  await where.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/** A browser for each, and at which widths it is looked at. */
export const AUDITED = [
  ["1440 dark", [1024, 1440]],
  ["390 dark", [390]],
] as const satisfies readonly (readonly [Look, readonly Width[]])[];
