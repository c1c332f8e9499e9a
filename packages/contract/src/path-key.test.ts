import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Path } from "./path.ts";
import {
  isBelow,
  isGits,
  keyBytes,
  keyFromBytes,
  parentKey,
  pathBytes,
  pathFromBytes,
  pathFromKey,
  pathKey,
} from "./path-key.ts";

const bytesOf = (latin1: string) => Uint8Array.from(Buffer.from(latin1, "latin1"));
const keyOf = (latin1: string) => pathKey(pathFromBytes(bytesOf(latin1)));

const byte = fc.constantFrom(0x61, 0x66, 0x30, 0x2e, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0xef, 0xbb, 0xbf, 0xff);
const name = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 6 }),
  fc.array(byte, { minLength: 1, maxLength: 6 }).map((list) => Uint8Array.from(list)),
);
/** Paths that the contract takes, often not UTF-8. */
const path = fc
  .array(name, { minLength: 1, maxLength: 4 })
  .map((names) => pathFromBytes(Buffer.concat(names.flatMap((part, i) => (i === 0 ? [part] : [bytesOf("/"), part])))))
  .filter((made) => Path.safeParse(made).success);

describe("keys", () => {
  test.each([
    ["UTF-8 is its own key", "caf\xc3\xa9/a", "café/a"],
    ["an odd byte is two slashes and two digits", "caf\xc3", "caf//c3"],
    ["what is UTF-8 around an odd byte stays text", "\xc3\xa9\xff\xe2\x82\xac", "é//ff€"],
    ["an overlong slash is two odd bytes", "a\xc0\xafb", "a//c0//afb"],
    ["a surrogate is three odd bytes", "\xed\xa0\x80", "//ed//a0//80"],
    ["an odd byte may begin a name", "dir/\xff", "dir///ff"],
    ["an odd byte may end a name", "dir\xff/a", "dir//ff/a"],
    ["digits after an odd byte are text", "\xffff", "//ffff"],
    ["a byte order mark is text", "\xef\xbb\xbf\xff", "\ufeff//ff"],
  ])("%s", (_, latin1, key) => {
    expect(keyOf(latin1)).toBe(key);
    expect([...keyBytes(key)]).toEqual([...bytesOf(latin1)]);
  });

  test("every path is found again in its key, and no other path has it", () => {
    fc.assert(
      fc.property(path, path, (one, other) => {
        const key = pathKey(one);
        expect(pathFromKey(key)).toEqual(one);
        expect([...keyBytes(key)]).toEqual([...pathBytes(one)]);
        expect(keyFromBytes(pathBytes(one))).toBe(key);
        expect(key === pathKey(other)).toBe(Buffer.compare(pathBytes(one), pathBytes(other)) === 0);
      }),
      { numRuns: 1000 },
    );
  });

  test("the key of a path's directory is the key of the path without its last name", () => {
    fc.assert(
      fc.property(path, (one) => {
        const bytes = Buffer.from(pathBytes(one));
        const slash = bytes.lastIndexOf("/");
        const parent = slash < 0 ? undefined : keyFromBytes(bytes.subarray(0, slash));
        expect(parentKey(pathKey(one))).toBe(parent);
      }),
      { numRuns: 1000 },
    );
  });

  test("a key is below another where its path is, and not where only the letters are alike", () => {
    const names = fc.constantFrom(
      "a",
      "\xff",
      "a\xff",
      "a/b",
      "a\xff/b",
      "a/\xff",
      "\xff\xff",
      "\xff/\xff",
      "ab",
      "a/f",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          path,
          names.map((text) => pathFromBytes(bytesOf(text))),
        ),
        path,
        names,
        (one, other, text) => {
          const above = pathKey(one);
          expect(isBelow(keyFromBytes(Buffer.concat([pathBytes(one), bytesOf("/"), pathBytes(other)])), above)).toBe(
            true,
          );
          const next = keyFromBytes(Buffer.concat([pathBytes(one), bytesOf(text)]));
          const inside = Buffer.from(keyBytes(next)).indexOf(Buffer.concat([pathBytes(one), bytesOf("/")])) === 0;
          expect(isBelow(next, above)).toBe(inside);
          expect(isBelow(above, above)).toBe(false);
        },
      ),
      { numRuns: 1000 },
    );
    expect(isBelow("dir//ff", "dir")).toBe(false);
    expect(isBelow("dir///ff", "dir")).toBe(true);
  });
});

test("what is git's own is a '.git' and what lies in it, at any depth; a name that only begins so isn't", () => {
  for (const latin1 of [".git", "g/.git", "g/.git/HEAD", "g/.git/\xff"]) expect(isGits(keyOf(latin1))).toBe(true);
  for (const latin1 of ["git/a", "a.git/b", ".gitignore", ".github/a", ".git\xff", "a\xff.git/b"])
    expect(isGits(keyOf(latin1))).toBe(false);
});
