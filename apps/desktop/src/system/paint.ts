import { contrast, over, type Rgb } from "./contrast.ts";

/** Reads colours where a part of the page that nobody sees would wear them: the browser knows every way to write one. */
export function wearing<Result>(
  { scheme, colours = [] }: { readonly scheme?: string; readonly colours?: Iterable<readonly [string, string]> },
  read: (paint: (...colours: readonly string[]) => Rgb) => Result,
): Result {
  const probe = document.createElement("div");
  probe.hidden = true;
  if (scheme !== undefined) probe.dataset.theme = scheme;
  for (const [name, colour] of colours) probe.style.setProperty(name, colour);
  document.body.append(probe);
  const numbersOf = (colour: string) => {
    probe.style.color = `color-mix(in srgb, ${colour}, ${colour})`; // whatever it was, it is numbers of sRGB then
    return (getComputedStyle(probe).color.match(/[\d.e-]+(?=[ /)])/g) ?? []).map(Number);
  };
  try {
    return read((...layers) => layers.map(numbersOf).reduce<Rgb>(over, [1, 1, 1]));
  } finally {
    probe.remove();
  }
}

const [INK, PAPER] = ["#0d0b06", "#fffdf6"] as const;

/** What is read best on this colour: one of them always can be. */
export function inkOn(colour: string): string {
  return wearing({}, (paint) => {
    const ground = paint(colour);
    return contrast(paint(INK), ground) >= contrast(paint(PAPER), ground) ? INK : PAPER;
  });
}
