import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalise, NotCanonical } from "./canonical.ts";
import type { Json } from "./json.ts";
import { MAX_DEPTH } from "./limits.ts";

/** What a caller without types could hand over. */
const odd = (value: unknown) => value as Json;

describe("RFC 8785", () => {
  test("its example comes out byte for byte", () => {
    const input: Json = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalise(input)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
    // Section 3.2.4.
    expect(Buffer.from(canonicalise(input), "utf8").toString("hex")).toBe(
      "7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b3333333333333333332e33333333" +
        "3333332c31652b33302c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac245c75303030665c6e4127425c22" +
        "5c5c5c5c5c222f227d",
    );
  });

  test("keys are sorted by UTF-16 code units, not by code points and not by number", () => {
    const input: Json = JSON.parse(String.raw`{
      "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
    }`);
    expect(canonicalise(input)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis",' +
        '"€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
    expect(canonicalise({ 2: 0, 10: 0, 1: 0, "": 0, b: { 20: 0, 3: 0 }, a: 0 })).toBe(
      '{"":0,"1":0,"10":0,"2":0,"a":0,"b":{"20":0,"3":0}}',
    );
  });

  // Appendix B, by their IEEE 754 bits.
  test.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef4f", "999999999999999900000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555554", "333333333.33333325"],
    ["41b3de4355555555", "333333333.3333333"],
    ["41b3de4355555556", "333333333.3333334"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("the double %s is written %s", (bits, text) => {
    const double = new DataView(Uint8Array.from(Buffer.from(bits, "hex")).buffer).getFloat64(0);
    expect(canonicalise(double)).toBe(text);
    expect(canonicalise({ b: [double], a: 0 })).toBe(`{"a":0,"b":[${text}]}`);
  });

  test("a number has one spelling, however it was written", () => {
    const spellings = ["1e30", "1E+30", "1000000000000000000000000000000", "10e29"];
    expect(new Set(spellings.map((text) => canonicalise(JSON.parse(text))))).toEqual(new Set(["1e+30"]));
    expect(canonicalise([1e21, 1e20, 1e-7, 1e-6, -0, 1.0])).toBe("[1e+21,100000000000000000000,1e-7,0.000001,0,1]");
  });

  test("control characters are escaped the short way where there is one, and nothing else is", () => {
    const controls = String.fromCharCode(...Array.from({ length: 32 }, (_, code) => code));
    expect(canonicalise(controls)).toBe(
      String.raw`"\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f` +
        String.raw`\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f"`,
    );
    expect(canonicalise("\u007f\u0080\u2028\u2029/'<é😂")).toBe('"\u007f\u0080\u2028\u2029/\'<é😂"');
  });

  test("strings are not normalised: two spellings of a letter stay two", () => {
    expect(canonicalise("e\u0301")).not.toBe(canonicalise("\u00e9"));
  });
});

describe("keys", () => {
  test("a key named __proto__ is kept, at every depth, in order and out of order", () => {
    for (const text of ['{"__proto__":1,"a":2}', '{"a":{"__proto__":{"x":1}}}', '{"b":{"z":0,"__proto__":[]},"a":1}']) {
      const value: Json = JSON.parse(text);
      expect(canonicalise(value)).toBe(reference(value));
      expect(canonicalise(value)).toContain('"__proto__":');
    }
  });

  test("a member that is undefined is left out, as JSON does", () => {
    expect(canonicalise(odd({ b: 1, a: undefined, c: { d: undefined } }))).toBe('{"b":1,"c":{}}');
    expect(canonicalise(odd({ z: 1, b: undefined, a: 1 }))).toBe('{"a":1,"z":1}');
  });

  test("an object without a prototype is a plain object", () => {
    expect(canonicalise(Object.assign(Object.create(null), { b: 1, a: 2 }))).toBe('{"a":2,"b":1}');
  });
});

describe("refusals", () => {
  class Point {
    x = 1;
  }
  test.each<[what: string, value: unknown]>([
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["minus infinity", Number.NEGATIVE_INFINITY],
    ["the first half of a surrogate pair", "a\ud83d"],
    ["the second half of a surrogate pair", "\ude02a"],
    ["a surrogate pair the wrong way round", "\ude02\ud83d"],
    ["undefined", undefined],
    ["a BigInt", 1n],
    ["a symbol", Symbol("x")],
    ["a function", () => 1],
    ["a Date", new Date(0)],
    ["a Map", new Map([["a", 1]])],
    ["a Set", new Set([1])],
    ["bytes", new Uint8Array(2)],
    ["a boxed string", Object("x")],
    ["an instance of a class", new Point()],
    ["an object that writes itself", { toJSON: () => 1 }],
    ["an object with a member named toJSON", { toJSON: "x" }],
    ["an array that writes itself", Object.assign([1], { toJSON: () => 2 })],
  ])("%s has no canonical form, alone or inside", (_, value) => {
    expect(() => canonicalise(odd(value))).toThrow(NotCanonical);
    expect(() => canonicalise(odd([value]))).toThrow(NotCanonical);
    expect(() => canonicalise(odd({ z: 1, a: { b: [0, value] } }))).toThrow(
      value === undefined ? /undefined/ : /\/a\/b\/1/,
    );
  });

  test("a hole in an array is refused like undefined", () => {
    expect(() => canonicalise(Array(2))).toThrow(NotCanonical);
  });

  test("half a surrogate pair in a key is refused, in order and out of order", () => {
    expect(() => canonicalise({ "\ud800": 1 })).toThrow(NotCanonical);
    expect(() => canonicalise({ z: 1, a: { "\udc00x": 1 } })).toThrow("a key in /a has half a surrogate pair");
  });

  test("the message says where", () => {
    expect(() => canonicalise({ a: [{ b: Number.NaN }] })).toThrow("/a/0/b is NaN, which JSON has no number for");
    expect(() => canonicalise(odd(1n))).toThrow("/ is of type bigint, which JSON can't carry");
  });

  const nested = (levels: number, wrap: (inner: Json) => Json) => {
    let value: Json = wrap(0);
    for (let level = 0; level < levels; level++) value = wrap(value);
    return value;
  };
  const wraps: [string, (inner: Json) => Json][] = [
    ["arrays", (inner) => [inner]],
    ["objects", (inner) => ({ a: inner })],
    ["objects out of order", (inner) => ({ b: 0, a: inner })],
  ];
  test.each(wraps)(`${MAX_DEPTH} levels of %s below the top are fine, one more is refused`, (_, wrap) => {
    expect(JSON.parse(canonicalise(nested(MAX_DEPTH, wrap)))).toEqual(nested(MAX_DEPTH, wrap));
    expect(() => canonicalise(nested(MAX_DEPTH + 1, wrap))).toThrow(NotCanonical);
  });

  test.each(wraps)("a hundred thousand levels of %s are refused, not a stack overflow", (_, wrap) => {
    expect(() => canonicalise(nested(100_000, wrap))).toThrow(NotCanonical);
  });

  test("what holds itself is refused, not a stack overflow", () => {
    const object: Record<string, unknown> = { z: 1 };
    object.a = object;
    const array: unknown[] = [1];
    array.push({ array });
    expect(() => canonicalise(odd(object))).toThrow(NotCanonical);
    expect(() => canonicalise(odd(array))).toThrow(NotCanonical);
  });
});

describe("any value", () => {
  // Keys that sort differently by number, by code point and by UTF-16, so that order is really put to the test.
  const key = fc
    .oneof(
      fc.constantFrom("", "1", "2", "10", "a", "A", "\u20ac", "\ud83d\ude02", "\ufb33", "__proto__", "constructor"),
      fc.string({ unit: "binary", maxLength: 3 }),
    )
    .filter((name) => name !== "toJSON");
  const leaf = fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: "binary", maxLength: 8 }),
  );
  const { value: values } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthIdentifier: "value" },
      leaf,
      fc.array(tie("value"), { maxLength: 4, depthIdentifier: "value" }),
      fc
        .uniqueArray(fc.tuple(key, tie("value")), {
          maxLength: 6,
          selector: ([name]) => name,
          depthIdentifier: "value",
        })
        .map((members) => objectOf(members)),
    ),
  }));

  test("the canonical form is what a second, plainer implementation writes", () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(canonicalise(value)).toBe(reference(value));
      }),
      { numRuns: 500 },
    );
  });

  test("read back, it is the value", () => {
    fc.assert(
      fc.property(values, (value) => {
        // By way of JSON on both sides, for -0 is 0 there.
        expect(JSON.parse(canonicalise(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 500 },
    );
  });

  test("the order in which keys were set doesn't matter, nor whether they were in order already", () => {
    fc.assert(
      fc.property(values, fc.infiniteStream(fc.nat()), (value, chance) => {
        const text = canonicalise(value);
        expect(canonicalise(reordered(value, () => chance.next().value))).toBe(text);
        // Sorted as far as JavaScript lets it, an object takes the quick way; and the text is the same.
        expect(canonicalise(JSON.parse(text))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});

/** Set one by one without a setter in the way: `__proto__` is a key like any other. */
function objectOf(members: readonly (readonly [string, Json])[]): { [key: string]: Json } {
  const object: { [key: string]: Json } = {};
  for (const [name, value] of members) {
    Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
  }
  return object;
}

function reordered(value: Json, chance: () => number): Json {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => reordered(item, chance));
  const members = Object.entries(value).map(([name, member]) => ({ name, member, at: chance() }));
  members.sort((a, b) => a.at - b.at);
  return objectOf(members.map(({ name, member }) => [name, reordered(member, chance)]));
}

/** RFC 8785 once more, with none of the short cuts: code units compared one by one, strings escaped by hand. */
function reference(value: Json): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return Object.is(value, -0) ? "0" : String(value);
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(reference).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => compareUnits(a, b));
  return `{${members.map(([name, member]) => `${quoted(name)}:${reference(member)}`).join(",")}}`;
}

function compareUnits(a: string, b: string): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a.charCodeAt(i) !== b.charCodeAt(i)) return a.charCodeAt(i) - b.charCodeAt(i);
  }
  return a.length - b.length;
}

const SHORT: Record<string, string> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\f": "\\f",
  "\r": "\\r",
};

function quoted(text: string): string {
  const escaped = [...text].map((char) => {
    const code = char.charCodeAt(0);
    return SHORT[char] ?? (code < 0x20 ? `\\u${code.toString(16).padStart(4, "0")}` : char);
  });
  return `"${escaped.join("")}"`;
}
