import { expect, test } from "vitest";
import { targetArgument } from "./target-argument.ts";

test.each([
  ["12", { seq: 12 }],
  ["call:01k2", { call: "01k2" }],
  ["task:t-1", { task: "t-1" }],
  ["ask:a_1", { ask: "a_1" }],
])("the target %j is understood", (word, target) => {
  expect(targetArgument(word)).toEqual(target);
});

test.each(["", "0", "-1", "1.5", "12a", "call:", "call:a b", "call:a\nb", "event:12", "since:3", "9".repeat(20)])(
  "the target %j is refused",
  (word) => {
    expect(() => targetArgument(word)).toThrow("TARGET is the number of an event, or call:ID, task:ID or ask:ID");
  },
);
