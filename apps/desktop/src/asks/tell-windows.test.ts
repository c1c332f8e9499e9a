import { newId } from "@choiros/contract";
import { expect, test } from "vitest";
import type { DeskApi } from "../desk/api.ts";
import type { NewNotice } from "../desk/notices.ts";
import type { Moment } from "../desk/socket.ts";
import { tellWindows } from "./tell-windows.ts";

function stage(front: string) {
  const told: NewNotice[] = [];
  const opened: unknown[] = [];
  let follower: (moments: readonly Moment[]) => void = () => {};
  const api = {
    follow(next: typeof follower) {
      follower = next;
      return () => {};
    },
    notify(notice: NewNotice) {
      told.push(notice);
      return { dismiss: () => told.splice(told.indexOf(notice), 1), remove() {}, replace() {} };
    },
    open: (app: string, args: unknown) => opened.push([app, args]),
  } as unknown as DeskApi; // no more of it is used
  tellWindows(api, (window) => window === front);
  const opens = (ids: string, source = "agent", type = "window.open") => {
    const changes = ids.split(" ").map((id) => {
      const value = { app: "editor", args: { key: `workspace/${id}.md` }, box: { x: 0, y: 0, w: 9, h: 9 } };
      return { key: `window.${id}`, before: null, after: { ...value, state: "normal", title: `${id}.md`, z: 1 } };
    });
    const event = {
      ...{ v: 1, id: newId(), seq: 1, ts: new Date().toISOString(), user_id: "ada", hash: "0".repeat(64) },
      ...{ source, type, cause: { ask: "a" }, payload: { changes } },
    };
    follower([{ event: event as Moment["event"] }]); // as the server sends it
  };
  return { told, opened, opens };
}

test("ASKS-9: a window that an agent opened behind the front one is told of, and shown by a press; of an ask the last one", () => {
  const { told, opened, opens } = stage("mine");
  opens("a");
  opens("b");
  expect(told.map(({ text }) => text)).toEqual(["“b.md” is open behind your window"]);
  told[0]?.action?.run();
  expect(opened).toEqual([["editor", { key: "workspace/b.md" }]]);
});

test("ASKS-9: where the front window made place for the one behind it, that one is told of", () => {
  const { told, opens } = stage("mine");
  opens("a mine");
  expect(told.map(({ text }) => text)).toEqual(["“a.md” is open behind your window"]);
});

test("ASKS-9: what is in front by that, or was opened by the user, is seen and not told", () => {
  const { told, opens } = stage("a");
  opens("a");
  opens("b", "user");
  opens("b", "agent", "window.change");
  expect(told).toEqual([]);
});
