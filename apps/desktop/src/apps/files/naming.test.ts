import fc from "fast-check";
import { expect, test } from "vitest";
import { stemLength } from "../../shell/stem-length.ts";
import { copyKey } from "./naming.ts";

const NONE = new Set<string>();

test("FILES-5: the ending of a file is left as it is unless somebody wants to change it", () => {
  expect(stemLength("a.tar.gz", false)).toBe(5);
  expect(stemLength(".profile", false)).toBe(8);
  expect(stemLength("v1.2", true)).toBe(4);
});

test("FILES-7: a copy beside what it is made from says that it is one", () => {
  expect(copyKey("w/a.md", "file", NONE)).toBe("w/a copy.md");
  expect(copyKey("w/a.md", "file", new Set(["w/a copy.md"]))).toBe("w/a copy 2.md");
  expect(copyKey("w/a copy 2.md", "file", new Set(["w/a copy.md", "w/a copy 2.md"]))).toBe("w/a copy 3.md");
  expect(copyKey("w/v1.2", "dir", NONE)).toBe("w/v1.2 copy");
});

test("FILES-7: whatever is copied however often, its name is free", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("w/a.md", "w/a copy.md", "w/d", "w/.x"),
      fc.integer({ min: 1, max: 8 }),
      (key, times) => {
        const taken = new Set<string>([key]);
        for (let i = 0; i < times; i++) {
          const made = copyKey(key, "file", taken);
          expect(taken.has(made)).toBe(false);
          taken.add(made);
        }
      },
    ),
  );
});
