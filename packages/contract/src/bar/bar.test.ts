import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PHRASES, shape } from "./grammar.ts";
import { parseBar } from "./parse.ts";
import { suggest } from "./suggest.ts";

const NOW = new Date("2026-11-16T12:00:00");
const parse = (text: string) => parseBar(text, NOW);

describe("the bar", () => {
  test.each([
    ["new doc", { do: "new-doc" }],
    ["New  Document  trip to Oslo.md", { do: "new-doc", name: "trip to Oslo.md" }],
    ["new folder 'old letters'", { do: "new-folder", name: "old letters" }],
    ["open @workspace/a.md", { do: "open", what: "workspace/a.md" }],
    ["find letter 2026", { do: "find", text: "letter 2026" }],
    ["files", { do: "files" }],
    ["files letters", { do: "files", folder: "letters" }],
    ["undo", { do: "undo", target: "last" }],
    ["UNDO that", { do: "undo", target: "that" }],
    ["undo event 120", { do: "undo", target: { seq: 120 } }],
    ["undo call:01kAB", { do: "undo", target: { call: "01kAB" } }],
    ["redo", { do: "redo" }],
    ["go back to event 7", { do: "go-back", to: { event: 7 } }],
    ["go back 10 minutes", { do: "go-back", to: { time: new Date("2026-11-16T11:50:00").toISOString() } }],
    ["theme Light", { do: "theme", scheme: "light" }],
    ["wallpaper sea.jpg", { do: "wallpaper", file: "sea.jpg" }],
    ["wallpaper None", { do: "wallpaper" }],
    ["wallpaper 'none'", { do: "wallpaper", file: "none" }],
    ["run ls -l\ncat a", { do: "run", line: "ls -l\ncat a" }],
    ["run a.out", { do: "run", line: "a.out" }],
    ["help", { do: "help" }],
    ["help undo", { do: "help", word: "undo" }],
    ["show desktop", { do: "show-desktop" }],
  ])("takes %j for a command", (text, command) => {
    expect(parse(text)).toEqual(command);
  });

  test.each([
    "write me a letter to my aunt",
    "undo the changes to the letter",
    "undo 0",
    "go back to the version with the blue header",
    "go back to the version of 2 days ago where the title was blue",
    "go back to work on monday",
    "go back to the beginning",
    "help me with my taxes",
    "help me",
    "run the tests and mend what fails",
    "close the account",
    "export this as a PDF",
    "theme of the day?",
    "opening hours of the library",
    "find a flight\nand a hotel",
  ])("takes %j for an ask", (text) => {
    expect(parse(text)).toEqual({ do: "ask", text });
  });

  test("takes what begins with 'ask' for an ask, whatever follows", () => {
    expect(parse("ask open the window")).toEqual({ do: "ask", text: "open the window" });
    expect(parse("Ask open the window")).toEqual({ do: "ask", text: "open the window" });
  });

  test("takes a sentence that begins with 'Ask' as it is", () => {
    expect(parse("Ask the queen for tea")).toEqual({ do: "ask", text: "Ask the queen for tea" });
  });

  test("says what a command lacks, and that nothing was said", () => {
    const nothingAsked = { do: "incomplete", words: "ask", needs: "what you want, in words" };
    for (const text of ["ask", " Ask \n "]) expect(parse(text)).toEqual(nothingAsked);
    expect(parse(" open ")).toEqual({
      do: "incomplete",
      words: "open",
      needs: "the name of a file, a folder or an app",
    });
    expect(parse(" \n")).toEqual({ do: "nothing" });
  });

  test.each([
    ["theme blue", "theme", "'light', 'dark' or 'system'"],
    ["go back to tomorrow", "go back to", "a time that has been"],
    ["go back to 2030-01-01", "go back to", "a time that has been"],
    ["go back to next Friday at 25:00", "go back to", "a time that has been"],
    ["go back to banana", "go back to", "a time that has been ('10 minutes ago'"],
    ["rewind to event 0", "go back to", "an event ('event 120')"],
  ])("says what a command needs where %j can't be", (text, words, needs) => {
    expect(parse(text)).toEqual({ do: "incomplete", words, needs: expect.stringContaining(needs) });
  });

  test("has examples and a help for every command, and each example is that command", () => {
    for (const phrase of PHRASES) {
      expect(phrase.help).not.toBe("");
      expect(phrase.examples.length).toBeGreaterThan(0);
      for (const text of phrase.examples) expect(parse(text), text).toMatchObject({ do: phrase.do });
    }
    const spellings = PHRASES.flatMap(({ words, also = [] }) => [words, ...also]);
    expect(new Set(spellings).size).toBe(spellings.length);
  });

  test("makes something of any text, the same however it is spaced, and never throws", () => {
    const word = fc.constantFrom(...PHRASES.flatMap(({ words, examples }) => [words, ...examples]), "@", "'", "ask");
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(fc.oneof(word, fc.string())).map((all) => all.join(" ")),
    );
    const moment = fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(text, moment, (said, now) => {
        const parsed = parseBar(said, now);
        expect(parseBar(`  ${said}\n`, now)).toEqual(parsed);
        if (parsed.do === "ask") expect(said).toContain(parsed.text);
        expect(Array.isArray(suggest(said))).toBe(true);
      }),
    );
  });
});

describe("what the bar suggests", () => {
  test("is every command where nothing is typed yet, and those that the text begins otherwise", () => {
    expect(suggest("").map(({ shows }) => shows)).toEqual(PHRASES.map(shape));
    expect(suggest("ne").map(({ fill }) => fill)).toEqual(["new doc", "new folder "]);
    expect(suggest("doc").map(({ shows }) => shows)).toEqual(["new doc [NAME]"]);
    expect(suggest("rewi").map(({ fill }) => fill)).toEqual(["go back to "]);
    expect(suggest("write me a letter")).toEqual([]);
    expect(suggest("Run the tests and fix what fails")).toEqual([]);
    expect(suggest("run npm t").map(({ shows }) => shows)).toEqual(["run CMD"]);
  });

  test("is what can follow, where the words are there", () => {
    expect(suggest("theme ").map(({ fill }) => fill)).toEqual(["theme light", "theme dark", "theme system"]);
    expect(suggest("theme d").map(({ fill }) => fill)).toEqual(["theme dark"]);
    expect(suggest("open no").map(({ fill, shows }) => [fill, shows])).toEqual([["open no", "open X"]]);
  });

  test("is a command once it is chosen, or lacks only what it is about", () => {
    for (const { fill } of suggest("")) expect(["ask", "nothing"]).not.toContain(parse(fill).do);
  });
});
