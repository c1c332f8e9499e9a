import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ContentsFile } from "./contents-file.ts";
import { CONTENTS_MIGRATIONS, FORM } from "./schema.ts";

const hashOf = (digit: string) => digit.repeat(64);

/** A list alone, and a content `ab` of two chunks in one file. */
function listed() {
  const dir = mkdtempSync(join(tmpdir(), "choir-chunks-"));
  const list = new ContentsFile(join(dir, "contents.sqlite"), "write", CONTENTS_MIGRATIONS);
  onTestFinished(() => {
    list.close();
    rmSync(dir, { recursive: true });
  });
  const fresh = (digit: string, at: number, replaces: number | null = null) =>
    ({ hash: hashOf(digit), size: 100, at, stored: 100, form: FORM.plain, replaces }) as const;
  const put = (digit: string, name: string, chunks: ReturnType<typeof fresh>[], parts: readonly number[]) => {
    const content = { hash: hashOf(digit), size: 100 * parts.length, sizes: parts.map(() => 100) };
    if (chunks.length > 0) list.change([{ kind: "begin", name }]);
    list.change([{ kind: "keep", ...content, name, fresh: chunks, parts }]);
  };
  const name = randomUUID();
  put("0", name, [fresh("a", 0), fresh("b", 100)], [-1, -2]);
  return { list, fresh, put, name };
}

test("CON-5: chunks that a put has mended since the sweep was planned are not moved back", () => {
  const { list, fresh, put, name } = listed();
  const [a] = list.chunks.find("a put", [hashOf("a")]);
  put("1", "", [], [a?.id ?? 0]); // of chunk a alone
  list.change([{ kind: "drop", hash: hashOf("0"), at: "2026-01-01T00:00:00.000Z" }]);
  expect(list.chunks.plan(name)).toMatchObject({ keep: [{ id: a?.id }], unused: 1 });
  const [mended, copy] = [randomUUID(), randomUUID()];
  put("1", mended, [fresh("a", 0, a?.id)], [-1]);
  list.change([{ kind: "begin", name: copy }]);
  const move = { kind: "moved", from: name, to: copy, ids: [a?.id ?? 0], ats: [0] } as const;
  expect(list.change([move])).toEqual([false]);
  expect(list.chunksAt(hashOf("1"), 0)).toMatchObject([{ name: mended }]);
  expect(list.chunks.plan(name)).toEqual({ keep: [], unused: 2 });
});

test("CON-5: a chunk of a file that is being swept is not found by those who come later", () => {
  const { list, put } = listed();
  const [a] = list.chunks.find("first", [hashOf("a")]);
  put("1", "", [], [a?.id ?? 0]);
  list.change([{ kind: "drop", hash: hashOf("0"), at: "2026-01-01T00:00:00.000Z" }]);
  expect(list.chunks.find("second", [hashOf("a")])).toEqual([null]);
});

test("CON-13: the chunks of a content are told in their order, from any of them on", () => {
  const { list, put } = listed();
  const found = list.chunks.find("a put", [hashOf("a"), hashOf("b")]);
  put(
    "1",
    "",
    [],
    [...found, ...found].map((chunk) => chunk?.id ?? 0),
  );
  expect(list.chunksAt(hashOf("1"), 0)?.map(({ at }) => at)).toEqual([0, 100, 0, 100]);
  expect(list.chunksAt(hashOf("1"), 100)?.map(({ at }) => at)).toEqual([100, 0, 100]);
  expect(list.chunksAt(hashOf("1"), 400)).toEqual([]);
  expect(list.chunksAt(hashOf("2"), 0)).toBeUndefined();
});
