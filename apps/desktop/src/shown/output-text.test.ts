import { expect, test } from "vitest";
import { outputText } from "./output-text.ts";

test("TIME-10: of what a command wrote for a terminal, the words are told: no colours, and of a line written over the last", () => {
  const colours = "\u001b[1;32mok\u001b[0m \u001b]0;title\u0007done\r\n";
  expect(outputText(`${colours}10 %\r50 %\r100 %\nlast\r\n\n`)).toBe("ok done\n100 %\nlast");
  expect(outputText("\n[1] a list\n\tstays\n")).toBe("\n[1] a list\n\tstays");
  expect(outputText("turned \u202e around")).toBe("turned \\u{202e} around");
});
