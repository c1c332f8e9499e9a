import { expect, test } from "vitest";
import { answersFor } from "./approval-answers.ts";

test("CONSOLE-23: to allow for good is offered to the server's owner alone, and says how far it reaches", () => {
  expect(answersFor(true).map(([decision]) => decision)).toEqual(["once", "task", "always", "denied"]);
  expect(answersFor(true).find(([decision]) => decision === "always")?.[1]).toContain("all computers of this server");
  expect(answersFor(false).map(([decision]) => decision)).toEqual(["once", "task", "denied"]);
});
