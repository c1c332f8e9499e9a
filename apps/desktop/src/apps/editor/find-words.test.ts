import { SearchQuery, search, setSearchQuery } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import { findWords } from "./find-words.ts";

function found(doc: string, query: ConstructorParameters<typeof SearchQuery>[0], selected: [number, number] = [0, 0]) {
  const [anchor, head] = selected;
  const state = EditorState.create({ doc, selection: { anchor, head }, extensions: search() });
  return findWords(state.update({ effects: setSearchQuery.of(new SearchQuery(query)) }).state);
}

test("EDIT-14: it is said how often something is found, and which of them is selected", () => {
  expect(found("red, red, blue", { search: "" })).toEqual({ words: "", wrong: false });
  expect(found("red, red, blue", { search: "red" })).toEqual({ words: "2 found", wrong: false });
  expect(found("red, red, blue", { search: "red" }, [5, 8])).toEqual({ words: "2 of 2", wrong: false });
  expect(found("a".repeat(1_001), { search: "a" }).words).toBe("1,000+ found");
});

test("EDIT-14: that nothing is found, or a pattern is none, is said", () => {
  expect(found("red", { search: "green" })).toEqual({ words: "Not found", wrong: true });
  expect(found("red", { search: "[", regexp: true })).toEqual({ words: "Not a pattern", wrong: true });
});

test("EDIT-14: of a text that isn't searched to its end nothing is said that isn't known", () => {
  const long = `red ${"x".repeat(2 ** 21)}`;
  expect(found(long, { search: "red" }).words).toBe("1+ found");
  expect(found(long, { search: "green" })).toEqual({ words: "", wrong: false });
});
