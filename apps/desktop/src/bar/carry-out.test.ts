import { ACTION_TYPES, type Json } from "@choiros/contract";
import { expect, onTestFinished, test, vi } from "vitest";
import type { DeskApi } from "../desk/api.ts";
import type { NewNotice } from "../desk/notices.ts";
import { Watched } from "../watched.ts";
import { carryOut, lackOf } from "./carry-out.ts";

const OUTCOME = { ok: true, call: "c1", changed: 1, notes: [], seq: 9 };
const file = (key: string) => ({ key, entry: { kind: "file" }, seq: 1 });
const TS = "2026-01-01T00:00:00.000Z";

interface Answers {
  readonly connection?: "lost";
  readonly list?: readonly string[];
  readonly read?: Response;
  readonly find?: readonly string[];
  /** Of what is taken back. */
  readonly refuses?: boolean;
  /** Of what is written, and when. */
  readonly outcome?: Promise<unknown>;
  /** The first list takes its time, and those after it don't. */
  readonly slow?: boolean;
  /** Of a line for a shell. */
  readonly ran?: Promise<unknown>;
  readonly events?: readonly {
    readonly seq: number;
    readonly type: string;
    readonly payload: Json;
    readonly cause?: Json;
  }[];
}

/** A desk that only remembers what was asked of it. */
function fakeDesk({ connection, list = [], find = [], events = [], read, refuses, outcome, ran, slow }: Answers) {
  let isFirst = slow === true;
  const asked: unknown[][] = [];
  const calls = new Watched<ReadonlyMap<string, Json>>(new Map());
  const remember =
    <Answer>(name: string, answer: Answer) =>
    (...words: unknown[]) => {
      asked.push([name, ...words]);
      return answer;
    };
  const api = {
    files: {
      list: async () => {
        const takesLong = isFirst;
        isFirst = false;
        if (takesLong) await new Promise(setImmediate);
        return list.map(file);
      },
      find: async () => find.map(file),
      read: async () => read,
      arrange: remember("arrange", outcome ?? Promise.resolve(OUTCOME)),
      write: remember("write", outcome ?? Promise.resolve(OUTCOME)),
    },
    events: async (query: Json, { onItem }: { onItem(moment: Json): void }) => {
      asked.push(["events", query]);
      for (const event of events)
        onItem({
          event: { v: 1, ts: TS, id: `e${event.seq}`, user_id: "ada", source: "user", hash: "0".repeat(64), ...event },
        });
    },
    connection: new Watched(connection ?? "live"),
    head: () => 9,
    open: remember("open", "w1"),
    openFile: remember("openFile", "w1"),
    notify: remember("notify", { remove: remember("remove", undefined), replace: () => {} }),
    notifyDone: remember("notifyDone", undefined),
    calls,
    run: remember("run", ran ?? Promise.resolve({ ...OUTCOME, exit: 0, how: "exited" })),
    undo: remember("undo", Promise.resolve(refuses === true ? { ok: false, message: "no" } : OUTCOME)),
    later: () => api,
  } as unknown as DeskApi; // as far as the bar uses it
  const windowing = {
    showDesktop: remember("showDesktop", undefined),
    closeFront: remember("closeFront", undefined),
    frontKey: () => "workspace/front.md",
  };
  const say = remember("say", Promise.resolve(true));
  const propose = remember("propose", undefined);
  return { asked, calls, say: (text: string) => carryOut(text, { api, windowing, say, propose }) };
}

test("DESK-44: a new document gets a name that is free, and is opened", async () => {
  const { asked, say } = fakeDesk({ list: ["workspace/letter.md"] });
  await say("new doc letter");
  expect(asked).toEqual([
    ["arrange", [{ file: { key: "workspace/letter 2.md" } }]],
    ["notifyDone", "letter 2.md is made", OUTCOME],
    ["openFile", "workspace/letter 2.md"],
  ]);
});

test("DESK-44: a new folder gets a name that is free, too, and that name is told", async () => {
  const { asked, say } = fakeDesk({ list: ["workspace/letters"] });
  await say("new folder workspace/letters");
  expect(asked).toEqual([
    ["arrange", [{ folder: { key: "workspace/letters 2" } }]],
    ["notifyDone", "letters 2 is made", OUTCOME],
  ]);
});

