import fc from "fast-check";
import { expect, test } from "vitest";
import { parseWhen } from "./when.ts";

/** A Monday, by the clock on the wall. */
const NOW = new Date("2026-11-16T12:00:00");
const at = (time: string) => ({ time: new Date(time).toISOString() });

test.each([
  ["event 120", { event: 120 }],
  ["#7", { event: 7 }],
  ["7", { event: 7 }],
  ["10 minutes ago", at("2026-11-16T11:50:00")],
  ["two hours ago", at("2026-11-16T10:00:00")],
  ["half an hour ago", at("2026-11-16T11:30:00")],
  ["an hour", at("2026-11-16T11:00:00")],
  ["3 days ago", at("2026-11-13T12:00:00")],
  ["a week ago", at("2026-11-09T12:00:00")],
  ["yesterday 14:00", at("2026-11-15T14:00:00")],
  ["Yesterday at 2:30 pm", at("2026-11-15T14:30:00")],
  ["yesterday", at("2026-11-15T23:59:59.999")],
  ["today", at("2026-11-16T00:00:00")],
  ["9:30", at("2026-11-16T09:30:00")],
  ["14:00", at("2026-11-15T14:00:00")],
  ["at 2pm", at("2026-11-15T14:00:00")],
  ["noon", at("2026-11-16T12:00:00")],
  ["friday 9:00", at("2026-11-13T09:00:00")],
  ["last monday", at("2026-11-09T23:59:59.999")],
  ["2026-11-01 9.30", at("2026-11-01T09:30:00")],
  ["2026-10-31", at("2026-10-31T23:59:59.999")],
])("%j is a moment", (text, when) => {
  expect(parseWhen(text, NOW)).toEqual(when);
});

test.each([
  ["event 0"],
  ["tomorrow"],
  ["2027-01-01"],
  ["today 15:00"],
  ["2026-02-31"],
  ["25:00"],
  ["13pm"],
  ["zero days ago"],
  ["many days ago"],
  ["the beginning"],
  [""],
])("%j is none", (text) => {
  expect(parseWhen(text, NOW)).toBeUndefined();
});

test("a moment has been, whatever the words and the time", () => {
  const word = fc.constantFrom(
    "event",
    "#",
    "12",
    "999999",
    "half an",
    "hour",
    "years ago",
    "at",
    "23:59",
    "monday",
    "am",
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(word, { maxLength: 4 }).map((words) => words.join(" ")),
  );
  const now = fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(text, now, (said, moment) => {
      const when = parseWhen(said, moment);
      if (when !== undefined && "time" in when)
        expect(new Date(when.time).getTime()).toBeLessThanOrEqual(moment.getTime());
    }),
  );
});
