import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Notices } from "./notices.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const inSight = (notices: Notices) =>
  notices.list
    .get()
    .filter(({ fresh }) => fresh)
    .map(({ text }) => text);

test("DESK-33: a notice goes out of sight when it is dismissed or read, and stays in the history until that is cleared", () => {
  const notices = new Notices();
  notices.add({ text: "one" }).dismiss();
  notices.add({ text: "two" });
  expect(inSight(notices)).toEqual(["two"]);
  notices.readAll();
  expect(inSight(notices)).toEqual([]);
  expect(notices.list.get().map(({ text }) => text)).toEqual(["one", "two"]);
  notices.clear();
  expect(notices.list.get()).toEqual([]);
});

test("DESK-33: what isn't over is kept for the taskbar until it says that it is", () => {
  const notices = new Notices();
  const posted = notices.add({ text: "1 of 2", progress: 0.5 });
  notices.readAll();
  notices.clear();
  expect(inSight(notices)).toEqual([]);
  expect(notices.list.get()).toMatchObject([{ text: "1 of 2", progress: 0.5 }]);
  posted.replace({ text: "done", kind: "good" });
  expect(notices.list.get()).toMatchObject([{ text: "done", kind: "good", fresh: true }]);
  notices.readAll();
  expect(inSight(notices)).toEqual([]);
});

test("DESK-33: what isn't over is in sight for six seconds from when it began, however often it says how far it is", () => {
  const notices = new Notices();
  const action = { label: "Stop", run() {} };
  const posted = notices.add({ text: "1 of 9", progress: 0.1, action });
  for (let i = 2; i < 7; i++) {
    vi.advanceTimersByTime(1000);
    posted.replace({ text: `${i} of 9`, progress: i / 9, action });
  }
  expect(inSight(notices)).toEqual(["6 of 9"]);
  vi.advanceTimersByTime(1000);
  expect(inSight(notices)).toEqual([]);
  posted.replace({ text: "7 of 9", progress: 7 / 9, action });
  expect(inSight(notices)).toEqual([]);
});

test("DESK-100: what ran before this page came is no news before it is over", () => {
  const notices = new Notices();
  const posted = notices.add({ text: "runs", progress: "unknown", aside: true });
  expect(inSight(notices)).toEqual([]);
  posted.replace({ text: "done" });
  expect(inSight(notices)).toEqual(["done"]);
});

test("DESK-33: what isn't over and was dismissed isn't in sight again before it is over, however far it gets", () => {
  const notices = new Notices();
  const posted = notices.add({ text: "1 of 3", progress: 0.3 });
  posted.dismiss();
  posted.replace({ text: "2 of 3", progress: 0.6 });
  expect(inSight(notices)).toEqual([]);
  posted.replace({ text: "done" });
  expect(inSight(notices)).toEqual(["done"]);
});

test("DESK-33: each notice is in sight for six seconds from when it came, whatever comes after it; one that can be answered for twelve", () => {
  const notices = new Notices();
  notices.add({ text: "first" });
  notices.add({ text: "answer me", action: { label: "Undo", run() {} } });
  vi.advanceTimersByTime(4000);
  notices.add({ text: "later" });
  vi.advanceTimersByTime(2000);
  expect(inSight(notices)).toEqual(["answer me", "later"]);
  vi.advanceTimersByTime(4000);
  expect(inSight(notices)).toEqual(["answer me"]);
  vi.advanceTimersByTime(2000);
  expect(inSight(notices)).toEqual([]);
});

test("DESK-33: at most four are in sight, and what gave way doesn't come back", () => {
  const notices = new Notices();
  notices.add({ text: "going on", progress: "unknown" });
  for (let i = 1; i <= 7; i++) notices.add({ text: `no ${i}` });
  expect(inSight(notices)).toEqual(["no 4", "no 5", "no 6", "no 7"]);
  vi.advanceTimersByTime(6000);
  expect(inSight(notices)).toEqual([]);
  expect(notices.list.get().length).toBe(8);
});

test("DESK-33: a notice that somebody is at stays, and leaves a moment after they do", () => {
  const notices = new Notices();
  notices.add({ text: "held" });
  const [{ id } = { id: 0 }] = notices.list.get();
  const release = notices.hold(id);
  for (let i = 1; i <= 5; i++) notices.add({ text: `no ${i}` });
  vi.advanceTimersByTime(30_000);
  expect(inSight(notices)).toEqual(["held"]);
  release();
  vi.advanceTimersByTime(1999);
  expect(inSight(notices)).toEqual(["held"]);
  vi.advanceTimersByTime(1);
  expect(inSight(notices)).toEqual([]);
});

test("DESK-33: what was going on has its time from when it is over", () => {
  const notices = new Notices();
  const posted = notices.add({ text: "1 of 2", progress: 0.5 });
  vi.advanceTimersByTime(60_000);
  posted.replace({ text: "done" });
  vi.advanceTimersByTime(5999);
  expect(inSight(notices)).toEqual(["done"]);
  vi.advanceTimersByTime(1);
  expect(inSight(notices)).toEqual([]);
});

test("DESK-33: what is wrong begins with a capital letter; a path, a name or a command stays as it is written", () => {
  const notices = new Notices();
  const texts = [
    "this would undo what came later",
    "workspace/a can't be used",
    "notes.md is gone",
    "“ls” ended with 1",
  ];
  for (const text of texts) notices.add({ text, kind: "wrong" });
  notices.add({ text: "docs is made", kind: "good" });
  expect(notices.list.get().map(({ text }) => text)).toEqual(["This would undo what came later", ...texts.slice(1), "docs is made"]); // biome-ignore format: in one line
});
