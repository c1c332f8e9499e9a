import { isForTask } from "@choiros/contract";
import { expect, test } from "vitest";
import { answersFor } from "./approval-answers.ts";

const decisions = (...asked: Parameters<typeof answersFor>) => answersFor(...asked).map(([decision]) => decision);

test("CONSOLE-23: to allow for good is offered to the server's owner alone, and says how far it reaches", () => {
  const own = { owner: true, beforeTask: false };
  expect(decisions(own)).toEqual(["once", "task", "always", "denied"]);
  expect(answersFor(own).find(([decision]) => decision === "always")?.[1]).toContain("all computers of this server");
  expect(decisions({ owner: false, beforeTask: false })).toEqual(["once", "task", "denied"]);
});

test("CONSOLE-23: before a task begins there is no step that could be allowed once", () => {
  expect(decisions({ owner: true, beforeTask: true })).toEqual(["task", "always", "denied"]);
});

test("CONSOLE-23: what is asked for before a task is told from what a step of it asks for", () => {
  expect(isForTask({ cause: { ask: "a", call: "t", task: "t" } })).toBe(true);
  expect(isForTask({ cause: { ask: "a", call: "c", task: "t" } })).toBe(false);
  expect(isForTask({ cause: {} })).toBe(false);
});
