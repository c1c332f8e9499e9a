import { expect, test } from "vitest";
import type { Moment } from "../server/shapes.ts";
import { describe } from "./event-words.ts";

const file = (digit: string) => ({ hash: digit.repeat(64), kind: "file", mode: 0o644, size: 1 });

test("CONSOLE-47: what a command moved is told once, with where it went", () => {
  const change = (name: string, before: unknown, after: unknown) => ({ after, before, path: `workspace/src/${name}` });
  const changes = [
    change("a.txt", file("1"), null),
    change("b.txt", null, file("1")),
    change("c.txt", null, file("1")),
    change("d.txt", file("2"), null),
  ];
  const said = (some: unknown[]) => describe(momentOf({ changes: some })).text;
  expect(said(changes.slice(0, 2))).toBe("src/a.txt → src/b.txt");
  expect(said(changes)).toBe("src/a.txt → src/b.txt, src/c.txt and 1 more");
});

function momentOf(payload: unknown): Moment {
  return { event: { payload, seq: 2, source: "tool", type: "file.write" } } as Moment; // only what is described
}
