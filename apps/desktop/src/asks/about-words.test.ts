import { expect, test } from "vitest";
import { filesNamed } from "../bar/completions.ts";
import { aboutEvent, aboutLines, aboutPaths } from "./about-words.ts";

test("ASKS-6: an ask about files, lines or an event begins with words that name them, as the bar does", () => {
  const keys = ["workspace/a.md", "workspace/my notes.md"];
  expect(aboutPaths(keys)).toBe('ask about @workspace/a.md @"workspace/my notes.md" ');
  expect(filesNamed(`${aboutPaths(keys)}what is it?`)).toEqual(keys);
  const lines = (last: number, text: string) => aboutLines("workspace/a.md", { first: 3, last, text });
  expect(lines(7, "one\ntwo")).toBe("ask about “one” in lines 3 to 7 of @workspace/a.md ");
  expect(lines(3, "one")).toBe("ask about “one” in line 3 of @workspace/a.md ");
  expect(filesNamed(lines(3, "one"))).toEqual(["workspace/a.md"]);
  const secret = aboutLines("workspace/.env", { first: 3, last: 3, text: "KEY=hunter2" });
  expect(secret).toBe("ask about line 3 of @workspace/.env ");
  expect(aboutEvent(12, "npm test\nmore")).toBe("ask about event 12, “npm test”: ");
  expect(aboutEvent(12, "x".repeat(90)).length).toBeLessThan(90);
});
