import { expect, test } from "vitest";
import { isForTask, reasonOf } from "./approval-reason.ts";

test("CONSOLE-23: what a call is to do is told in words, and all that it was given as text", () => {
  expect(reasonOf('write_file {"path":"b.txt","content":"one\\ntwo\\n"}')).toEqual({
    does: "To write a file",
    given: [
      ["path", "b.txt"],
      ["content", "one\ntwo\n"],
    ],
  });
  expect(reasonOf('bash {"command":"curl example.org","timeout_s":5}')).toEqual({
    does: "To run a command",
    given: [
      ["command", "curl example.org"],
      ["timeout_s", "5"],
    ],
  });
  expect(reasonOf("anew {}")).toEqual({ does: "To use anew", given: [] });
});

test("CONSOLE-23: a sentence, and a call that was cut off, are shown as they are", () => {
  for (const why of ["Fetch the page and keep it.", 'write_file {"path":"b', "see {this}"])
    expect(reasonOf(why)).toBeUndefined();
});

test("CONSOLE-23: what is asked for before a task is told from what a step of it asks for", () => {
  expect(isForTask({ cause: { ask: "a", call: "t", task: "t" } })).toBe(true);
  expect(isForTask({ cause: { ask: "a", call: "c", task: "t" } })).toBe(false);
  expect(isForTask({ cause: {} })).toBe(false);
});
