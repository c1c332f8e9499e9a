import { expect, test } from "vitest";
import type { Said } from "../desk/shapes.ts";
import { backWords } from "./back-words.ts";

const entry = { hash: "0".repeat(64), kind: "file" as const, mode: 420, size: 1 };
const path = (name: string, before: typeof entry | null, after: typeof entry | null, from?: string): Said => ({
  shown: { change: { key: `workspace/${name}`, before, after }, ...(from !== undefined && { from }) },
});

test("DESK-47: what going back would change is counted, and the first paths are named", () => {
  const windows: Said[] = [{ shown: { change: { name: "window.a", before: {}, after: null } } }];
  const came = Array.from({ length: 7 }, (_, at) => path(`new ${at}`, entry, null));
  const said = [
    path("a.md", entry, entry),
    path("b.md", null, entry),
    ...came,
    path("to", entry, entry, "workspace/from"),
  ];
  const words = backWords([...said, ...windows]);
  expect(words.text).toBe("1 path changes, 1 comes back, 7 go, 1 moves, 1 window as then");
  expect(words.paths.slice(0, 3)).toEqual([
    { name: "a.md", way: "changes" },
    { name: "b.md", way: "comes back" },
    { name: "new 0", way: "goes" },
  ]);
  expect([words.paths.length, words.more, words.stuck]).toEqual([6, 4, 0]);
});

test("DESK-47: where nothing would change there is nothing to count, and what is in the way is counted by itself", () => {
  expect(backWords([])).toEqual({ text: undefined, paths: [], more: 0, stuck: 0 });
  expect(backWords([{ blocked: { key: "workspace/a", why: "in use" } }]).stuck).toBe(1);
});
