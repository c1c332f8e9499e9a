import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesOf, chance, inPieces, sha256 } from "../testing/bytes.ts";
import { BATCH_BYTES, chunksOf, endOfChunk, MAX_CHUNK_BYTES, MIN_CHUNK_BYTES } from "./splitter.ts";

/** The chunks of these bytes, each as a copy: their buffers are used again. */
async function split(bytes: Uint8Array, piece = bytes.length): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const some of chunksOf(new Uint8Array(0), inPieces(bytes, Math.max(1, piece)))) {
    chunks.push(...some.map((chunk) => Buffer.from(chunk)));
  }
  return chunks;
}

test("CON-13: the ends of chunks are the same in every version: a test vector", async () => {
  const chunks = await split(bytesOf(1_000_000));
  expect(chunks.map(({ length }) => length)).toEqual([
    32_686, 29_685, 99_606, 66_161, 117_887, 22_785, 130_612, 65_317, 37_027, 192_215, 202_521, 3_498,
  ]);
});

test("CON-13: the chunks together are the bytes, and each but the last is within the limits", async () => {
  for (const size of [0, 1, MIN_CHUNK_BYTES, 65_537, MAX_CHUNK_BYTES, BATCH_BYTES, BATCH_BYTES + 1, 5_000_000]) {
    for (const bytes of [chance(size, "a"), Buffer.alloc(size)]) {
      const chunks = await split(bytes);
      expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
      for (const { length } of chunks.slice(0, -1)) {
        expect(length).toBeGreaterThanOrEqual(MIN_CHUNK_BYTES);
        expect(length).toBeLessThanOrEqual(MAX_CHUNK_BYTES);
      }
      for (const chunk of chunks) expect(chunk.length).toBeGreaterThan(0);
    }
  }
});

test("CON-13: how a source gives its bytes out makes no difference to the chunks", async () => {
  const bytes = chance(2_500_000, "b");
  const expected = (await split(bytes)).map(sha256);
  for (const piece of [1000, 65_536, BATCH_BYTES - 1, BATCH_BYTES, BATCH_BYTES + 1]) {
    expect((await split(bytes, piece)).map(sha256), `pieces of ${piece}`).toEqual(expected);
  }
});

test("CON-13: what is put in, cut out or changed anywhere alters the chunks there, and no others", async () => {
  const bytes = chance(3_000_000, "c");
  const known = new Set((await split(bytes)).map(sha256));
  const edits = fc.record({
    at: fc.nat({ max: bytes.length }),
    out: fc.nat({ max: 1000 }),
    put: fc.uint8Array({ maxLength: 1000 }),
  });
  await fc.assert(
    fc.asyncProperty(edits, async ({ at, out, put }) => {
      const edited = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + out)]);
      const fresh = (await split(edited)).filter((chunk) => !known.has(sha256(chunk)));
      expect(fresh.length).toBeLessThanOrEqual(6);
    }),
    { numRuns: 30 },
  );
});

test("CON-13: where the bytes end too early, there is no end of a chunk to be told", () => {
  const bytes = chance(MAX_CHUNK_BYTES * 2, "d");
  const end = endOfChunk(bytes, 0) ?? 0;
  expect(endOfChunk(bytes.subarray(0, end), 0)).toBeUndefined();
  expect(endOfChunk(bytes.subarray(0, end + 1), 0)).toBe(end);
  expect(endOfChunk(Buffer.alloc(MAX_CHUNK_BYTES), 0)).toBe(MAX_CHUNK_BYTES);
});
