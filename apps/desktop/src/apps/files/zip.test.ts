import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { crcOf, zipOf } from "./zip.ts";

const packed = (path: string, text: string, mode = 0o100644) => {
  const bytes = new TextEncoder().encode(text);
  const changed = new Date(2026, 0, 2, 3, 4, 6);
  return { path: new TextEncoder().encode(path), bytes: new Blob([bytes]), crc: crcOf(bytes), mode, changed };
};

test("FILES-11: the check sum is that of every other program, however the bytes come", () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array(), (one, two) => {
      expect(crcOf(two, crcOf(one))).toBe(crc32(Buffer.concat([one, two])));
    }),
  );
});

test("FILES-11: an archive has each file where its list says, with its length, mode and time", async () => {
  const zip = zipOf([packed("d/", "", 0o40755), packed("d/Grüße.txt", "hello"), packed("run", "#!", 0o100755)]);
  const bytes = Buffer.from(await zip.arrayBuffer());
  const end = bytes.subarray(-22);
  expect([end.readUInt32LE(0), end.readUInt16LE(10)]).toEqual([0x06054b50, 3]);
  let at = end.readUInt32LE(16);
  const found: unknown[] = [];
  for (let i = 0; i < 3; i++) {
    const name = bytes.readUInt16LE(at + 28);
    const start = bytes.readUInt32LE(at + 42);
    const [nameThere, length] = [bytes.readUInt16LE(start + 26), bytes.readUInt32LE(start + 18)];
    const data = bytes.subarray(start + 30 + nameThere, start + 30 + nameThere + length);
    expect(crc32(data)).toBe(bytes.readUInt32LE(at + 16));
    const mode = (bytes.readUInt32LE(at + 38) >>> 16).toString(8);
    found.push([bytes.subarray(at + 46, at + 46 + name).toString(), data.toString(), mode]);
    at += 46 + name;
  }
  expect(found).toEqual([["d/", "", "40755"], ["d/Grüße.txt", "hello", "100644"], ["run", "#!", "100755"]]); // biome-ignore format: in one line
});
