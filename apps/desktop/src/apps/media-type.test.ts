import { languages } from "@codemirror/language-data";
import { expect, test } from "vitest";
import { languageOf } from "./editor/language-of.ts";
import { mediaTypeOf } from "./media-type.ts";

/** Endings of words for people, of numbers and of parts of names, which the Editor has colours for all the same. */
const NO_CODE = /^(?:\d|asc|in|mbox|pgp|sig|text|textile|cmake\.in)$/;

test("FILES-3: what the Editor has a language for isn't called plain text", () => {
  const endings = [...languages.flatMap(({ extensions }) => extensions), "bash", "conf", "env", "jsonl", "mdx", "zsh"];
  const known = endings.filter((one) => !NO_CODE.test(one) && languageOf(`workspace/a.${one}`) !== undefined);
  expect(known.length).toBeGreaterThan(200);
  expect(known.filter((one) => mediaTypeOf(`a.${one}`) === "text/plain")).toEqual([]);
});

test("DESK-30: what ends in several parts, in none, or in what an object has by itself says no more than it says", () => {
  expect(["a.tar.gz", "Makefile", "a.constructor", "a.", "v1.2"].map(mediaTypeOf)).toEqual([
    ...["application/gzip", "text/plain", "text/plain", "text/plain", "text/plain"],
  ]);
});