test("DESK-46: exactly the name of an app or of one file opens it; several are shown, and after 'ask' it is an ask", async () => {
  const { asked, say } = fakeDesk({ find: ["workspace/w/Read me.md", "workspace/read me.md.txt"] });
  await say("Editor");
  await say("keys");
  await say("read me.md");
  await say("read me");
  await say("ask editor");
  expect(asked).toEqual([
    ["open", "editor"],
    ["open", "keys"],
    ["openFile", "workspace/w/Read me.md", "file"],
    ["say", "read me", []],
    ["say", "editor", []],
  ]);
  const two = fakeDesk({ find: ["workspace/a/x.md", "workspace/b/x.md"] });
  await two.say("x.md");
  await two.say("b/x.md");
  expect(two.asked).toEqual([
    ["open", "files", { key: "workspace", find: "x.md" }],
    ["openFile", "workspace/b/x.md", "file"],
  ]);
});

test("DESK-46: an app whose windows each show something of their own is opened by no name", async () => {
  const { asked, say } = fakeDesk({});
  expect(await say("open Ask")).toBe(false);
  expect(await say("open course")).toBe(false);
  await say("course");
  expect(asked.map(([name]) => name)).toEqual(["notify", "notify", "say"]);
});

test("DESK-45: what is to be opened and isn't there may be an ask: that is offered, with the whole line", async () => {
  const { asked, say } = fakeDesk({});
  expect(await say("open the other file for me")).toBe(false);
  const notice = asked[0]?.[1] as NewNotice; // the only one
  expect(notice).toMatchObject({ text: "There is no file, folder or app “the other file for me”.", kind: "wrong" });
  expect(notice.action?.label).toBe("Ask this instead");
  notice.action?.run();
  await expect.poll(() => asked.at(-1)).toEqual(["say", "open the other file for me", []]);
});

test("DESK-22: what is no picture becomes no wallpaper; one that is there can be removed", async () => {
  vi.stubGlobal(
    "Image",
    class {
      decode = () => Promise.reject(new Error("no picture"));
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const { asked, say } = fakeDesk({ find: ["workspace/names.txt"], read: new Response("Ada") });
  expect(await say("wallpaper names.txt")).toBe(false);
  const text = "names.txt can't be the wallpaper: it is no picture that this browser can show.";
  expect(asked).toEqual([["notify", { text, kind: "wrong" }]]);
  const worn = fakeDesk({ list: ["artifacts/system/wallpaper"] });
  await worn.say("wallpaper none");
  expect(worn.asked).toEqual([
    ["arrange", [{ remove: { key: "artifacts/system/wallpaper" } }]],
    ["notifyDone", "The wallpaper is removed", OUTCOME],
  ]);
});

test("DESK-44: what is to be opened is an app by its name, else the file that fits exactly, else the best one", async () => {
  const { asked, say } = fakeDesk({ find: ["workspace/about us.md", "workspace/us.md"] });
  await say("open about this computer");
  await say("open us.md");
  await say("open us");
  expect(asked).toEqual([
    ["open", "about"],
    ["openFile", "workspace/us.md", "file"],
    ["openFile", "workspace/about us.md", "file"],
  ]);
});

test("DESK-44: a folder that every computer has is opened as it is, and no file for the name of a folder that it lies in", async () => {
  const { asked, say } = fakeDesk({ find: ["workspace/a/b.md"] });
  await say("open workspace");
  await say("open artifacts/");
  expect(await say("open a/")).toBe(false);
  const [first, second, third] = asked;
  expect([first, second]).toEqual([
    ["open", "files", { find: "", key: "workspace" }],
    ["open", "files", { find: "", key: "artifacts" }],
  ]);
  expect(third?.[0]).toBe("notify");
});

test("DESK-44: undo takes back the last thing that was done, by its call; with nothing done it says so", async () => {
  const entry = { hash: "0".repeat(64), kind: "file", mode: 420, size: 1 };
  const write = { type: "file.write", payload: { changes: [{ path: "workspace/a", before: null, after: entry }] } };
  const { asked, say } = fakeDesk({ events: [{ seq: 4, ...write, cause: { call: "c4" } }, { seq: 3, ...write }] }); // biome-ignore format: in one line
  await say("undo");
  expect(asked).toContainEqual(["undo", { call: "c4" }]);
  await say("undo that");
  const query = { newest: true, type: [...ACTION_TYPES], key: "workspace/front.md" };
  expect(asked).toContainEqual(["events", expect.objectContaining(query)]);
  await say("undo 9999");
  expect(asked.at(-1)).toEqual(["notify", { text: "There is no event 9999.", kind: "wrong" }]);
  const idle = fakeDesk({});
  await idle.say("undo");
  expect(idle.asked.at(-1)).toEqual(["notify", { text: "There is nothing to undo." }]);
});

test("DESK-44: undo that is said before the last thing is done waits for that, and several are carried out one after another", async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const { asked, say } = fakeDesk({ outcome: promise });
  const said = ["new folder q", "undo", "redo", "go back to event 7"].map(say);
  await say("help");
  expect(asked.map(([name]) => name)).toEqual(["open", "arrange"]); // neither waits
  resolve(OUTCOME);
  await Promise.all(said);
  expect(asked.slice(2).map(([name, about]) => (name === "notify" ? about : name))).toEqual([
    ...["notifyDone", "events", "events", { text: "There is nothing to undo." }],
    ...["events", { text: "There is nothing to redo." }],
    ...["events", { text: "This computer isn't that old.", kind: "wrong" }],
  ]);
});

test("DESK-44: what is said behind an undo that stands in line waits for it, so that it isn't what is taken back", async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const { asked, say } = fakeDesk({ connection: "lost", outcome: promise });
  const said = ["new folder x1", "undo", "new folder x2", "run touch x3", "write a poem"].map(say);
  await say("help");
  const done = () => asked.map(([name]) => name).filter((name) => name !== "notify" && name !== "remove");
  expect(done()).toEqual(["open", "arrange"]);
  const told = asked.flatMap(([name, about]) => (name === "notify" ? [(about as { text: string }).text] : [])); // as it was told
  expect(told.at(-1)).toBe("“write a poem” waits for the connection");
  resolve(OUTCOME);
  await Promise.all(said);
  expect(done().slice(2, 4)).toEqual(["notifyDone", "events"]);
  expect(done().slice(-5).sort()).toEqual(["arrange", "events", "notifyDone", "run", "say"]);
});

