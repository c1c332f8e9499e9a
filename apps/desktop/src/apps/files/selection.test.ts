import fc from "fast-check";
import { expect, test } from "vitest";
import { all, extended, framed, kept, NOTHING, only, pointed, type Selection, toggled } from "./selection.ts";

const ORDER = ["a", "b", "c", "d", "e"];
const keysOf = ({ keys }: Selection) => [...keys].sort().join("");

test("FILES-4: a click chooses one, Ctrl one more or less, Shift all from the first to there", () => {
  const b = only("b");
  expect(keysOf(b)).toBe("b");
  const bd = toggled(b, "d");
  expect(keysOf(bd)).toBe("bd");
  expect(keysOf(toggled(bd, "b"))).toBe("d");
  expect(keysOf(extended(b, ORDER, "d"))).toBe("bcd");
  expect(keysOf(extended(extended(b, ORDER, "e"), ORDER, "a"))).toBe("ab");
  expect(keysOf(extended(toggled(only("a"), "c"), ORDER, "d", true))).toBe("acd");
});

test("FILES-4: Shift without anything before begins at the top", () => {
  expect(keysOf(extended(NOTHING, ORDER, "c"))).toBe("abc");
  expect(keysOf(all(NOTHING, ORDER))).toBe("abcde");
  expect(all(NOTHING, [])).toEqual(NOTHING);
});

test("FILES-4: a frame chooses what it touches; with Ctrl besides what was chosen", () => {
  expect(keysOf(framed(only("a"), ["c", "d"], false))).toBe("cd");
  expect(keysOf(framed(only("a"), ["c", "d"], true))).toBe("acd");
  expect(keysOf(framed(only("a"), [], false))).toBe("");
});

test("FILES-4: the keys can go elsewhere and leave what is chosen", () => {
  expect(pointed(only("a"), "c")).toMatchObject({ active: "c", anchor: "a" });
});

test("FILES-4: what goes away isn't chosen any more, and the keys stay near where it was", () => {
  const gone = kept(only("c"), ORDER, ["a", "b", "d", "e"], true);
  expect([keysOf(gone), gone.active]).toEqual(["d", "d"]);
  expect(kept(only("e"), ORDER, ["a", "b"], true).active).toBe("b");
  expect(kept(only("a"), ORDER, [], true)).toEqual(NOTHING);
  const two = { keys: new Set(["b", "c"]), active: "c", anchor: "b" };
  const one = kept(two, ORDER, ["a", "b", "d"], true);
  expect([keysOf(one), one.active]).toEqual(["b", "d"]);
  expect(kept(two, ORDER, ORDER, true)).toBe(two);
});

test("FILES-4: with fingers nothing is chosen in the place of what goes away", () => {
  const gone = kept(only("c"), ORDER, ["a", "b", "d", "e"], false);
  expect([keysOf(gone), gone.active]).toEqual(["", "d"]);
  const two = { keys: new Set(["b", "c"]), active: "c", anchor: "b" };
  expect(keysOf(kept(two, ORDER, ["a", "b", "d"], false))).toBe("b");
});

test("FILES-4: nothing is ever chosen, or has the keys, that isn't there", () => {
  const some = fc.subarray(ORDER);
  fc.assert(
    fc.property(some, some, fc.constantFrom(...ORDER), fc.constantFrom(...ORDER), (before, after, one, two) => {
      if (!before.includes(one) || !before.includes(two)) return;
      const left = kept(extended(only(one), before, two), before, after, true);
      expect([...left.keys].every((key) => after.includes(key))).toBe(true);
      expect(left.active === undefined || after.includes(left.active)).toBe(true);
    }),
  );
});

test("FILES-4: what gets another name, or its old one back, stays chosen", () => {
  const chosen = only("z9.txt");
  expect(kept(chosen, ["b1.txt", "c1.txt", "z9.txt"], ["a1.txt", "b1.txt", "c1.txt"], true)).toEqual(only("a1.txt"));
  const gone = kept(chosen, ["b1.txt", "z9.txt"], ["b1.txt"], true);
  expect(gone).toEqual(only("b1.txt"));
});
