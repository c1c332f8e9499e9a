import { PassThrough } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { byteFrames, type Frame, readFrames, send, valueFrame, valueIn } from "./frames.ts";

async function* pieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function all(source: AsyncIterable<Uint8Array>): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const { kind, payload } of readFrames(source)) frames.push({ kind, payload: Uint8Array.from(payload) });
  return frames;
}

test("frames come out as they went in, however the stream was cut into pieces", async () => {
  const said = fc.array(fc.oneof(fc.jsonValue(), fc.uint8Array({ minLength: 1, maxLength: 300 })), { maxLength: 8 });
  const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(said, cuts, async (values, sizes) => {
      const sent = values.flatMap((value) =>
        value instanceof Uint8Array ? [...byteFrames(value)] : [valueFrame("item", value)],
      );
      const frames = await all(pieces(Buffer.concat(sent), sizes));
      const got = frames.map((frame) => (frame.kind === "bytes" ? frame.payload : valueIn(frame)));
      expect(got).toEqual(
        values.map((value) => (value instanceof Uint8Array ? value : JSON.parse(JSON.stringify(value)))),
      );
    }),
    { numRuns: 100 },
  );
});

test("bytes of any length go in pieces that fit into memory", async () => {
  const bytes = new Uint8Array(2_500_000).map((_, i) => i % 251);
  const frames = await all(pieces(Buffer.concat([...byteFrames(bytes)]), [65_536]));
  expect(frames.map(({ payload }) => payload.length)).toEqual([1_048_576, 1_048_576, 402_848]);
  expect(Buffer.concat(frames.map(({ payload }) => payload)).equals(bytes)).toBe(true);
});

test("a stream that ends inside a frame is broken, not over", async () => {
  const frame = valueFrame("answer", { ok: true });
  for (const end of [1, 4, 5, frame.length - 1]) {
    await expect(all(pieces(frame.subarray(0, end), [3]))).rejects.toThrow("ended inside a frame");
  }
});

test.each([
  ["a length that nobody would hold", Buffer.from([3, 0xff, 0xff, 0xff, 0xff]), "the most there may be"],
  ["more raw bytes than a piece has", Buffer.from([1, 0, 0x10, 0, 1]), "the most there may be"],
  ["a kind that nobody knows", Buffer.from([99, 0, 0, 0, 0]), "unknown kind"],
])("%s is refused before anything is kept for it", async (_, bytes, sentence) => {
  await expect(all(pieces(bytes, [5]))).rejects.toThrow(sentence);
});

test("a value that is no JSON is broken", async () => {
  const [frame] = await all(pieces(Buffer.from([3, 0, 0, 0, 1, 0x7b]), [6]));
  expect(() => valueIn(frame ?? { kind: "item", payload: new Uint8Array() })).toThrow("is no JSON");
});

test("sending waits until there is room, and ends where the other side goes", async () => {
  const out = new PassThrough({ highWaterMark: 10 });
  const waiting = send(out, Buffer.alloc(100));
  let done = false;
  void waiting.then(() => {
    done = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(done).toBe(false);
  out.resume();
  await waiting;

  out.pause();
  const stuck = send(out, Buffer.alloc(100));
  out.destroy();
  await expect(stuck).rejects.toThrow("the other side is gone");
  await expect(send(out, Buffer.alloc(1))).rejects.toThrow("the other side is gone");
});
