import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Path } from "./path.ts";
import { pathBytes, pathFromBytes, pathKey } from "./path-key.ts";

/** A path in bytes, one a character. */
const encoded = (latin1: string) => ({ b64: Buffer.from(latin1, "latin1").toString("base64") });
/** The message of the one thing that is wrong with it, or `undefined`. */
const wrong = (path: unknown) => Path.safeParse(path).error?.issues[0]?.message;

describe("texts", () => {
  test.each([
    ["a name", "notes.md"],
    ["a path", "workspace/src/index.ts"],
    ["hidden names", ".git/.config"],
    ["names of dots that mean nothing", ".../....a/a../..b/. ."],
    ["spaces, also at the ends", " a / b "],
    ["what shells and hosts read meaning into", "$(rm -rf ~)/*?:|<>\"'`;&\\..\\C:"],
    ["line feeds and other control characters", "a\nb\t\u0001/\u007f"],
    ["Unicode", "Grüße/日本/😂/e\u0301"],
    ["what isn't unescaped", "%2e%2e/%00"],
    ["a byte order mark", "\ufeffnotes"],
    ["4,096 bytes", "a".repeat(4096)],
    ["4,096 bytes of Unicode", "é".repeat(2048)],
    ["2,048 parts", Array(2048).fill("a").join("/").slice(0, 4095)],
  ])("a path can be %s", (_, path) => {
    expect(Path.parse(path)).toBe(path);
  });

  test.each([
    ["nothing", "", "must not be empty"],
    ["the root", "/", "must be relative, with no empty part"],
    ["absolute", "/etc/passwd", "must be relative, with no empty part"],
    ["ending in a slash", "workspace/", "must be relative, with no empty part"],
    ["with an empty part", "a//b", "must be relative, with no empty part"],
    ["the folder itself", ".", "must not contain '.' or '..' as a part"],
    ["with the folder itself", "./a", "must not contain '.' or '..' as a part"],
    ["with the folder itself inside", "a/./b", "must not contain '.' or '..' as a part"],
    ["with the folder itself at the end", "a/.", "must not contain '.' or '..' as a part"],
    ["the parent", "..", "must not contain '.' or '..' as a part"],
    ["climbing", "../a", "must not contain '.' or '..' as a part"],
    ["climbing inside", "a/../../b", "must not contain '.' or '..' as a part"],
    ["climbing at the end", "a/..", "must not contain '.' or '..' as a part"],
    ["with a NUL", "a\0b", "must not contain NUL"],
    ["over 4,096 bytes", "a".repeat(4097), "must be at most 4096 bytes"],
    ["over 4,096 bytes of Unicode", `${"é".repeat(2048)}a`, "must be at most 4096 bytes"],
    ["with half a surrogate pair", "a\ud83d/b", "must be well-formed Unicode"],
  ])("a path is never %s", (_, path, message) => {
    expect(wrong(path)).toBe(message);
  });

  test.each([5, null, true, [], ["a"], {}, { b64: 5 }, { path: "a" }, new Uint8Array(1)])(
    "a path is not %j",
    (path) => {
      expect(Path.safeParse(path).success).toBe(false);
    },
  );
});

