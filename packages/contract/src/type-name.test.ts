import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PAYLOADS } from "./payloads.ts";
import { canonicalTypeName, TypeName } from "./type-name.ts";

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,7}$/);
const typeName = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join("."));

describe("spellings", () => {
  test.each(["file.write", "FILE_WRITE", "file_write", "File_Write", "FILE.WRITE", "File.write"])(
    "%s means file.write",
    (spelling) => {
      expect(canonicalTypeName(spelling)).toBe("file.write");
    },
  );

  test.each([
    ["nothing", ""],
    ["a space", "file write"],
    ["a space at the end", "file.write "],
    ["a line feed at the end", "file.write\n"],
    ["the wildcard of one word", "file.*"],
    ["the wildcard of the rest", "file.>"],
    ["a wildcard alone", ">"],
    ["an empty word inside", "file..write"],
    ["an empty word at the start", ".file"],
    ["an empty word at the end", "file."],
    ["underscores that leave an empty word", "file__write"],
    ["an underscore at the end", "file_"],
    ["a hyphen", "file-write"],
    ["a slash", "file/write"],
    ["a word that starts with a digit", "file.2write"],
    ["a control character", "file\u0007write"],
    ["a NUL", "file\0"],
    ["a letter with an accent", "filé"],
    ["the Kelvin sign, which lower-cases to a k", "tas\u212a.planned"],
    ["a dotted capital I, which lower-cases to an i and a mark", "f\u0130le"],
    ["full-width letters", "ｆｉｌｅ"],
    ["65 characters", "a".repeat(65)],
  ])("no spelling of any type: %s", (_, spelling) => {
    expect(canonicalTypeName(spelling)).toBeUndefined();
  });

  test("a type has at most 64 characters", () => {
    const longest = `${"a".repeat(31)}.${"b".repeat(32)}`;
    expect(canonicalTypeName(longest)).toBe(longest);
    expect(TypeName.safeParse(`${longest}c`).error?.issues[0]?.message).toBe("must be at most 64 characters");
  });

  test("the canonical spelling of a canonical spelling is itself, also after a detour over capitals and underscores", () => {
    fc.assert(
      fc.property(typeName, (type) => {
        expect(canonicalTypeName(type)).toBe(type);
        expect(canonicalTypeName(type.toUpperCase().replaceAll(".", "_"))).toBe(type);
      }),
    );
  });

  test("what comes out is canonical, whatever goes in", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[A-Za-z0-9._ *>-]{0,70}$/)), (text) => {
        const type = canonicalTypeName(text);
        expect(type === undefined || TypeName.safeParse(type).success).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the types of events", () => {
  test.each(Object.keys(PAYLOADS))("%s is spelled canonically, and found by its old spelling", (type) => {
    expect(TypeName.safeParse(type).success).toBe(true);
    expect(canonicalTypeName(type)).toBe(type);
    expect(canonicalTypeName(type.toUpperCase().replaceAll(".", "_"))).toBe(type);
  });
});
