import { parseTheme, type Recognised, type Theme } from "@choiros/contract";
import { faintest } from "./contrast.ts";
import { wearing } from "./paint.ts";
import { coloursOf } from "./theme-colours.ts";

/** A theme that can be worn: one in which nothing could be read is as broken as one that is no JSON. */
export function parseReadable(text: string): Recognised<Theme> {
  const parsed = parseTheme(text);
  if (!parsed.ok) return parsed;
  const { scheme } = parsed.value;
  for (const one of scheme === "system" ? (["dark", "light"] as const) : [scheme]) {
    const faint = wearing({ scheme: one, colours: coloursOf(parsed.value, one) }, (paint) =>
      faintest((token, on) => {
        const ground = ["var(--desk)", `var(--${on})`];
        return [paint(...ground, `var(--${token})`), paint(...ground)];
      }),
    );
    if (faint !== undefined) return { ok: false, why: `in ${one} it can't be read: ${faint}` };
  }
  return parsed;
}
