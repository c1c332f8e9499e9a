import { expect, test } from "vitest";
import { Inbox } from "./inbox.ts";

const none: ReadonlySet<string> = new Set();
const inbox = () => new Inbox(async () => "");

test("what is about to come keeps an inbox from closing until it is there", async () => {
  const box = inbox();
  expect(box.expect()).toBe(true);
  const closing = box.close(none);
  box.put({ id: "a", text: "Wait!" });
  expect(await closing).toBe(false);
  expect(await box.close(new Set(["a"]))).toBe(true);
  expect(box.expect()).toBe(false);
});

test("what was expected and doesn't come holds up nothing", async () => {
  const box = inbox();
  box.expect();
  const closing = box.close(none);
  box.forgo();
  expect(await closing).toBe(true);
});

test("whoever waits for more hears what comes, or that the waiting is over", async () => {
  const box = inbox();
  const ending = new AbortController();
  box.expect();
  const more = box.more(none, ending.signal);
  box.put({ id: "a", text: "Blue" });
  await more;
  expect(box.has(none)).toBe(true);
  const never = box.more(new Set(["a"]), ending.signal);
  ending.abort();
  await never;
});

test("what was said before and what comes are each there once", () => {
  const box = inbox();
  box.expect();
  box.put({ id: "b", text: "two" });
  box.remember([
    { id: "a", text: "one" },
    { id: "b", text: "two" },
  ]);
  expect(box.said().map(({ id }) => id)).toEqual(["a", "b"]);
});
