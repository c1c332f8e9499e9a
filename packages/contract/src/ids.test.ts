import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Id, newId, Sha256, UserId, userIdFrom } from "./ids.ts";

const accepts = (schema: { safeParse(input: unknown): { success: boolean } }, input: unknown) =>
  schema.safeParse(input).success;

describe("user ids", () => {
  test.each([
    ["one letter", "a"],
    ["one digit", "7"],
    ["digits only", "2026"],
    ["a hyphen inside", "ada-lovelace"],
    ["several hyphens inside", "a--b---c"],
    ["40 characters", "a".repeat(40)],
    ["40 characters with hyphens", `abc${"-".repeat(36)}b`],
  ])("a DNS label is a user id: %s", (_, id) => {
    expect(accepts(UserId, id)).toBe(true);
  });

  test.each([
    ["nothing", ""],
    ["41 characters", "a".repeat(41)],
    ["a hyphen alone", "-"],
    ["a leading hyphen", "-ada"],
    ["a trailing hyphen", "ada-"],
    ["40 characters that end in a hyphen", `${"a".repeat(39)}-`],
    ["upper case", "Ada"],
    ["a dot, which would split a subject", "ada.lovelace"],
    ["dots that climb a folder", ".."],
    ["a slash", "ada/x"],
    ["an underscore", "ada_l"],
    ["a space", "ada l"],
    ["a wildcard of subjects", "*"],
    ["the other wildcard of subjects", ">"],
    ["an accent", "zoë"],
    ["a letter that only looks like one of ours", "\u0430da"],
    ["digits of another script", "٣"],
    ["a final line feed", "ada\n"],
    ["a NUL", "ada\0"],
    ["what a browser takes for an encoded name", "xn--ada"],
    ["a number", 7],
    ["null", null],
  ])("what isn't a DNS label is no user id: %s", (_, id) => {
    expect(accepts(UserId, id)).toBe(false);
  });
});

describe("ids", () => {
  test.each(["a", "A", "_", "-", "0", "a-B_9", "x".repeat(64)])("an id is 1 to 64 plain characters: %s", (id) => {
    expect(accepts(Id, id)).toBe(true);
  });

  test.each(["", "x".repeat(65), "a b", "a.b", "a/b", "é", "a\n", "*", 1, null])("an id is nothing else: %j", (id) => {
    expect(accepts(Id, id)).toBe(false);
  });

  test("a hash is 64 lower-case hex digits and has no other spelling", () => {
    const hash = "0123456789abcdef".repeat(4);
    expect(accepts(Sha256, hash)).toBe(true);
    for (const wrong of [hash.slice(1), `${hash}0`, hash.toUpperCase(), `${hash}\n`, `0x${hash.slice(2)}`, ""]) {
      expect(accepts(Sha256, wrong), wrong).toBe(false);
    }
  });
});

describe("new ids", () => {
  const milliseconds = fc.integer({ min: 0, max: 2 ** 48 - 1 });

  test("a new id has 26 characters and is an id", () => {
    for (const now of [0, 1, 31, 32, 1_780_000_000_000, 2 ** 48 - 1]) {
      expect(newId(now)).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/);
      expect(accepts(Id, newId(now))).toBe(true);
    }
  });

  test("without a clock, the time of a new id is now", () => {
    const before = newId(Date.now()).slice(0, 10);
    const time = newId().slice(0, 10);
    const after = newId(Date.now()).slice(0, 10);
    expect(before <= time && time <= after).toBe(true);
  });

  test("ids made in different milliseconds sort by time", () => {
    fc.assert(
      fc.property(milliseconds, milliseconds, (one, other) => {
        fc.pre(one !== other);
        expect(newId(one) < newId(other)).toBe(one < other);
      }),
    );
  });

  test("a hundred thousand ids of one millisecond are all different", () => {
    const ids = new Set(Array.from({ length: 100_000 }, () => newId(1_780_000_000_000)));
    expect(ids.size).toBe(100_000);
  });

  test("each character of the chance in an id takes every value", () => {
    // 32 values, 2,000 draws: one of the 512 staying away has a chance below 10^-24.
    const seen = Array.from({ length: 16 }, () => new Set<string>());
    for (let i = 0; i < 2_000; i++) [...newId(0).slice(10)].forEach((char, at) => void seen[at]?.add(char));
    expect(seen.map((values) => values.size)).toEqual(Array(16).fill(32));
  });
});

describe("a user id from a name", () => {
  test.each([
    ["ada", "ada"],
    ["Jörg.Müller", "jorg-muller"],
    ["Ada Lovelace", "ada-lovelace"],
    ["DOMAIN\\ada", "domain-ada"],
    ["ada@example.org", "ada-example-org"],
    ["ada_l", "ada-l"],
    ["...ada...", "ada"],
    ["a . _ - b", "a-b"],
    ["ﬁona", "fiona"],
    ["İpek", "ipek"],
    ["Ｆｕｌｌ", "full"],
    ["ada 😀", "ada"],
    ["root\n", "root"],
    ["x".repeat(60), "x".repeat(40)],
    [`${"x".repeat(39)}.y`, "x".repeat(39)],
    [`${".".repeat(60)}ada`, "ada"],
  ])("%j becomes %s", (name, id) => {
    expect(userIdFrom(name)).toBe(id);
  });

  test.each(["", " ", "...", "---", "😀😀", "日本語", "Ωμέγα", "\0"])("nothing is left of %j", (name) => {
    expect(userIdFrom(name)).toBeUndefined();
  });

  test("whatever the name, what comes out is a user id or nothing", () => {
    const anything = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 });
    const names = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.string({ unit: "binary", maxLength: 60 }),
      anything.map((units) => String.fromCharCode(...units)),
    );
    fc.assert(
      fc.property(names, (name) => {
        const id = userIdFrom(name);
        expect(id === undefined || accepts(UserId, id)).toBe(true);
        expect(id === undefined).toBe(!/[a-z0-9]/i.test(name.normalize("NFKD")));
      }),
      { numRuns: 500 },
    );
  });

  test("a user id is its own", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9](?:(?:[a-z0-9]|-[a-z0-9]){0,19})$/), (id) => {
        expect(userIdFrom(id)).toBe(id);
      }),
    );
  });
});
