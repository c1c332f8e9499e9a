import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytesOf, PLAIN, textOf } from "./text-file.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

describe("text in bytes", () => {
  test.each<[what: string, bytes: number[], text: string, charset: string]>([
    ["UTF-8", [0xc3, 0xa9, 0x0a], "é\n", "UTF-8"],
    ["UTF-8 with a mark", [0xef, 0xbb, 0xbf, 0x61], "a", "UTF-8"],
    ["UTF-16, the low byte first", [0xff, 0xfe, 0x61, 0x00, 0x0d, 0x00, 0x0a, 0x00], "a\n", "UTF-16 LE"],
    ["UTF-16, the high byte first", [0xfe, 0xff, 0x00, 0x61], "a", "UTF-16 BE"],
    ["letters of one byte", [0x63, 0x61, 0x66, 0xe9], "café", "Windows-1252"],
    ["nothing", [], "", "UTF-8"],
  ])("EDIT-10: %s is read, and written as it was", (_, bytes, text, charset) => {
    const file = textOf(Uint8Array.from(bytes));
    expect(file?.text).toBe(text);
    expect(file?.writing.charset).toBe(charset);
    expect([...bytesOf(text, file?.writing ?? PLAIN)]).toEqual(bytes);
  });

  test("EDIT-10: lines that all end in CR LF are lines, and end so again, also new ones", () => {
    const { text = "", writing = PLAIN } = textOf(utf8("a\r\nb\r\n")) ?? {};
    expect(text).toBe("a\nb\n");
    expect(bytesOf(`${text}c\n`, writing)).toEqual(utf8("a\r\nb\r\nc\r\n"));
  });

  test.each([
    ["a\r\nb\r\nc\n", "CRLF"],
    ["a\nb\nc\r\n", "LF"],
    ["a\rb\r\nc\r\n", "LF"],
  ])("EDIT-10: of ends that are mixed, as in %j, each is a part of the text, and all could be %s", (text, ends) => {
    expect(textOf(utf8(text))).toEqual({ text, writing: { ...PLAIN, ends, mixed: true } });
  });

  test("EDIT-10: a letter that the charset doesn't have makes the file UTF-8, and loses none", () => {
    const { writing = PLAIN } = textOf(Uint8Array.of(0xe9)) ?? {};
    expect(bytesOf("é→", writing)).toEqual(utf8("é→"));
  });

  test("EDIT-10: whatever is taken for text is the same bytes again", () => {
    const bytes = fc.oneof(
      fc.uint8Array(),
      fc.string({ unit: "binary" }).map(utf8),
      fc.array(fc.constantFrom("a", "\r\n", "\n", "\r", "é", "\ufeff")).map((parts) => utf8(parts.join(""))),
    );
    fc.assert(
      fc.property(bytes, (some) => {
        const file = textOf(some);
        if (file !== undefined) expect(bytesOf(file.text, file.writing)).toEqual(Uint8Array.from(some));
      }),
      { numRuns: 2000 },
    );
  });

  test("EDIT-11: bytes with a zero, or with much that nobody writes, are no text", () => {
    expect(textOf(Uint8Array.of(0x61, 0, 0x62))).toBeUndefined();
    expect(textOf(Uint8Array.of(0xff, 1, 2, 3, 4, 5))).toBeUndefined();
  });
});
