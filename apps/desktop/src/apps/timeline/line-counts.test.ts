import { expect, test } from "vitest";
import type { Moment } from "../../desk/socket.ts";
import { isCounted } from "./line-counts.ts";

const file = (size: number) => ({ kind: "file", hash: "a".repeat(64), mode: 0o644, size });
const wrote = (before: unknown, after: unknown, type = "file.write") =>
  isCounted({
    event: { seq: 2, type, payload: { changes: [{ path: "workspace/a", before, after }] } },
  } as never as Moment); // as far as it is looked at

test("TIME-9: the lines of another version of one file are counted, whoever made it; of new, large, many and other things they aren't", () => {
  expect(wrote(file(10), file(20))).toBe(true);
  expect(wrote(null, file(20))).toBe(false);
  expect(wrote(file(10), file(20_000_000))).toBe(false);
  expect(wrote(file(10), { kind: "dir", mode: 0o755 })).toBe(false);
  expect(wrote(file(10), file(20), "files.changed")).toBe(true);
  expect(wrote(file(10), file(20), "undo")).toBe(true);
  expect(wrote(file(10), file(20), "file.move")).toBe(false);
  const payload = { changes: [1, 2].map((i) => ({ path: `workspace/${i}`, before: file(1), after: file(2) })) };
  expect(isCounted({ event: { seq: 2, type: "file.write", payload } } as never as Moment)).toBe(false);
});
