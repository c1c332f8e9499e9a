import { expect, test } from "vitest";
import { binaryKind, hexLines, pictureType } from "./binary-kind.ts";

test.each<[kind: string, bytes: number[]]>([
  [
    "PNG picture, 640 × 480",
    [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 2, 128, 0, 0, 1, 224],
  ],
  ["PNG picture", [0x89, 0x50, 0x4e, 0x47]],
  ["WebP picture", [...Buffer.from("RIFF1234WEBP")]],
  ["SQLite database", [...Buffer.from("SQLite format 3\0")]],
  ["tar archive", [...new Array(257).fill(0), ...Buffer.from("ustar\0")]],
  ["Linux program", [0x7f, 0x45, 0x4c, 0x46, 2]],
  ["Binary data", [1, 2, 3]],
  ["Binary data", []],
])("EDIT-11: a file that is no text says what it is: %s", (kind, bytes) => {
  expect(binaryKind(Uint8Array.from(bytes))).toBe(kind);
});

test("EDIT-11: its first bytes are shown in hexadecimal, with their letters", () => {
  const bytes = Uint8Array.from([...Buffer.from("ELF"), 0, ...new Array(14).fill(255)]);
  expect(hexLines(bytes, 17).split("\n")).toEqual([
    `0000  45 4c 46 00 ${"ff ".repeat(12)} ELF·${"·".repeat(12)}`,
    `0010  ff ${" ".repeat(45)} ·`,
  ]);
});

test("EDIT-11: of what is no text, a picture that browsers show is one by how it begins", () => {
  expect(pictureType(Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]))).toBe("image/jpeg");
  expect(pictureType(Uint8Array.from(Buffer.from("%PDF-1.7")))).toBeUndefined();
});
