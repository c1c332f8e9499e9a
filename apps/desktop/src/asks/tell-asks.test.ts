import { newId } from "@choiros/contract";
import { expect, test } from "vitest";
import type { DeskApi } from "../desk/api.ts";
import type { NewNotice } from "../desk/notices.ts";
import type { Moment } from "../desk/socket.ts";
import { Watched } from "../watched.ts";
import { tellAsks } from "./tell-asks.ts";

function stage() {
  const told: string[] = [];
  const opened: unknown[] = [];
  let follower: (moments: readonly Moment[]) => void = () => {};
  let last: NewNotice | undefined;
  const api = {
    asks: { rows: new Watched(new Map()) },
    settings: { values: new Watched(new Map()) },
    follow(next: typeof follower) {
      follower = next;
      return () => {};
    },
    notify(notice: NewNotice) {
      last = notice;
      told.push(notice.text);
      return { dismiss: () => told.splice(told.indexOf(notice.text), 1), remove() {}, replace() {} };
    },
    open: (app: string, args: unknown) => opened.push([app, args]),
  } as unknown as DeskApi; // no more of it is used
  const happens = (type: string, payload: object, ask = "a") =>
    follower([
      {
        event: {
          ...{ v: 1, id: newId(), seq: 1, ts: new Date().toISOString(), user_id: "ada", hash: "0".repeat(64) },
          ...{ source: "agent", type, cause: { ask }, payload },
        } as Moment["event"], // as the server sends it
      },
    ]);
  return { api, told, opened, happens, last: () => last };
}

test("ASKS-7: what an ask came to, its question and what it needs is told, leads there, and goes where it is settled", () => {
  const { api, told, opened, happens, last } = stage();
  tellAsks(api, () => false, new Watched(0));
  happens("approval.asked", { approval: "p", covers: "network w3.org" });
  expect(told).toEqual(["Needs your approval, in the bar above: “An ask”"]);
  happens("approval.given", { approval: "p", decision: "once" });
  expect(told).toEqual([]);
  happens("ask.wondered", { question: "**Which**\none\u202e?" });
  expect(last()?.text).toMatch(/^“An ask” asks: Which one/);
  expect(last()?.text).not.toContain("\u202e");
  last()?.action?.run();
  expect(opened).toEqual([["course", { ask: "a" }]]);
  happens("ask.steered", { into: "a" }, "b");
  expect(told).toEqual([]);
  happens("ask.paused", { detail: "5 steps", why: "limit" });
  expect(told).toEqual(["“An ask” reached a limit. 5 steps"]);
  happens("ask.resumed", {});
  expect(told).toEqual([]);
  happens("ask.paused", { detail: "", why: "stopped" });
  expect(told).toEqual([]);
});

test("ASKS-7: what is to be approved is told line by line, a question in one line, with what can't be seen written out", () => {
  const { api, happens, last } = stage();
  tellAsks(api, () => false, new Watched(0));
  happens("approval.asked", { approval: "p", covers: "edit /artifacts/system\nnetwork w3.org\u202e" });
  const first = last();
  happens("ask.wondered", { question: "Which?\nThis, or that" }, "b");
  expect(last()?.text).toBe("“An ask” asks: Which? This, or that");
  expect(first?.brief).toBe("edit /artifacts/system, network w3.org\\u{202e}"); // all of it, also on a phone
  expect(first?.detail).toBe("edit /artifacts/system\nnetwork w3.org\\u{202e}");
});

test("ASKS-7: whoever has it in front isn't told what they see", () => {
  const { api, told, happens } = stage();
  tellAsks(api, (ask) => ask === "a", new Watched(0));
  happens("ask.wondered", { question: "Which?" });
  expect(told).toEqual([]);
  happens("approval.asked", { approval: "p", covers: "network w3.org" });
  happens("note.observed", { content: { hash: "0".repeat(64), size: 2 }, title: "Look here" });
  expect(told).toEqual([]);
  happens("ask.wondered", { question: "Which?" }, "b");
  happens("approval.asked", { approval: "q", covers: "network w3.org" }, "b");
  expect(told.length).toBe(2);
});

test("ASKS-7: what was told of an ask goes once its window is in front, however it came there", () => {
  const { api, told, happens } = stage();
  const windows = new Watched("none");
  tellAsks(api, (ask) => ask === windows.get(), windows);
  happens("approval.asked", { approval: "p", covers: "network w3.org" });
  happens("ask.answered", { answer: { hash: "0".repeat(64), size: 2 }, look: [], status: "done" });
  happens("ask.wondered", { question: "Which?" }, "b");
  happens("note.observed", { content: { hash: "0".repeat(64), size: 2 }, title: "Look here" });
  windows.set("c");
  expect(told.length).toBe(4);
  windows.set("a");
  expect(told).toEqual(["“An ask” asks: Which?"]);
});
