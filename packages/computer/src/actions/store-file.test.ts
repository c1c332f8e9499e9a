import { appendFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ContentRef } from "@choiros/contract";
import type { ContentSource, Contents } from "@choiros/log";
import { expect, onTestFinished, test } from "vitest";
import { storeFile } from "./store-file.ts";

const SMALL = "a".repeat(1000);
const LARGE = "b".repeat(1_000_000);

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "choir-steady-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "f"), text);
  return join(folder, "f");
}

/** Takes in what it is given; between two pieces, somebody else has a turn. */
function storeWith(meanwhile: () => void) {
  const stored: string[] = [];
  const put = async (source: ContentSource): Promise<ContentRef> => {
    const pieces: Uint8Array[] = [];
    for await (const piece of source instanceof Uint8Array ? [source] : source) {
      pieces.push(piece);
      meanwhile();
    }
    const bytes = Buffer.concat(pieces);
    stored.push(bytes.toString());
    return { hash: "0".repeat(64), size: bytes.length };
  };
  // Nothing else of the port is asked for.
  return { stored, contents: { put } as unknown as Contents };
}

const stored = async (path: string, meanwhile: () => void = () => {}) => {
  const store = storeWith(meanwhile);
  return { entry: await storeFile(store.contents, Buffer.from(path)), texts: store.stored };
};

test.each([SMALL, LARGE, ""])("ACT-15: a file that nobody writes to is stored as it stands", async (text) => {
  const { entry, texts } = await stored(fileWith(text));
  expect({ entry, texts }).toMatchObject({ entry: { kind: "file", size: text.length }, texts: [text] });
});

test("ACT-15: a file that is written to while it is read is read again, and never stored half old, half new", async () => {
  const path = fileWith(LARGE);
  let turns = 0;
  const { entry, texts } = await stored(
    path,
    () => void (turns++ === 1 && writeFileSync(path, LARGE.replaceAll("b", "c"))),
  );
  expect(entry).toBeDefined();
  expect(texts).toEqual([LARGE.replaceAll("b", "c")]);
});

test("ACT-15: one that changes each time, or grows as fast as it is read, is given up, and nothing of it is stored", async () => {
  const path = fileWith(LARGE);
  const { entry, texts } = await stored(path, () => appendFileSync(path, "x".repeat(300_000)));
  expect({ entry, texts }).toEqual({ entry: undefined, texts: [] });
});

test("ACT-15: no link is followed that came in a file's place", async () => {
  const path = fileWith("elsewhere");
  symlinkSync(path, `${path}-link`);
  await expect(stored(`${path}-link`)).rejects.toMatchObject({ code: "ELOOP" });
});
