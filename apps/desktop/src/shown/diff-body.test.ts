import { expect, test } from "vitest";
import { diffBody, diffCounts } from "./diff-body.ts";

const DIFF = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n+++ four\n";

test("TIME-9: a diff is shown without git's head, and its lines are counted as they are", () => {
  expect(diffBody(DIFF)).toEqual(["@@ -1,2 +1,2 @@", " one", "-two", "+three", "+++ four"]);
  expect(diffCounts(DIFF)).toEqual({ added: 2, removed: 1 });
  expect(diffBody("diff --git a/a b/a\nold mode 100644\nnew mode 100755\n")).toEqual([]);
});