describe("bytes that aren't UTF-8", () => {
  test.each([
    ["a stray byte", "workspace/\xff.txt"],
    ["a cut-off character", "caf\xc3"],
    ["an overlong slash, which is no slash", "a\xc0\xafb"],
    ["a surrogate in UTF-8's clothes", "\xed\xa0\x80"],
    ["4,096 bytes", "\xff".repeat(4096)],
  ])("a path can be %s", (_, latin1) => {
    const path = encoded(latin1);
    expect(Path.parse(path)).toEqual(path);
  });

  test.each([
    ["UTF-8 after all", encoded("notes.md").b64, "is UTF-8: write it as a string"],
    ["UTF-8 after all, with an accent", encoded("\xc3\xa9").b64, "is UTF-8: write it as a string"],
    ["empty", "", "is UTF-8: write it as a string"],
    ["absolute", encoded("/\xff").b64, "must be relative, with no empty part"],
    ["ending in a slash", encoded("\xff/").b64, "must be relative, with no empty part"],
    ["with an empty part", encoded("a//\xff").b64, "must be relative, with no empty part"],
    ["climbing", encoded("../\xff").b64, "must not contain '.' or '..' as a part"],
    ["climbing inside", encoded("\xff/../b").b64, "must not contain '.' or '..' as a part"],
    ["with the folder itself", encoded("\xff/.").b64, "must not contain '.' or '..' as a part"],
    ["with a NUL", encoded("\xff\0").b64, "must not contain NUL"],
    ["over 4,096 bytes", encoded("\xff".repeat(4097)).b64, "must be at most 4096 bytes"],
    ["a megabyte", encoded("\xff".repeat(1_000_000)).b64, "must be at most 4096 bytes"],
    ["without its padding", "/w", "must be canonical base64"],
    ["with too much padding", "/w===", "must be canonical base64"],
    ["padded in the middle", "/w==/w==", "must be canonical base64"],
    ["with bits that mean nothing", "/x==", "must be canonical base64"],
    ["in the alphabet of addresses", "_w==", "must be canonical base64"],
    ["with a space", "/w= =", "must be canonical base64"],
    ["with a line feed", "/w==\n", "must be canonical base64"],
    ["not base64 at all", "!!", "must be canonical base64"],
    ["not even ASCII", "é", "must be canonical base64"],
    ["half a surrogate pair", "\ud800", "must be canonical base64"],
  ])("a path in base64 is never %s", (_, b64, message) => {
    expect(wrong({ b64 })).toBe(message);
  });

  test("a path in base64 says nothing else", () => {
    expect(Path.safeParse({ ...encoded("\xff"), text: "notes.md" }).success).toBe(false);
  });
});

describe("from bytes and back", () => {
  const slash = 0x2f;
  const byte = fc.oneof(
    fc.integer({ min: 0, max: 255 }),
    fc.constantFrom(slash, 0x2e, 0x61, 0xc3, 0xa9, 0xef, 0xbb, 0xbf, 0xff),
  );
  const anyBytes = fc.oneof(
    fc.array(byte, { maxLength: 40 }).map((list) => Uint8Array.from(list)),
    fc.string({ unit: "binary", maxLength: 20 }).map((text) => new TextEncoder().encode(text)),
  );

  test("any bytes have one spelling as a path, and are found again in it", () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const path = pathFromBytes(bytes);
        expect([...pathBytes(path)]).toEqual([...bytes]);
        expect(typeof path === "string").toBe(isUtf8(bytes));
      }),
      { numRuns: 500 },
    );
  });

  test("a path that is accepted is the one spelling of its bytes", () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const path = pathFromBytes(bytes);
        const parts = Buffer.from(bytes).toString("latin1").split("/");
        const fine = !bytes.includes(0) && parts.every((part) => part !== "" && part !== "." && part !== "..");
        expect(Path.safeParse(path).success).toBe(fine);
        // Text has no second spelling in base64.
        const again = { b64: Buffer.from(bytes).toString("base64") };
        expect(Path.safeParse(again).success).toBe(fine && typeof path !== "string");
      }),
      { numRuns: 500 },
    );
  });

  test("a byte order mark stays", () => {
    expect(pathFromBytes(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe("\ufeffa");
  });

  test("a million bytes are turned around as well as ten: what is too long is refused by its schema, not by the stack", () => {
    for (const fill of [0xff, 0x61]) {
      const bytes = new Uint8Array(1_000_000).fill(fill);
      const path = pathFromBytes(bytes);
      expect(Buffer.compare(pathBytes(path), bytes)).toBe(0);
      expect(wrong(path)).toBe("must be at most 4096 bytes");
    }
  });

  test("different paths have different keys", () => {
    fc.assert(
      fc.property(anyBytes, anyBytes, (one, other) => {
        const same = Buffer.compare(one, other) === 0;
        expect(pathKey(pathFromBytes(one)) === pathKey(pathFromBytes(other))).toBe(same);
      }),
    );
    const path = encoded("\xff");
    expect(pathKey(path.b64)).not.toBe(pathKey(path));
  });
});
