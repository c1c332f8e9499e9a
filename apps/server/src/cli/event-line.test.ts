import type { Envelope } from "@choiros/contract";
import { expect, test } from "vitest";
import { eventLine } from "./event-line.ts";

const event = (type: string, payload: Envelope["payload"], v = 1): Envelope => ({
  v,
  id: "a",
  seq: 7,
  ts: "2026-01-02T03:04:05.678Z",
  user_id: "ada",
  source: "user",
  type,
  payload,
  hash: "0".repeat(64),
});

test("an event is one line: number, time, who, what, and what it was about", () => {
  expect(eventLine(event("message", { text: "hello" }))).toBe(
    "     7  2026-01-02 03:04:05Z  user    message             hello",
  );
});

test("a change of files names the paths as a command takes them", () => {
  const dir = { kind: "dir", mode: 493 };
  const changes = [
    { path: "workspace/a", before: null, after: dir },
    { path: { b64: "d29ya3NwYWNlL/8=" }, before: dir, after: null },
    { path: "artifacts/b", before: null, after: dir },
  ];
  expect(eventLine(event("dir.create", { changes }))).toMatch(/ {2}a, \/\/ff, \/artifacts\/b$/);
});

test("a long list of changes says how many", () => {
  const list = { hash: "1".repeat(64), size: 9 };
  expect(eventLine(event("files.changed", { by: "outside", count: 100_000, list }))).toContain("100000 paths");
});

test("what a terminal would obey is written out instead", () => {
  const line = eventLine(event("message", { text: "a\x1b]0;owned\x07\r\nb\u202ec\u009b1m" }));
  expect(line).toContain("a\\u{1b}]0;owned\\u{7}\\u{d}\\u{a}b\\u{202e}c\\u{9b}1m");
  expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test("what an approval covers stands in the line, one after the other", () => {
  const asked = event("approval.asked", { approval: "p", covers: "edit /artifacts/system\nnetwork a.example" });
  expect(eventLine(asked)).toMatch(/ {2}edit \/artifacts\/system, network a\.example$/);
});

test("what was answered to an approval stands in the line, and that one was closed without an answer", () => {
  const given = event("approval.given", { approval: "p", decision: "denied" });
  expect(eventLine(given)).toMatch(/ {2}denied$/);
  expect(eventLine({ ...given, source: "system" })).toMatch(/ {2}closed without an answer$/);
});

test("a long text is cut, and stays one line", () => {
  const line = eventLine(event("message", { text: "🎵".repeat(500) }));
  expect([...line].length).toBeLessThan(200);
  expect(line.isWellFormed()).toBe(true);
});

test("an event of a newer version is shown as such", () => {
  expect(eventLine(event("dream.begun", { of: "sheep" }))).toContain("dream.begun         (of a newer version)");
  expect(eventLine(event("message", { text: "hello" }, 2))).toContain("(of a newer version)");
});

test("a command's line says what ran, and its result how it ended", () => {
  const input = { hash: "1".repeat(64), size: 9 };
  expect(eventLine(event("tool.call", { input, tool: "exec" }), "ls -l 'a b'")).toMatch(/ {2}ls -l 'a b'$/);
  expect(eventLine(event("tool.call", { input, tool: "exec" }))).toMatch(/ {2}exec$/); // too long, or lost
  expect(eventLine(event("tool.result", { status: "failed", exit: 3 }))).toMatch(/ {2}failed, exit 3$/);
  const reason = "it reached its limit: time";
  expect(eventLine(event("tool.result", { status: "failed", reason }))).toMatch(
    / {2}failed: it reached its limit: time$/,
  );
});

test("of a long list of changes an event's line says how many there are, one as one", () => {
  const line = (count: number) =>
    eventLine(event("files.changed", { by: "desk", count, list: { hash: "0".repeat(64), size: 9 } }));
  expect([line(1), line(300)]).toEqual([expect.stringMatching(/ 1 path$/), expect.stringMatching(/ 300 paths$/)]);
});
