import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

const SECTIONS = ["log", "runtime", "server"];

test.each([
  ["serer", "server"],
  ["Server", "server"],
  ["lgo", "log"],
  ["run-time", "runtime"],
])("%s is most like %s", (word, meant) => {
  expect(nearest(word, SECTIONS)).toBe(meant);
});

test.each(["database", "", "x", "network"])("nothing is like %j enough to be suggested", (word) => {
  expect(nearest(word, SECTIONS)).toBeUndefined();
});
