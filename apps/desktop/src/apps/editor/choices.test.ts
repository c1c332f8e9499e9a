import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import { choiceAtCursor, choices, nextChoice, setPlaces } from "./choices.ts";

const TEXT = "one\ntwo\nthree\nfour\n";
/** The second line, both of the others after it, and a line that is gone at the end. */
const PLACES = [
  { from: 4, to: 8, theirs: "2\n" },
  { from: 8, to: 19, theirs: "3\n4\n" },
  { from: 19, to: 19, theirs: "5\n" },
];

function textWith(head: number) {
  const state = EditorState.create({ doc: TEXT, extensions: choices(() => {}), selection: { anchor: head } });
  return state.update({ effects: setPlaces.of(PLACES) }).state;
}

test("EDIT-2: from wherever the cursor is there is a next place to choose, and one before, around both ends", () => {
  expect([0, 4, 7, 18, 19].map((head) => nextChoice(textWith(head)))).toEqual([7, 7, 18, 19, 7]);
  expect([0, 7, 8, 19].map((head) => nextChoice(textWith(head), true))).toEqual([19, 19, 7, 18]);
  expect(nextChoice(EditorState.create({ doc: TEXT, extensions: choices(() => {}) }))).toBeUndefined();
});

test("EDIT-2: a place is known by its lines, also by what is typed before and in them", () => {
  expect([0, 3, 4, 7, 8, 19].map((head) => choiceAtCursor(textWith(head)))).toEqual([
    undefined,
    undefined,
    7,
    7,
    18,
    19,
  ]);
  const { state } = textWith(5).update({
    changes: [
      { from: 0, insert: "zero\n" },
      { from: 5, insert: "!" },
    ],
  });
  expect([choiceAtCursor(state), nextChoice(state)]).toEqual([13, 13]);
});
