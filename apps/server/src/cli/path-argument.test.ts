import { isPath, shownPath } from "@choiros/computer";
import { keyFromBytes } from "@choiros/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { pathArgument } from "./path-argument.ts";

test.each([
  ["notes.md", "workspace/notes.md"],
  ["./notes.md", "workspace/notes.md"],
  ["././a/b", "workspace/a/b"],
  ["drafts/", "workspace/drafts"],
  ["drafts//", "workspace/drafts"],
  ["/workspace/notes.md", "workspace/notes.md"],
  ["/artifacts/system/theme.json", "artifacts/system/theme.json"],
  ["/choiros/src/main.ts", "choiros/src/main.ts"],
  ["workspace/notes.md", "workspace/workspace/notes.md"],
  ["...", "workspace/..."],
  [" ", "workspace/ "],
  ["caf//e9.txt", "workspace/caf//e9.txt"],
  ["//ff", "workspace///ff"],
  [".//ff", "workspace/.//ff"],
  [".///ff", "workspace///ff"],
  ["/workspace///ff", "workspace///ff"],
  ["-x", "workspace/-x"],
])("the path %j is the key %j", (word, key) => {
  expect(pathArgument(word)).toBe(key);
});

test.each([
  ["", "can't be empty"],
  [".", "one of the computer's own folders"],
  ["./", "one of the computer's own folders"],
  ["/workspace", "one of the computer's own folders"],
  ["/workspace/", "one of the computer's own folders"],
  ["/", "after a leading slash stands workspace, artifacts, choiros"],
  ["//", "after a leading slash stands"],
  ["/etc/passwd", "after a leading slash stands"],
  ["/.choir/log.sqlite", "after a leading slash stands"],
  ["/.git/config", "after a leading slash stands"],
  ["/workspaces/x", "after a leading slash stands"],
  ["//workspace/x", "after a leading slash stands"],
  ["..", "'.' or '..'"],
  ["../x", "'.' or '..'"],
  ["a/../../x", "'.' or '..'"],
  ["/workspace/../.choir/log.sqlite", "'.' or '..'"],
  ["a/./b", "'.' or '..'"],
  ["a//b", "no empty part"],
  ["a\0b", "NUL"],
  ["\ud800", "well-formed"],
  ["x".repeat(5000), "at most 4096 bytes"],
  ["//2e//2e/x", "'.' or '..'"],
  ["a//2fb", "plainer spelling: 'a/b'"],
  ["//41", "plainer spelling: 'A'"],
  ["//c3//a9", "plainer spelling: 'é'"],
])("the path %j is refused with a sentence", (word, sentence) => {
  expect(() => pathArgument(word)).toThrow(sentence);
});

test("the computer's own folders can be named where that makes sense", () => {
  expect(pathArgument(".", { area: true })).toBe("workspace");
  expect(pathArgument("/artifacts/", { area: true })).toBe("artifacts");
});

test("whatever a path is shown as leads back to it", () => {
  const name = fc
    .uint8Array({ minLength: 1, maxLength: 12 })
    .map((bytes) => bytes.map((byte) => (byte === 0x2f || byte === 0 ? 0x61 : byte)))
    .filter((bytes) => !["46", "46,46"].includes(bytes.join(",")));
  const area = fc.constantFrom("workspace", "artifacts", "choiros");
  fc.assert(
    fc.property(area, fc.array(name, { minLength: 1, maxLength: 4 }), (area, names) => {
      const key = keyFromBytes(Buffer.concat([Buffer.from(area), ...names.flatMap((n) => [Buffer.from("/"), n])]));
      expect(pathArgument(shownPath(key))).toBe(key);
      expect(isPath(key)).toBe(true);
    }),
  );
});
