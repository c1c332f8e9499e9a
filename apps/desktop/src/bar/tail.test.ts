import { expect, test } from "vitest";
import { Tail } from "./tail.ts";

function tailOf(text: string): string {
  const tail = new Tail();
  tail.add(new TextEncoder().encode(text));
  return tail.text();
}

test("DESK-100: a notice has the last lines that were written, each from its beginning", () => {
  const line = (name: string) => `${name}${".".repeat(149)}`;
  expect(tailOf(["a", "b", "c", "d"].map(line).join("\n"))).toBe(["…", line("c"), line("d")].join("\n"));
  expect(tailOf("\n  3  10 a\n 13 110 b\n\n")).toBe("  3  10 a\n 13 110 b");
  expect(tailOf("x".repeat(500))).toBe(`…\n${"x".repeat(400)}`);
});
