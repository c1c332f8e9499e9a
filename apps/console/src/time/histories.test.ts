import { describe, expect, test } from "vitest";
import { Histories } from "./histories.ts";

describe("CONSOLE-7: the tree of any moment, of what stood at each path", () => {
  const histories = new Histories();
  histories.add({ key: "workspace/a", versions: "2f12 5- 9f3" });
  histories.add({ key: "workspace/b", versions: "3l7 4-" });
  histories.add({ key: "workspace/b", versions: "4d" }); // it was cut in two on the way
  const at = (seq: number) =>
    histories
      .treeAt(seq)
      .rows(new Set(["workspace"]))
      .map(({ entry, name }) => (entry.kind === "dir" ? `${name}/` : `${name} ${entry.kind} ${entry.size}`));

  test("has what stood then, and nothing that came later or was gone", () => {
    expect([1, 2, 3, 4, 5, 8, 9].map(at)).toEqual([
      [],
      ["workspace/", "a file 12"],
      ["workspace/", "a file 12", "b link 7"],
      ["workspace/", "b/", "a file 12"],
      ["workspace/", "b/"],
      ["workspace/", "b/"],
      ["workspace/", "b/", "a file 3"],
    ]);
  });
});
