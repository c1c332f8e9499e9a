import { expect, test } from "vitest";
import { freeName } from "./free-name.ts";

test("DESK-31: a name that is taken gets the first number that is free, before its ending", () => {
  const taken = new Set(["a/b.md", "a/b 2.md", "a/c", "a/.d", "a/e.tar.gz"]);
  const names = ["a/new.md", "a/b.md", "a/c", "a/.d", "a/e.tar.gz"].map((key) => freeName(key, taken));
  expect(names).toEqual(["a/new.md", "a/b 3.md", "a/c 2", "a/.d 2", "a/e.tar 2.gz"]);
});
