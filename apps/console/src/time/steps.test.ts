import type { Entry } from "@choiros/contract";
import { describe, expect, test } from "vitest";
import { ComputerApi } from "../server/computer-api.ts";
import { Server } from "../server/server.ts";
import type { Moment } from "../server/shapes.ts";
import { History } from "./history.ts";
import { stepsBetween } from "./steps.ts";
import { Tree } from "./tree.ts";

const file = (size: number): Entry => ({ hash: "0a".repeat(32), kind: "file", mode: 0o644, size });
const moment = (seq: number, type: string, payload: object): Moment => ({
  event: {
    ...{ v: 1, id: `e-${seq}`, seq, ts: "2026-03-01T08:00:00.000Z", user_id: "ada", source: "user", type },
    payload: { ...payload },
    hash: "0a".repeat(32),
  },
});
const write = (seq: number, path: string, before: Entry | null, after: Entry | null) =>
  moment(seq, "file.write", { changes: [{ after, before, path }] });

const EVENTS = [
  moment(1, "log.created", { log_id: "log" }),
  write(2, "workspace/a", null, file(1)),
  write(3, "workspace/b", null, file(2)),
  write(4, "workspace/a", file(1), file(3)),
  moment(5, "files.changed", { by: "command", count: 200, list: { hash: "0a".repeat(32), size: 9 } }),
];

/** A history that has heard of these from the first on. */
function heard(): History {
  const history = new History(new ComputerApi(new Server(), "ada"));
  history.add(EVENTS);
  return history;
}

describe("CONSOLE-7: a tree moved by the events at hand", () => {
  test("is, either way, what the events say", () => {
    const tree = new Tree();
    const go = (from: number, to: number) => {
      for (const step of stepsBetween(heard(), from, to) ?? []) tree.apply(step);
      return tree
        .rows(new Set(["workspace"]))
        .map(({ name, entry }) => [name, entry.kind === "file" ? entry.size : "-"]);
    };
    expect(go(1, 4)).toEqual([
      ["workspace", "-"],
      ["a", 3],
      ["b", 2],
    ]);
    expect(go(4, 2)).toEqual([
      ["workspace", "-"],
      ["a", 1],
    ]);
    expect(go(2, 1)).toEqual([["workspace", "-"]]);
  });

  test("is not moved past an event that isn't here, or whose changes aren't in it", () => {
    expect(stepsBetween(heard(), 3, 5)).toBeUndefined();
    expect(stepsBetween(heard(), 4, 6)).toBeUndefined();
    expect(stepsBetween(heard(), 1, 5000)).toBeUndefined();
  });
});
