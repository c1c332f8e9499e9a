import { expect, test } from "vitest";
import { History } from "./history.ts";

test("DESK-42: arrows lead through what was typed and back to what was being written", () => {
  const history = new History();
  expect(history.step(-1, "dra")).toBeUndefined();
  for (const text of ["one", "two", "one"]) history.add(text);
  expect(history.step(-1, "dra")).toBe("one");
  expect(history.isOpen).toBe(true);
  expect(history.step(-1, "one")).toBe("two");
  expect(history.step(-1, "two")).toBeUndefined();
  expect(history.step(1, "two")).toBe("one");
  expect(history.step(1, "one")).toBe("dra");
  expect(history.isOpen).toBe(false);
  expect(history.step(1, "dra")).toBeUndefined();
});

test("DESK-42: before what was typed in this page comes what was asked before, once", () => {
  const history = new History();
  history.add("open a.md");
  history.add("write a poem");
  const asked = ["write a poem", "write a letter", "write a book"];
  const walked = [1, 2, 3, 4].map(() => history.step(-1, "", asked));
  expect(walked).toEqual(["write a poem", "open a.md", "write a letter", "write a book"]);
  expect(history.step(-1, "", asked)).toBeUndefined();
});
