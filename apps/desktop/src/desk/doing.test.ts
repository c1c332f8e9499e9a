import { expect, test } from "vitest";
import { close, open, put, type Windows } from "../windows/deeds.ts";
import { Doing } from "./doing.ts";

const SCREEN = { w: 1280, h: 720 };
const NONE: Windows = new Map();
const opening = (id: string, windows = NONE) =>
  open(windows, { id, app: "notes", title: id, args: {}, size: { w: 400, h: 300 } }, SCREEN);

test("DESK-23: what is done here is shown at once, on top of what the log says, in order", () => {
  const doing = new Doing();
  doing.begin("c1", opening("a"));
  const opened = doing.onTopOf(NONE);
  const larger = put(opened, "a", "maximised");
  if (larger === undefined) throw new Error("it can be maximised");
  doing.begin("c2", larger);
  expect(doing.onTopOf(NONE).get("a")?.state).toBe("maximised");
});

test("DESK-23: it stays until its event is heard, whether its answer comes before or after that", () => {
  const doing = new Doing();
  doing.begin("c1", opening("a"));
  doing.begin("c2", opening("b"));
  doing.became("c1", 7);
  expect(doing.heard({ id: "other", seq: 6 })).toBe(false);
  expect([...doing.onTopOf(NONE).keys()]).toEqual(["a", "b"]);
  expect(doing.heard({ id: "c1", seq: 7 })).toBe(true);
  expect([...doing.onTopOf(NONE).keys()]).toEqual(["b"]);
  expect(doing.heard({ id: "c2", seq: 8 })).toBe(true);
  doing.became("c2", 8);
  expect(doing.onTopOf(NONE)).toEqual(NONE);
});

test("DESK-23: what the server refused is gone again, and what came after it stays", () => {
  const doing = new Doing();
  doing.begin("c1", opening("a"));
  doing.begin("c2", opening("b"));
  doing.begin("c3", close(["a"]));
  doing.drop("c1");
  expect([...doing.onTopOf(NONE).keys()]).toEqual(["b"]);
});

test("DESK-18: a window that only this page keeps is changed and closed here alone, until the log has it again", () => {
  const doing = new Doing();
  const [window] = opening("a").changes.map(({ after }) => after);
  if (window === null || window === undefined) throw new Error("it was opened");
  doing.keep("a", window);
  const both = [{ id: "a", after: { ...window, z: 9 } }, ...opening("b").changes];
  expect(doing.shared({ as: "change", changes: both })?.changes.map(({ id }) => id)).toEqual(["b"]);
  expect(doing.onTopOf(NONE).get("a")?.z).toBe(9);
  expect(doing.shared(close(["a"]))).toBeUndefined();
  expect(doing.onTopOf(NONE)).toEqual(NONE);
  doing.keep("a", window);
  doing.onTopOf(new Map([["a", window]]));
  expect(doing.onTopOf(NONE)).toEqual(NONE);
});
