import type { Entry } from "@choiros/contract";
import { expect, test } from "vitest";
import type { Change } from "../outcome.ts";
import { describeChanges, MAX_SHOWN_BYTES } from "./describe.ts";
import { Model } from "./testing/model.ts";

const computer = new Model();
const file = (text: string, mode?: number) => computer.file(text, mode);
const shown = (...changes: Change[]) => Array.fromAsync(describeChanges(changes, computer.read));
const at = (before: Entry | null, after: Entry | null): Change => ({ key: "workspace/a", before, after });

test("UNDO-14: a preview says of each path what happens to it, how its size changes, and which lines", async () => {
  expect(
    await shown(at(null, file("one\n")), at(file("one\n"), file("two, three\n")), at(file("one\n"), null)),
  ).toMatchObject([
    {
      diff: expect.stringContaining("--- /dev/null\n+++ b/workspace/a\n@@ -0,0 +1 @@\n+one\n"),
      grows: 4,
      what: "created",
    },
    { diff: expect.stringContaining("@@ -1 +1 @@\n-one\n+two, three\n"), grows: 7, what: "changed" },
    { diff: expect.stringContaining("deleted file mode 100644\n"), grows: -4, what: "deleted" },
  ]);
});

test("UNDO-14: a new mode is told from a new content, and another kind from both", async () => {
  const dir: Entry = { kind: "dir", mode: 0o755 };
  const link: Entry = { ...file("target"), kind: "link" } as Entry; // a link has a file's shape
  const described = await shown(
    at(file("a"), file("a", 0o755)),
    at(dir, { kind: "dir", mode: 0o700 }),
    at(file("a"), dir),
    at(link, file("target")),
    at(null, dir),
  );
  expect(described.map(({ what }) => what)).toEqual(["mode", "mode", "replaced", "replaced", "created"]);
  expect(described.map((one) => "diff" in one && one.diff)).toEqual([
    "diff --git a/workspace/a b/workspace/a\nold mode 100644\nnew mode 100755\n",
    false, // of directories git knows nothing
    expect.stringContaining("deleted file mode 100644\n"),
    expect.stringMatching(/deleted file mode 120000\n.*new file mode 100644\n/s),
    false,
  ]);
});

test("UNDO-14: what is large, or pruned, is named without its lines, and isn't read for it", async () => {
  const large = file("a".repeat(MAX_SHOWN_BYTES + 1));
  const pruned: Entry = { hash: "0".repeat(64), kind: "file", mode: 0o644, size: 1 };
  const described = await shown(at(file("a"), large), at(pruned, file("b")));
  expect(described.map((one) => "diff" in one)).toEqual([false, false]);
  expect(described).toMatchObject([{ grows: MAX_SHOWN_BYTES }, { grows: 0 }]);
});

test("UNDO-14: windows and settings are named", async () => {
  const described = await shown(
    { name: "window.1", before: null, after: { x: 1 } },
    { name: "theme", before: "dark", after: "light" },
    { name: "window.2", before: {}, after: null },
  );
  expect(described).toEqual([
    { name: "window.1", what: "created" },
    { name: "theme", what: "changed" },
    { name: "window.2", what: "deleted" },
  ]);
});