test("DESK-44: what is said at once is done in the order in which it is said, however long each takes to begin", async () => {
  const { asked, say } = fakeDesk({ slow: true });
  await Promise.all(["new doc a", "new folder b", "theme dark"].map(say));
  const done = asked.flatMap(([name, about]) =>
    name === "arrange" || name === "write" ? [JSON.stringify(about)] : [],
  );
  expect(done).toEqual([
    expect.stringContaining("workspace/a.md"),
    expect.stringContaining("workspace/b"),
    expect.stringContaining("theme.json"),
  ]);
});

test("DESK-44: an undo waits for a line that was said at once before it, and not for one that runs already", async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const { asked, calls, say } = fakeDesk({ ran: promise });
  const said = ["run sleep 9", "undo"].map(say);
  await say("help");
  const call = asked.flatMap(([name, , options]) => (name === "run" ? [(options as { call: string }).call] : []))[0]; // as it was called
  expect(asked.map(([name]) => name)).not.toContain("events");
  calls.set(new Map([[call ?? "", {}]]));
  await new Promise(setImmediate);
  expect(asked.map(([name]) => name)).not.toContain("events");
  const later = fakeDesk({ ran: promise });
  const running = later.say("run sleep 9");
  await new Promise(setImmediate);
  const other = later.asked.flatMap(([name, , options]) =>
    name === "run" ? [(options as { call: string }).call] : [],
  )[0]; // as it was called
  later.calls.set(new Map([[other ?? "", {}]]));
  await Promise.resolve();
  await later.say("undo");
  expect(later.asked.map(([name]) => name)).toContain("events");
  expect(asked.map(([name]) => name)).not.toContain("events");
  resolve({ ...OUTCOME, exit: 0, how: "exited" });
  await Promise.all([...said, running]);
  expect(asked.map(([name]) => name)).toContain("events");
});

test("DESK-44: where everything is taken back already, undo says so, and offers to do the last of it again", async () => {
  const payload = { changes: [{ key: "a", before: 1, after: null }], target: { call: "c4" } };
  const { asked, say } = fakeDesk({ events: [{ seq: 5, type: "undo", payload }] });
  await say("undo");
  const text = "Everything is taken back already: redo does it again.";
  expect(asked.at(-1)).toMatchObject(["notify", { text, action: { label: "Redo" } }]);
});

test("DESK-44: redo does again what was taken back, and is told as that", async () => {
  const payload = { changes: [{ key: "a", before: 1, after: null }], target: { call: "c4" } };
  const { asked, say } = fakeDesk({ events: [{ seq: 5, type: "undo", payload }] });
  await say("redo");
  expect(asked).toContainEqual(["undo", { seq: 5 }]);
  expect(asked.at(-1)).toMatchObject(["notify", { text: "Done again: settings" }]);
});

