import { expect, test } from "vitest";
import { textOf } from "./peek.ts";

test("FILES-12: what is no text isn't shown as one, and a character that is cut in two is left out", () => {
  const bytes = new TextEncoder().encode("Grüße 👍");
  expect(textOf(bytes)).toBe("Grüße 👍");
  expect(textOf(bytes.subarray(0, -1))).toBe("Grüße ");
  expect(textOf(Uint8Array.of(0x61, 0, 0x62))).toBeUndefined();
  expect(textOf(Uint8Array.of(0xff, 0xd8, 0xff))).toBeUndefined();
  expect(textOf(new Uint8Array())).toBe("");
});
