import { beforeEach, expect, test, vi } from "vitest";
import type { NewNotice } from "../desk/notices.ts";
import type { Windows } from "./deeds.ts";
import { faults, forgetFault, tellFault } from "./faults.ts";

const window = { args: {}, box: { x: 0, y: 0, w: 400, h: 300 }, state: "normal", title: "x", z: 1 } as const;
const WINDOWS: Windows = new Map([
  ["w1", { ...window, app: "editor" }],
  ["w2", { ...window, app: "editor", z: 2 }],
  ["w3", { ...window, app: "editor", state: "minimised", z: 3 }],
  ["w4", { ...window, app: "files", z: 4 }],
]);
const CODE = {
  editor: ["/assets/app-E.js", "/assets/markdown.js"],
  files: ["/assets/app-F.js", "/assets/markdown.js"],
  about: ["/assets/app-A.js"],
};

function thrownIn(...files: readonly string[]): Error {
  const error = new Error(`thrown in ${files.join(", ")}`);
  error.stack = files.map((file) => `    at x (http://ada-desk.localhost:1/assets/${file}:1:7)`).join("\n");
  return error;
}

beforeEach(() => {
  vi.useFakeTimers();
  for (const id of WINDOWS.keys()) forgetFault(id);
  return () => vi.useRealTimers();
});

function page() {
  const notices: (string | undefined)[] = [];
  const parts = { windows: () => WINDOWS, notify: ({ detail }: NewNotice) => notices.push(detail) };
  return { notices, tell: (thrown: unknown, about = {}) => tellFault({ thrown, ...about }, parts, CODE) };
}

test("DESK-15: what an app threw is its own by the code that threw it, in its foremost window; code of several apps says nothing", () => {
  const { notices, tell } = page();
  tell(thrownIn("markdown.js", "index.js", "app-E.js", "app-F.js"));
  expect([...faults.get()]).toEqual([["w2", expect.stringMatching(/^thrown in/)]]);
  tell("a word", { file: "http://ada-desk.localhost:1/assets/app-F.js" });
  expect(faults.get().get("w4")).toBe("a word");
  expect(notices).toEqual([]);
});

test("DESK-15: what is thrown while an app is told of a press is that window's, and the first thing thrown stays until it was seen", () => {
  const { tell } = page();
  tell(thrownIn("markdown.js"), { window: "w1" });
  tell(new Error("again"), { window: "w1" });
  expect([...faults.get()]).toEqual([["w1", "thrown in markdown.js"]]);
  forgetFault("w1");
  tell(new Error("again"), { window: "w1" });
  expect(faults.get().get("w1")).toBe("again");
});

test("DESK-15: what is nobody's is a notice, the same once a minute, and four in all", () => {
  vi.setSystemTime(new Date("2030-01-01T00:00:00Z"));
  const { notices, tell } = page();
  for (const _ of [1, 2, 3]) tell(thrownIn("markdown.js"));
  tell(thrownIn("app-A.js")); // it has no window any more
  expect(notices).toEqual(["thrown in markdown.js", "thrown in app-A.js"]);
  for (let n = 1; n < 100; n++) tell(new Error(`number ${n}`));
  expect(notices.slice(2)).toEqual(["number 1", "number 2"]);
  vi.advanceTimersByTime(60_000);
  tell(thrownIn("markdown.js"));
  expect(notices.at(-1)).toBe("thrown in markdown.js");
  expect(faults.get().size).toBe(0);
});
