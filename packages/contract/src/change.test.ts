import { describe, expect, test } from "vitest";
import { ChangeList, Entry, type KeyChange, type PathChange } from "./change.ts";
import { parseDraft } from "./envelope.ts";
import { MAX_INLINE_CHANGES } from "./limits.ts";
import { PAYLOADS } from "./payloads.ts";

const HASH = "0a".repeat(32);
const FILE: Entry = { hash: HASH, kind: "file", mode: 0o644, size: 1 };
const DIR: Entry = { kind: "dir", mode: 0o755 };

const at = (path: PathChange["path"]): PathChange => ({ after: FILE, before: null, path });
const set = (key: string): KeyChange => ({ after: 1, before: null, key });
const many = <Change>(count: number, make: (name: string) => Change) =>
  Array.from({ length: count }, (_, index) => make(`n${index}`));
const why = (type: string, payload: object) => {
  const parsed = parseDraft({ source: "agent", type, payload });
  return parsed.ok ? "fine" : parsed.why;
};

const WITH_PATHS = ["file.write", "file.delete", "dir.create", "dir.delete"];
const WITH_KEYS = ["window.open", "window.close", "window.change", "window.focus", "settings.change"];
/** A change of a key that this type of event may name. */
const setBy = (type: string) => (name: string) => set(type === "settings.change" ? name : `window.${name}`);

describe("entries", () => {
  test.each<[string, unknown]>([
    ["a file", FILE],
    ["an empty file", { ...FILE, size: 0 }],
    ["a file with every mode bit", { ...FILE, mode: 0o7777 }],
    ["a link, whose target is its content", { ...FILE, kind: "link" }],
    ["a folder, which has no content", DIR],
  ])("an entry is %s", (_, entry) => {
    expect(Entry.parse(entry)).toEqual(entry);
  });

  test.each<[string, unknown]>([
    ["of no kind", { mode: 0o644 }],
    ["of another kind", { ...FILE, kind: "socket" }],
    ["a file without its hash", { kind: "file", mode: 0o644, size: 1 }],
    ["a file without its size", { hash: HASH, kind: "file", mode: 0o644 }],
    ["a file without its mode", { hash: HASH, kind: "file", size: 1 }],
    ["a file with bytes in it", { ...FILE, bytes: "aGk=" }],
    ["a folder with a hash", { ...DIR, hash: HASH }],
    ["with a mode that has a file type in it", { ...FILE, mode: 0o100644 }],
    ["with a negative mode", { ...FILE, mode: -1 }],
    ["with a mode in words", { ...FILE, mode: "644" }],
    ["with a size that is no whole number", { ...FILE, size: 1.5 }],
    ["with a size that can't be counted", { ...FILE, size: 2 ** 53 }],
    ["with a negative size", { ...FILE, size: -1 }],
  ])("an entry is never %s", (_, entry) => {
    expect(Entry.safeParse(entry).success).toBe(false);
  });
});