test("DESK-47: going back is proposed, not done: to the last event up to a time, or to an event that there is", async () => {
  const { asked, say } = fakeDesk({ events: [{ seq: 7, type: "message", payload: { text: "hi" } }] });
  await say("go back to 2020-01-01 14:00");
  expect(asked[0]?.[1]).toMatchObject({ newest: true, limit: 1 });
  expect(asked.at(-1)).toEqual(["propose", { since: 7, time: new Date(2020, 0, 1, 14).toISOString() }]);
  await say("go back to event 7");
  expect(asked.at(-1)).toEqual(["propose", { since: 7, time: TS }]);
  await say("go back to event 9999");
  expect(asked.at(-1)).toEqual(["notify", { text: "There is no event 9999.", kind: "wrong" }]);
  const young = fakeDesk({});
  await young.say("go back to 2 years ago");
  expect(young.asked.at(-1)).toEqual(["notify", { text: "This computer isn't that old.", kind: "wrong" }]);
});

test("DESK-45: what is no command is said as it is, with the files that it names", async () => {
  const { asked, say } = fakeDesk({ find: ["workspace/a.md", "workspace/w/my b.md", "workspace/my b.md"] });
  await say('compare @workspace/a.md with @"my b.md"');
  expect(asked).toEqual([["say", 'compare @workspace/a.md with @"my b.md"', ["workspace/a.md", "workspace/my b.md"]]]);
});

test("DESK-101: an @ that names no file is a part of the text", async () => {
  const { asked, say } = fakeDesk({ find: ["workspace/noon/x.md"] });
  await say("meet me @noon, or write to ada@home.org");
  expect(asked).toEqual([["say", "meet me @noon, or write to ada@home.org", []]]);
});

test("DESK-101: where nothing comes of what was typed, why is said, and it can be said better", async () => {
  const { asked, say } = fakeDesk({});
  for (const text of ["open nonsense", "wallpaper nope.jpg", "undo 9999"]) expect(await say(text)).toBe(false);
  expect(asked.map(([name]) => name)).toEqual(["notify", "notify", "notify"]);
  expect(await say("help")).toBe(true);
  expect(await fakeDesk({ refuses: true }).say("undo 1")).toBe(false);
  expect(await fakeDesk({}).say("undo 1")).toBe(true);
  const outcome = Promise.resolve({ ok: false, reason: "conflict", message: "the disk is full" });
  for (const text of ["new doc x", "new folder x", "theme light"])
    expect(await fakeDesk({ outcome }).say(text)).toBe(false);
  expect(await fakeDesk({ outcome, list: ["artifacts/system/wallpaper"] }).say("wallpaper none")).toBe(false);
  for (const text of ["/", '"', " @ "]) expect(lackOf(text)).toContain("Say what you want in words");
});

test("DESK-21: what waits for the connection says so until it is done", async () => {
  const { asked, say } = fakeDesk({ connection: "lost" });
  await say("new doc x");
  await say("what is that?");
  expect(asked.map(([name]) => name)).toEqual([
    ...["notify", "arrange", "notifyDone", "openFile", "remove"],
    ...["notify", "say", "remove"],
  ]);
  expect(asked[0]?.[1]).toEqual({ text: "“new doc x” waits for the connection", progress: "unknown" });
  await say("settings");
  expect(asked.at(-1)?.[0]).toBe("open");
});

test("DESK-43: a command that lacks something is answered with that, and nothing is done", async () => {
  const { asked, say } = fakeDesk({});
  expect(lackOf("open")).toBe("open needs the name of a file, a folder or an app");
  expect(lackOf("open a.md")).toBeUndefined();
  expect(lackOf("new doc ../x")).toContain("“..” means a folder already");
  expect(lackOf("new folder /")).toBe("A name needs at least one character.");
  expect(lackOf("new folder /abs/x")).toBe("“/abs/x” begins with a slash: say it from your workspace on, as “abs/x”.");
  expect(lackOf("theme blue")).toBe("theme needs 'light', 'dark' or 'system'");
  expect(lackOf("x".repeat(200_000))).toBeUndefined();
  expect(lackOf("x".repeat(200_001))).toMatch(
    /^That is too long: no more than 200,000 characters .* name that with @\.$/,
  );
  expect(lackOf("ask  ")).toBe("ask needs what you want, in words");
  await say("open");
  await say("ask ");
  await say("new doc x/");
  expect(asked).toEqual([]);
});
