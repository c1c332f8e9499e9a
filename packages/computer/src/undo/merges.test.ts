import { expect, test } from "vitest";
import { fold } from "./fold.ts";
import { Merges } from "./merges.ts";
import { Model } from "./testing/model.ts";

test("MERGE-4: an undo holds a bounded sum of merged bytes; what comes beyond is left to the user", async () => {
  const computer = new Model();
  const [before, after, now] = ["1\n2\n3\n", "A\n2\n3\n", "A\n2\nC\n"].map((text) => computer.file(text));
  const steps = [{ before: before ?? null, after: after ?? null }];
  const merges = new Merges(computer.read, 12);
  const merge = (key: string) => fold(now ?? null, steps, merges.rulesFor(key));
  const merged = computer.file("1\n2\nC\n");
  expect([await merge("a"), await merge("b")]).toEqual([{ value: merged }, { value: merged }]);
  expect(await merge("c")).toMatchObject({ clash: { why: "it was changed since, and is too large to merge" } });
  expect([merges.made("b", merged), merges.made("c", merged)]).toEqual([true, false]);
});
