import fc from "fast-check";
import { expect, test } from "vitest";
import { type Filter, NO_FILTER, namedEvent, parseFilter, queryOf, whereOf, withField } from "./filter.ts";

const NOW = new Date("2026-05-04T12:00:00.000Z");

test("TIME-5: source, type, path, text, time and cause are what the server is asked for", () => {
  const filter: Filter = { source: "agent", kind: "commands", path: "src/", text: " npm test ", age: "hour" };
  expect(queryOf(filter, NOW)).toEqual({
    named: "src",
    since: "2026-05-04T11:00:00.000Z",
    source: ["agent"],
    text: "npm test",
    type: ["tool.call", "tool.result"],
  });
  expect(queryOf({ cause: { id: "a", kind: "ask" } }, NOW)).toEqual({ cause: { ask: "a" } });
  const between = queryOf({ since: "2026-05-01T10:00", until: "2026-05-02T10:00" }, NOW);
  expect(between).toEqual({
    since: new Date("2026-05-01T10:00").toISOString(),
    until: new Date("2026-05-02T10:00").toISOString(),
  });
});

test("TIME-5: fields that say nothing ask for nothing", () => {
  expect(queryOf(NO_FILTER, NOW)).toBeUndefined();
  expect(queryOf({ text: "  ", path: " / ", since: "someday" }, NOW)).toBeUndefined();
  expect(withField({ text: "a", source: "user" }, "text", "")).toEqual({ source: "user" });
});

test("TIME-5: a path is named by a part of it, or whole, from the root; what can be no path is a part that none has", () => {
  expect(whereOf("doc.md")).toEqual({ named: "doc.md" });
  expect(whereOf("./a b/")).toEqual({ named: "a b" });
  expect(whereOf("/artifacts/system")).toEqual({ key: "artifacts/system" });
  for (const path of ["../x", "/../x", "/etc/passwd"]) expect(whereOf(path)).toEqual({ named: path });
});

test("TIME-5: a filter that a window's args bring is taken whole or not at all", () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect(() => queryOf(parseFilter(value), NOW)).not.toThrow();
    }),
  );
  expect(parseFilter({ kind: "constructor", text: "a" })).toEqual(NO_FILTER);
  expect(parseFilter({ kind: "files", text: "a" })).toEqual({ kind: "files", text: "a" });
});

test("TIME-8: an event is named by its number or by a link", () => {
  for (const text of ["#12", "event 12", " Event 12 ", "https://choir.example/#event=12&computer=ada"])
    expect(namedEvent(text)).toBe(12);
  expect(namedEvent("https://choir.example/#computer=ada&event=12")).toBe(12);
  for (const text of ["12", "event", "#0", "events 12", "#12 and more"]) expect(namedEvent(text)).toBeUndefined();
});
