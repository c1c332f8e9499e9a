import { expect, test } from "vitest";
import { beginning, cutToFit } from "./cut-to-fit.ts";

test("AGENT-18: a text is cut to its beginning and its end, and no character in two", () => {
  expect(cutToFit("short", 10)).toBe("short");
  expect(cutToFit("abcdefgh", 4)).toBe("ab\n… 4 characters left out …\ngh");
  const faces = `x${"😀".repeat(50)}y`;
  for (let most = 2; most < 40; most++) {
    expect(cutToFit(faces, most).isWellFormed()).toBe(true);
    expect(beginning(faces, most).isWellFormed()).toBe(true);
    expect(beginning(faces, most).length).toBeLessThanOrEqual(most);
  }
});
