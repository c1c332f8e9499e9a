import { expect, test } from "vitest";
import type { Moment } from "../../desk/socket.ts";
import { foldWords, headOf, whoInLine, whoOfEvent } from "./line-words.ts";

test("TIME-2: a fold says what it came from, how it ended and how much it changed", () => {
  const moments = [
    moment(5, "tool.result", { exit: 1, status: "failed" }),
    moment(4, "files.changed", { by: "command", count: 200, list: {} }),
    moment(3, "tool.call", { tool: "shell" }, "npm test"),
  ];
  expect(foldWords({ kind: "call", moments })).toEqual({
    icon: "command",
    text: "npm test",
    detail: "exit 1 · 200 changes",
  });
  expect(headOf({ kind: "ask", moments })).toBeUndefined();
  expect(foldWords({ kind: "ask", moments: moments.slice(0, 2) }, moment(1, "message", { text: "Make it" }))).toEqual({
    icon: "ask",
    text: "Make it",
    detail: "200 changes",
  });
});

test("TIME-2: an ask is told with how it stands, by the last of its own events", () => {
  const told = (...moments: Moment[]) =>
    foldWords({ kind: "ask", moments }, moment(1, "message", { text: "x" })).detail;
  const started = moment(2, "ask.started", { attempt: 1 });
  expect(told(moment(3, "task.finished", { status: "ok" }), started)).toBeUndefined();
  expect(told(moment(4, "ask.answered", { status: "done" }), started)).toBe("done");
  expect(told(moment(4, "ask.paused", { detail: "", why: "limit" }), started)).toBe("reached a limit");
  expect(told(moment(4, "ask.wondered", { question: "?" }), started)).toBeUndefined();
});

test("TIME-2: a command is told from whoever called it by hand, an agent's is the agent's, and what nobody here did is from outside", () => {
  const { event } = moment(4, "files.changed", { by: "command" });
  expect(whoOfEvent({ ...event, source: "user" })).toBe("command");
  expect(whoOfEvent({ ...event, source: "agent" })).toBe("agent");
  expect(whoOfEvent({ ...event, source: "system", payload: { by: "outside" } })).toBe("outside");
  expect(whoOfEvent({ ...event, source: "user", payload: { by: "desk" } })).toBe("user");
});

test("TIME-2: where something came from is said once", () => {
  const { event } = moment(4, "files.changed", { by: "outside" });
  const said = (source: "agent" | "system" | "user", by: string, detail?: string) =>
    whoInLine({ ...event, source, payload: { by } }, { isFold: false, detail });
  expect(said("system", "outside", "changed, from outside")).toBeUndefined();
  expect(said("user", "command", "new, by a command")).toBeUndefined();
  expect(said("agent", "command", "new, by a command")).toBe("agent");
  expect(said("system", "outside")).toBe("outside");
  expect(said("user", "desk", "new")).toBeUndefined();
});

test("FILES-16, TIME-2: what was done in parts is one line with all of it", () => {
  const part = (seq: number, count: number) => moment(seq, "file.delete", { count, list: {} });
  expect(foldWords({ kind: "call", moments: [part(3, 500), part(2, 1000), part(1, 1000)] })).toEqual({
    icon: "delete",
    text: "2,500 paths",
    detail: "deleted",
  });
});

test("TIME-2: several writes of one call are told by the newest, windows by how often", () => {
  const write = (seq: number) =>
    moment(seq, "file.write", {
      changes: [{ after: { kind: "dir", mode: 0o755 }, before: null, path: `workspace/${seq}.txt` }],
    });
  expect(foldWords({ kind: "call", moments: [write(3), write(2), write(1)] }).text).toBe("3.txt and 2 more events");
  expect(
    foldWords({ kind: "windows", moments: [moment(1, "window.open", {}), moment(2, "window.focus", {})] }),
  ).toEqual({ icon: "window", text: "Arranged windows", detail: "2 times" });
});

function moment(seq: number, type: string, payload: object, command?: string): Moment {
  return { ...(command !== undefined && { command }), event: { payload, seq, type } } as unknown as Moment; // only what is told
}
