/** Each from 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** As WCAG counts it: 1 is the same, 21 is black on white. */
export function contrast(one: Rgb, two: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(two)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** A colour with its opacity painted over another. */
export function over(ground: Rgb, [red = 0, green = 0, blue = 0, opacity = 1]: readonly number[]): Rgb {
  const mixed = (under: number, top: number) => under + (top - under) * opacity;
  return [mixed(ground[0], red), mixed(ground[1], green), mixed(ground[2], blue)];
}

const SURFACES = ["desk", "surface", "raised", "sunken"];

/** What stands on what, and how well it has to be told from it at least: words better than lines and marks. */
const PAIRS = [
  { tokens: ["text", "text-soft", "text-faint", "gold-text"], on: SURFACES, least: 4.5 },
  { tokens: ["on-gold"], on: ["gold"], least: 4.5 },
  { tokens: ["gold"], on: SURFACES, least: 3 },
];

/** The pair that can be told apart least, where that is too little, in a sentence. `seen` has one token as it is painted on another. */
export function faintest(seen: (token: string, on: string) => readonly [Rgb, Rgb]): string | undefined {
  const faint = PAIRS.flatMap(({ tokens, on, least }) =>
    tokens.flatMap((token) => on.map((ground) => ({ token, ground, least, found: contrast(...seen(token, ground)) }))),
  ).filter(({ found, least }) => found < least);
  const [worst] = faint.sort((one, two) => one.found / one.least - two.found / two.least);
  if (worst === undefined) return undefined;
  const { token, ground, found, least } = worst;
  return `“${token}” on “${ground}” has a contrast of ${figure(found)} to 1, and needs ${least}`;
}

/** Rounded down: what is too little mustn't look like enough. */
function figure(found: number): string {
  return (Math.floor(found * 10) / 10).toFixed(1);
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((share) =>
    share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
