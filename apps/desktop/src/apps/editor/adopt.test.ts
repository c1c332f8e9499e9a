import { expect, test } from "vitest";
import { adopt } from "./adopt.ts";
import { opened } from "./document.ts";

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
