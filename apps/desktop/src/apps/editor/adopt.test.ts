import { expect, test } from "vitest";
import { adopt } from "./adopt.ts";
import { isSettled, opened } from "./document.ts";

test("EDIT-5: drafts of several lives come together where they can; one that can't is left for another time", () => {
  const file = opened({ hash: "a", text: "1\n2\n3\n4\n5\n" });
  const draft = (id: string, local: string) => ({ id, base: file.base, local });
  const first = draft("first", "one\n2\n3\n4\n5\n");
  const second = draft("second", "1\n2\n3\n4\nfive\n");
  const third = draft("third", "1\n2\n3\n4\nV\n");
  const { doc, taken } = adopt(file, [first, second, third]);
  expect(doc.local).toBe("one\n2\n3\n4\nfive\n");
  expect(taken).toEqual([first, second]);
  expect(adopt(file, [])).toEqual({ doc: file, taken: [] });
});

test("EDIT-5: a draft that the file has gone on from isn't typed again, and nobody has to choose; one that it hasn't is", () => {
  const file = opened({ hash: "b", text: "one\nabcdef\n" });
  const draft = (local: string) => ({ base: "one\n\n", local });
  const former = draft("one\nabc\n");
  expect(adopt(file, [former])).toEqual({ doc: file, taken: [former] });
  expect(isSettled(adopt(file, [draft("one\nxyz\n")]).doc)).toBe(false);
});
