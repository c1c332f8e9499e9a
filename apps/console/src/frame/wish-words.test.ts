import { expect, test } from "vitest";
import { wordsOf } from "./wish-words.ts";

const asks = (visit: string) => wordsOf({ visit }).asks;

test("CONSOLE-39: a page is named by its host, whatever else its address says, and all of it on request", () => {
  expect(asks("https://example.org/")).toBe("example.org");
  expect(asks("http://example.org/a?b=c")).toBe("http://example.org/a?b=c");
  expect(asks("https://bank.example@evil.example/bank.example")).toBe("evil.example/bank.example");
  const long = `https://bank.example.${"x".repeat(60)}.evil.example/`;
  expect(asks(long)).toMatch(/^…x+\.evil\.example$/);
  expect(wordsOf({ visit: long })).toMatchObject({ whole: long, yes: "Open the page" });
});

test("CONSOLE-49: a desk can ask for a model; only the owner is led to where one is connected", () => {
  expect(wordsOf("agents")).toMatchObject({ asks: "Connect a model?", yes: "Choose one" });
  expect(wordsOf("agents", false)).toEqual({
    asks: "Only the owner of this server connects models",
    whole: "Only the owner of this server connects models",
  });
});
