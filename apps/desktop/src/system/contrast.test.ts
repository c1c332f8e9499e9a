import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contrast, faintest, over, type Rgb } from "./contrast.ts";

const css = readFileSync(new URL("../look/tokens.css", import.meta.url), "utf8");

/** The tokens of a scheme as they are built in, with others in their place. */
function seenIn(scheme: "dark" | "light", instead: Readonly<Record<string, string>> = {}) {
  const [, block = ""] = new RegExp(`\\[data-theme="${scheme}"\\] \\{([^}]+)`).exec(css) ?? [];
  const colourOf = (token: string): Rgb => {
    const hex = instead[token] ?? new RegExp(`--${token}: (#[0-9a-f]{6});`).exec(block)?.[1];
    if (hex === undefined) throw new Error(`there is no ${token}`);
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
    return [red, green, blue];
  };
  return (token: string, on: string) => [colourOf(token), colourOf(on)] as const;
}

test("DESK-22: contrast is counted as WCAG does", () => {
  expect(contrast([0, 0, 0], [1, 1, 1])).toBeCloseTo(21);
  expect(contrast([7 / 15, 7 / 15, 7 / 15], [1, 1, 1])).toBeCloseTo(4.48, 2);
  expect(contrast([0.3, 0.3, 0.3], [0.3, 0.3, 0.3])).toBe(1);
  expect(over([1, 1, 1], [0, 0, 0, 0.25])).toEqual([0.75, 0.75, 0.75]);
});

test("DESK-22: the built-in themes can be read", () => {
  expect(faintest(seenIn("dark"))).toBeUndefined();
  expect(faintest(seenIn("light"))).toBeUndefined();
});

test("DESK-22: of a theme that can't be read the worst pair is named, with its figure and what it needs", () => {
  expect(faintest(seenIn("dark", { text: "#141416" }))).toBe(
    "“text” on “surface” has a contrast of 1.0 to 1, and needs 4.5",
  );
  expect(faintest(seenIn("dark", { gold: "#0a0a0a", "on-gold": "#ffffff" }))).toMatch(/^“gold” on “desk” .* needs 3$/);
  expect(faintest(seenIn("light", { gold: "#d4af37" }))).toMatch(/^“on-gold” on “gold” has a contrast of 2\.\d to 1/);
});
