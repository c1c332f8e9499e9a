import { expect, test } from "vitest";
import { OPERATIONS } from "../operations/index.ts";
import { offered } from "./offered.ts";

/** Who may do what over a socket: a desk's token opens the first two rows. */
const TABLE = {
  read: "agents cat diff events files find histories history listen output rows settings unfinished verify",
  act: "arrange change-settings change-windows exec leave-ask preview restore resume-ask rm say undo",
  keep: "answer rebuild",
  nobody: "add attend export import write",
};

test("LIVE-9: every operation is in the table of who may do it over a socket, and in no other row", () => {
  const rows = Object.entries(TABLE).flatMap(([who, names]) => names.split(" ").map((name) => [name, who] as const));
  const found = [...OPERATIONS.keys()].map((name) => [name, offered(name)?.entrance ?? "nobody"] as const);
  expect(new Map(found)).toEqual(new Map(rows));
});
