import { expect, test } from "vitest";
import { planFor } from "./incoming.ts";

const file = new File(["x"], "x");

test("FILES-10: what comes in gets a name that is free, a folder as a whole, and nothing is overwritten", () => {
  const plan = planFor(
    [
      { path: ["a.md"], file },
      { path: ["photos", "one.png"], file },
      { path: ["photos", "more", "two.png"], file },
      { path: ["photos", "none"] },
      { path: ["new.txt"], file },
    ],
    "workspace/in",
    ["workspace/in/a.md", "workspace/in/photos"],
  );
  expect(plan.files.map(({ key }) => key)).toEqual([
    "workspace/in/a 2.md",
    "workspace/in/photos 2/one.png",
    "workspace/in/photos 2/more/two.png",
    "workspace/in/new.txt",
  ]);
  expect(plan.folders).toEqual(["workspace/in/photos 2/none"]);
  expect(plan.tops).toEqual(["workspace/in/a 2.md", "workspace/in/photos 2", "workspace/in/new.txt"]);
});
