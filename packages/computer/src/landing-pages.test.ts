import type { Entry } from "@choiros/contract";
import { expect, test } from "vitest";
import { landingPages } from "./landing-pages.ts";
import type { Change } from "./outcome.ts";

const file: Entry = { kind: "file", hash: "0".repeat(64), size: 1, mode: 0o644 };
const dir: Entry = { kind: "dir", mode: 0o755 };
const came = (key: string, after: Entry): Change => ({ key, before: null, after });
const left = (key: string, before: Entry): Change => ({ key, before, after: null });

test("FOLD-31: many paths land page by page: first what leaves, from the bottom up, then what comes, from the top down", () => {
  const changes = [
    came("w/a", dir),
    came("w/a/1", file),
    left("w/b", dir),
    left("w/b/1", file),
    left("w/b/2", file),
    came("w/c", file),
    { name: "setting", before: null, after: 1 },
  ];
  expect(landingPages(changes, 2)).toEqual([["w/b/2", "w/b/1"], ["w/b"], ["w/a", "w/a/1"], ["w/c"]]);
  expect(landingPages(changes, 6)).toEqual([["w/a", "w/a/1", "w/b", "w/b/1", "w/b/2", "w/c"]]);
  expect(landingPages([{ name: "setting", before: null, after: 1 }], 2)).toEqual([]);
});

test("FOLD-31: where one path has to be something else for another to land, all of them land together", () => {
  const others = [came("w/1", file), came("w/2", file), came("w/3", file)];
  expect(landingPages([...others, { key: "w/4", before: file, after: dir }], 2)).toHaveLength(1);
  expect(landingPages([...others, came("w/4", { kind: "dir", mode: 0o500 })], 2)).toHaveLength(1);
  expect(landingPages([...others, left("w/4", { kind: "dir", mode: 0o555 })], 2)).toHaveLength(1);
  expect(landingPages(others, 2)).toHaveLength(2);
});
