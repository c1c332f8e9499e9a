import { expect, test } from "vitest";
import { crumbsOf, outermost, partOf, shownName, shownWay } from "./keys.ts";

test("FILES-1: a name is shown with what can't be seen in it written out, and odd bytes by their number", () => {
  expect(shownName("workspace/a/gnp.\u202eexe")).toBe("gnp.\\u{202e}exe");
  expect(shownName("workspace/caf//c3.txt")).toBe("caf\\xc3.txt");
  expect(shownName("workspace///ff")).toBe("\\xff");
  expect(shownWay("workspace/a\nb/c")).toBe("workspace/a\\u{a}b/c");
});

test("FILES-1: the way to a folder has one step for each of its parts", () => {
  expect(crumbsOf("workspace/a/b")).toEqual(["workspace", "workspace/a", "workspace/a/b"]);
  expect(crumbsOf("workspace/a//ff/b")).toEqual(["workspace", "workspace/a//ff", "workspace/a//ff/b"]);
  expect(partOf("workspace")).toBe("workspace");
});

test("FILES-8: what lies in a folder that is taken is taken with it, once", () => {
  expect(outermost(["w/a", "w/a/x", "w/a/x/y", "w/ab", "w/c/d"])).toEqual(["w/a", "w/ab", "w/c/d"]);
});
