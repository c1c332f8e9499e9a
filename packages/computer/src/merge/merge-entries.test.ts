import { createHash } from "node:crypto";
import type { Entry } from "@choiros/contract";
import { describe, expect, test } from "vitest";
import { mergeEntries, sameEntry } from "./merge-entries.ts";
import { MAX_MERGE_BYTES } from "./merge-text.ts";

const stored = new Map<string, Uint8Array>();
const file = (text: string, mode = 0o644): Entry => {
  const bytes = Buffer.from(text);
  const hash = createHash("sha256").update(bytes).digest("hex");
  stored.set(hash, bytes);
  return { hash, kind: "file", mode, size: bytes.length };
};
const link = (target: string, mode = 0o777): Entry => ({ ...file(target, mode), kind: "link" }) as Entry; // a link has a file's shape
const dir = (mode = 0o755): Entry => ({ kind: "dir", mode });
const read = async (entry: Entry & { kind: "file" }) => stored.get(entry.hash);
const unread = () => Promise.reject(new Error("nothing had to be read"));

describe("mode and content", () => {
  test("MERGE-5: one side's mode and the other's content come together", async () => {
    const merged = await mergeEntries(file("a\n"), file("a\n", 0o755), file("b\n"), unread);
    expect(merged).toEqual({ entry: file("b\n", 0o755) });
  });

  test("MERGE-5: contents are merged, and the new bytes given with the entry that names them", async () => {
    const merged = await mergeEntries(file("1\n2\n3\n"), file("A\n2\n3\n", 0o600), file("1\n2\nC\n"), read);
    expect(merged).toEqual({ entry: file("A\n2\nC\n", 0o600), bytes: Buffer.from("A\n2\nC\n") });
  });

  test.each<[what: string, base: Entry, ours: Entry, theirs: Entry, conflict: string]>([
    ["two new modes", file("a"), file("a", 0o600), file("a", 0o755), "mode"],
    ["two new modes of a directory", dir(), dir(0o700), dir(0o711), "mode"],
    ["two new targets of a link", link("a"), link("b"), link("c"), "link"],
    ["a file here and a directory there", file("a"), file("b"), dir(), "kind"],
    ["a link with the content of a file", file("a"), link("b"), file("c"), "kind"],
    ["the same line twice", file("a\n"), file("b\n"), file("c\n"), "overlap"],
    ["what isn't text", file("a\n"), file("\0"), file("c\n"), "binary"],
  ])("MERGE-5: %s can't be one", async (_, base, ours, theirs, conflict) => {
    expect(await mergeEntries(base, ours, theirs, read)).toMatchObject({ conflict });
  });

  test("MERGE-5: the same new target, and the mode of one side, make a link", async () => {
    expect(await mergeEntries(link("a"), link("b"), link("b", 0o700), unread)).toEqual({ entry: link("b", 0o700) });
    expect(await mergeEntries(dir(), dir(0o700), dir(), unread)).toEqual({ entry: dir(0o700) });
  });
});

describe("nothing", () => {
  test.each<[what: string, base: Entry | null, ours: Entry | null, theirs: Entry | null, merged: object]>([
    ["deleted on one side, unchanged on the other", file("a"), null, file("a"), { entry: null }],
    ["unchanged here, deleted there", file("a"), file("a"), null, { entry: null }],
    ["deleted on both sides", file("a"), null, null, { entry: null }],
    ["made on one side", null, null, file("a"), { entry: file("a") }],
    ["made alike on both", null, dir(), dir(), { entry: dir() }],
    ["changed here, deleted there", file("a"), file("b"), null, { conflict: "deleted" }],
    ["deleted here, changed there", file("a"), null, file("b"), { conflict: "deleted" }],
    ["made twice", null, file("a"), file("b"), { conflict: "created" }],
  ])("MERGE-6: %s", async (_, base, ours, theirs, merged) => {
    expect(await mergeEntries(base, ours, theirs, unread)).toEqual(merged);
  });

  test("MERGE-6: two entries are the same where kind, mode and content are", () => {
    const all = [null, file("a"), file("b"), file("a", 0o600), link("a", 0o644), dir(), dir(0o700)];
    for (const [i, a] of all.entries()) for (const [j, b] of all.entries()) expect(sameEntry(a, b)).toBe(i === j);
    expect(sameEntry(null, undefined)).toBe(true);
  });

  test("FOLD-9: rights that are never set make no difference", () => {
    expect(sameEntry(file("a", 0o4755), file("a", 0o755))).toBe(true);
    expect(sameEntry(file("a", 0o1755), file("a", 0o755))).toBe(false);
  });
});

describe("reading", () => {
  test("MERGE-7: what is too large by its size is never read", async () => {
    const large: Entry = { ...file("large"), size: MAX_MERGE_BYTES + 1 } as Entry; // still a file
    expect(await mergeEntries(file("a"), large, file("b"), unread)).toEqual({ conflict: "too-large" });
  });

  test("MERGE-7: a version that was pruned is a conflict", async () => {
    const pruned = async (entry: Entry & { kind: "file" }) => (sameEntry(entry, file("a\n")) ? undefined : read(entry));
    expect(await mergeEntries(file("a\n"), file("b\n"), file("c\n"), pruned)).toEqual({ conflict: "pruned" });
  });
});