describe("lists of changes in an event", () => {
  test.each(WITH_PATHS)(`${MAX_INLINE_CHANGES} paths fit into %s, one more doesn't, and none is no change`, (type) => {
    expect(why(type, { changes: many(MAX_INLINE_CHANGES, at) })).toBe("fine");
    expect(why(type, { changes: many(MAX_INLINE_CHANGES + 1, at) })).toMatch(/: changes: too big: .*<=100 items$/);
    expect(why(type, { changes: [] })).toMatch(/: changes: too small/);
  });

  test.each(WITH_KEYS)(`${MAX_INLINE_CHANGES} keys fit into %s, one more doesn't, and none is no change`, (type) => {
    expect(why(type, { changes: many(MAX_INLINE_CHANGES, setBy(type)) })).toBe("fine");
    expect(why(type, { changes: many(MAX_INLINE_CHANGES + 1, setBy(type)) })).toMatch(
      /: changes: too big: .*<=100 items$/,
    );
    expect(why(type, { changes: [] })).toMatch(/: changes: too small/);
  });

  test("an undo counts paths and keys together", () => {
    const target = { seq: 1 };
    const mixed = [...many(50, at), ...many(50, set)];
    expect(why("undo", { target, changes: mixed })).toBe("fine");
    expect(why("undo", { target, changes: [...mixed, set("more")] })).toMatch(/: changes: too big/);
  });

  test.each([...WITH_PATHS, "files.changed"])("%s names each path once", (type) => {
    const extra = type === "files.changed" ? { by: "command" } : {};
    const twice = { changes: [at("a"), at("b"), { ...at("a"), after: DIR }], ...extra };
    expect(why(type, twice)).toBe(`payload of '${type}': changes must name each path and key once`);
    expect(why(type, { changes: [at({ b64: "/w==" }), at({ b64: "/w==" })], ...extra })).toMatch(/once$/);
  });

  test("a key is named once, too", () => {
    expect(why("settings.change", { changes: [set("a"), set("a")] })).toMatch(/once$/);
    expect(why("undo", { changes: [set("a"), at("b"), set("a")], target: { seq: 1 } })).toMatch(/once$/);
  });

  test("a text, the bytes that it spells in base64, and a key of the same name are three different things", () => {
    const changes = [at("/w==".slice(1)), at("w=="), at({ b64: "/w==" }), set("w==")];
    expect(why("undo", { changes: changes.slice(1), target: { seq: 1 } })).toBe("fine");
    expect(why("undo", { changes, target: { seq: 1 } })).toMatch(/once$/);
  });

  test("two names that look the same are two paths", () => {
    expect(why("file.write", { changes: [at("\u00e9"), at("e\u0301")] })).toBe("fine");
  });

  test("a path that was nothing and is nothing has not changed", () => {
    const nothing = { after: null, before: null, path: "a" };
    const says = "changes.0 must have a before or an after";
    expect(why("file.write", { changes: [nothing] })).toBe(`payload of 'file.write': ${says}`);
    expect(why("undo", { changes: [nothing], target: { seq: 1 } })).toContain(says);
  });

  test("a key may come from nothing and go to nothing, but says so", () => {
    expect(why("settings.change", { changes: [{ key: "a", before: null, after: null }] })).toBe("fine");
    expect(why("settings.change", { changes: [{ key: "a", before: null }] })).toMatch(/: changes\.0\.after must be/);
    expect(why("settings.change", { changes: [{ key: "a", after: null }] })).toMatch(/: changes\.0\.before must be/);
    expect(why("settings.change", { changes: [{ ...set(""), key: "" }] })).toMatch(/: changes\.0\.key/);
    expect(why("settings.change", { changes: [set("k".repeat(201))] })).toMatch(/: changes\.0\.key/);
  });

  test("a key says by its beginning whether it is a window's or a setting's, and an undo holds both", () => {
    for (const type of WITH_KEYS) {
      const other = set(type === "settings.change" ? "window.1" : "theme");
      expect(why(type, { changes: [other] })).toMatch(/changes\.0\.key must (not )?begin with 'window\.'/);
    }
    expect(why("undo", { changes: [set("window.1"), set("theme")], target: { seq: 1 } })).toBe("fine");
  });

  test("windows and settings hold no paths, and files no keys", () => {
    expect(why("settings.change", { changes: [at("a")] })).not.toBe("fine");
    expect(why("file.write", { changes: [set("a")] })).not.toBe("fine");
    expect(why("undo", { changes: [{ ...at("a"), key: "a" }], target: { seq: 1 } })).not.toBe("fine");
  });
});

describe("lists of changes beside an event", () => {
  const list = { hash: HASH, size: 2 };

  test("an event names a long list by its content and its length, and holds no other", () => {
    expect(why("file.write", { count: 101, list })).toBe("fine");
    expect(why("file.write", { count: 1_000_000, list })).toBe("fine");
    expect(why("file.write", { count: 0, list })).toMatch(/count/);
    expect(why("file.write", { list })).toMatch(/count/);
    expect(why("file.write", { count: 101 })).toMatch(/list/);
    expect(why("file.write", { count: 101, list, changes: [at("a")] })).not.toBe("fine");
  });

  test("windows and settings never change by the thousand, and have no such list", () => {
    for (const type of WITH_KEYS) expect(why(type, { count: 101, list })).not.toBe("fine");
  });

  test("the list itself has any length, and keeps the rules of the one in an event", () => {
    const long = [...many(1_000, at), ...many(1_000, set)];
    expect(ChangeList.parse(long)).toEqual(long);
    expect(ChangeList.safeParse([...long, at("n7")]).error?.issues[0]?.message).toBe(
      "must name each path and key once",
    );
    expect(ChangeList.safeParse([at("../a")]).success).toBe(false);
    expect(ChangeList.safeParse([{ after: null, before: null, path: "a" }]).success).toBe(false);
    expect(ChangeList.safeParse({}).success).toBe(false);
  });
});

test("every event that changes something is put to these tests", () => {
  const tested = [...WITH_PATHS, ...WITH_KEYS, "file.move", "dir.move", "files.changed", "undo"];
  const example = { changes: [at("a")], by: "command", from: "a", to: "b", target: { seq: 1 } };
  const holding = Object.entries(PAYLOADS).filter(([, schema]) =>
    // Named in a complaint: so it is a key that the schema knows.
    JSON.stringify(schema.safeParse({ ...example, changes: "x" }).error?.issues).includes('"path":["changes"]'),
  );
  expect(holding.map(([type]) => type).sort()).toEqual(tested.sort());
});
