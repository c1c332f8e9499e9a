import { type Json, shownKey, type Target } from "@choiros/contract";
import { appFor, appOf } from "../apps/registry.ts";
import { askConsole, linkToEvent } from "../console.ts";
import { waiting } from "../focus.ts";
import { putOnDesktop } from "../shell/change-icons.ts";
import { roomOf } from "../shell/icon-grid.ts";
import { shownMenu } from "../shell/menu.tsx";
import type { Windowing } from "../windows/windowing.ts";
import type { Choices, DeskApi, Opening } from "./api.ts";
import { deskAsks } from "./asks.ts";
import type { Desk } from "./desk.ts";
import { deskFiles } from "./files.ts";
import { Found, Moment, Outcome, Preview, Ran, Said } from "./shapes.ts";
import { takeBackNow, turning } from "./taken-back.ts";
import { turnsOf } from "./turns.ts";

/** What apps get of the desk. */
export function deskApi(desk: Desk, windowing: Windowing): DeskApi {
  const api: DeskApi = {
    get computer() {
      return desk.web.computer;
    },
    files: deskFiles(desk),
    settings: {
      values: desk.settings,
      change: async (values) => Outcome.parse(await desk.do("change-settings", { values })),
    },
    asks: deskAsks(desk),
    connection: desk.connection,
    undos: desk.undos,
    calls: desk.calls,
    head: () => desk.head,
    events: (query, { onItem, ...options }) =>
      desk.do("events", { ...query }, { ...options, reads: true, onItem: (item) => onItem(Moment.parse(item)) }),
    follow: (follower, restarted) => desk.follow(follower, restarted),
    async preview(target, choices, { lines = true, ...options } = {}) {
      const said: Said[] = [];
      const request = { choices: asked(choices), lines, target: plain(target) };
      const onItem = (item: Json) => said.push(Said.parse(item));
      const answer = Preview.parse(await desk.do("preview", request, { ...options, reads: true, onItem }));
      return { said, answer };
    },
    undo: async (target, choices) =>
      Outcome.parse(await desk.do("undo", { choices: asked(choices), target: plain(target) })),
    takeBack: (target, turn) => turnsOf(api).begin(() => takeBackNow(api, target, turn)),
    async run(line, { call, folder = "workspace", ...options } = {}) {
      const request = {
        argv: ["sh", "-c", line],
        cwd: folder,
        egress: "none",
        env: {},
        keep: false,
        limits: {},
        reads: false,
      };
      return Ran.parse(await desk.do("exec", request, { ...options, ...(call !== undefined && { id: call }) }));
    },
    listen: async (call, options) => Found.parse(await desk.do("listen", { call }, { ...options, reads: true })).found,
    stop: (call) => desk.stop(call),
    async running() {
      const moments: Moment[] = [];
      const onItem = (item: Json) => moments.push(Moment.parse(item));
      await desk.do("unfinished", {}, { reads: true, onItem });
      return moments.filter(({ event }) => event.type === "tool.call");
    },
    async output(seq, from, { part = "output", ...options } = {}) {
      let text = "";
      const decoder = new TextDecoder();
      const onOutput = (bytes: Uint8Array) => {
        text += decoder.decode(bytes, { stream: true });
      };
      const answer = await desk.do("output", { from, part, seq }, { ...options, reads: true, onOutput });
      return Found.parse(answer).found ? text + decoder.decode() : undefined;
    },
    ...opening(desk, windowing),
    later: () => opening(desk, windowing, waiting()),
    visit: (address) => askConsole({ visit: address }),
    putOnDesktop: (keys, at) => putOnDesktop({ api, room: roomOf(windowing.screen.get()) }, keys, at),
    showMenu: (menu) => shownMenu.set(menu),
    linkTo: (seq) => linkToEvent(desk.web.computer, seq),
    notify: (notice) => desk.notices.add(notice),
    notifyDone(text, outcome, show) {
      if (!outcome.ok) return void desk.notices.add({ text: outcome.message, kind: "wrong" });
      const [detail] = outcome.notes;
      desk.notices.add({
        text,
        kind: "good",
        ...(detail !== undefined && { detail }),
        ...(show !== undefined && { show }),
        ...(outcome.changed > 0 && { action: turning(api, { call: outcome.call }) }),
      });
    },
  };
  return api;
}

/** `waits`: whether what it opens gets the keys. */
function opening(desk: Desk, windowing: Windowing, waits = () => true): Opening {
  return {
    open(id, args) {
      const app = appOf(id);
      if (app !== undefined) return windowing.open(app, args, waits());
      desk.notices.add({ text: `There is no app “${id}” here.`, kind: "wrong" });
      return undefined;
    },
    openFile(key, kind = "file", wanted) {
      const app = wanted === undefined ? appFor(key, kind) : appOf(wanted);
      if (app !== undefined) return windowing.open(app, { key }, waits());
      desk.notices.add({ text: `No app here opens ${shownKey(key)}.`, kind: "wrong" });
      return undefined;
    },
  };
}

function asked(choices: Choices = new Map()): { readonly each: readonly (readonly [string, string])[] } {
  return { each: [...choices] };
}

/** A target is one of several shapes, each of them JSON. */
function plain(target: Target): { readonly [key: string]: Json } {
  return { ...target };
}
