import { expect, test } from "vitest";
import type { DeskApi } from "../desk/api.ts";
import { changeLayout, tellChanged } from "./change-system.ts";

const KEY = "artifacts/system/layout.json";
const GOOD = { icons: [{ app: "files", column: 3, row: 2 }], taskbar: { place: "top", pinned: ["timeline"] } };
const BROKEN = '{"icons": [';

/** A desk with these versions of the layout, the newest first, that remembers what was written and said. */
function fakeDesk(...versions: readonly (string | null)[]) {
  const written: string[] = [];
  const told: unknown[] = [];
  const entry = (text: string) => ({ kind: "file", hash: text, mode: 420, size: text.length });
  const [now = null] = versions;
  const api = {
    files: {
      list: async () => (now === null ? [] : [{ key: KEY, entry: entry(now), seq: versions.length }]),
      read: async (_key: string, { at = versions.length } = {}) => new Response(versions[versions.length - at]),
      history: async () =>
        versions.map((text, i) => ({ entry: text === null ? null : entry(text), seq: versions.length - i })),
      write: async (_key: string, text: string) => {
        written.push(text);
        return { ok: true, call: "c1", changed: 1, notes: [], seq: 9 };
      },
    },
    notifyDone: (...words: unknown[]) => void told.push(words),
  } as unknown as DeskApi; // as far as it is used here
  return { api, told, written: () => JSON.parse(written.at(-1) ?? "") };
}

test("DESK-22: a gesture over a broken layout starts from the last good one, and says so with its undo", async () => {
  const { api, told, written } = fakeDesk(BROKEN, '{"icons": 1}', JSON.stringify(GOOD));
  const outcome = await changeLayout(api, async ({ taskbar }) => ({ taskbar: { ...taskbar, place: "bottom" } }));
  expect(written()).toEqual({ ...GOOD, taskbar: { ...GOOD.taskbar, place: "bottom" } });
  tellChanged(api, outcome);
  const note = `/${KEY} couldn't be used: it is written anew, from the last good one.`;
  expect(told).toMatchObject([["The desktop is changed", { ok: true, call: "c1", notes: [note] }]]);
});

test("DESK-36: each change begins with what the one before it wrote, also where that one couldn't be written", async () => {
  let text = JSON.stringify({ icons: [] });
  const api = {
    files: {
      list: async () => [{ key: KEY, entry: { kind: "file", hash: text, mode: 420, size: text.length }, seq: 1 }],
      read: async () => new Response(text),
      write: async (_key: string, next: string) => {
        if (next.includes("editor")) throw new Error("no room");
        text = next;
        return { ok: true, call: "c1", changed: 1, notes: [], seq: 9 };
      },
    },
  } as unknown as DeskApi; // as far as it is used here
  const put = (app: string) =>
    changeLayout(api, async ({ icons = [] }) => ({ icons: [...icons, { app, column: 0, row: icons.length }] }));
  await Promise.allSettled(["help", "asks", "editor", "timeline"].map(put));
  expect(JSON.parse(text).icons).toMatchObject([{ app: "help" }, { app: "asks" }, { app: "timeline" }]);
});

test("DESK-22: one that had been taken away before is none, and a good one is changed without a word", async () => {
  const gone = fakeDesk(BROKEN, null, JSON.stringify(GOOD));
  await changeLayout(gone.api, { taskbar: { place: "top" } });
  expect(gone.written()).toEqual({ taskbar: { place: "top" } });
  const { api, told, written } = fakeDesk(JSON.stringify(GOOD), BROKEN);
  tellChanged(api, await changeLayout(api, { icons: [] }));
  expect(written()).toEqual({ ...GOOD, icons: [] });
  expect(told).toEqual([]);
});
