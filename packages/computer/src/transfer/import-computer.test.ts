import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Draft } from "@choiros/contract";
import { expect, test } from "vitest";
import { openComputer } from "../open-computer.ts";
import { computerStage, type Desk, done, folderOfOurOwn } from "../testing/computer-stage.ts";
import { computerTree, diskTree } from "../testing/trees.ts";
import { importComputer } from "./import-computer.ts";

const stage = computerStage();
const elsewhere = folderOfOurOwn();

async function exported(): Promise<{ desk: Desk; file: string }> {
  const desk = await stage();
  await desk.write("d/run", "#!/bin/sh\n", { mode: 0o755 });
  await desk.write("d/run", "#!/bin/bash\n");
  desk.outside("empty/.keep", "");
  for (let i = 0; i < 120; i++) desk.outside(`many/${i}`, `${i}`);
  await desk.computer.capture();
  done(await desk.computer.move("workspace/d", "workspace/e"));
  const file = join(elsewhere(), "ada.choir");
  await desk.computer.exportTo(file);
  return { desk, file };
}

test("COMP-12: an import has the same events, the same state hash and the same bytes, under another id too", async () => {
  const { desk, file } = await exported();
  const root = join(elsewhere(), "bob");
  const imported = await importComputer({ file, root, userId: "bob" });
  const head = await desk.computer.log.head();
  expect(imported).toEqual({ ok: true, ...head, stateHash: await desk.computer.stateHash(), notes: [] });
  expect(diskTree(root)).toEqual(desk.disk());
  const opened = await openComputer({ root, userId: "bob" });
  if (!opened.ok) throw new Error(opened.message);
  const { computer } = opened;
  try {
    expect(computer.log.logId).toBe(desk.computer.log.logId);
    for (let seq = 1; seq <= head.seq; seq++) expect(await computerTree(computer, seq)).toEqual(await desk.tree(seq));
    expect(await computer.verify()).toMatchObject({ ok: true });
    done(await computer.undo({ since: 2 }));
    expect(diskTree(root)).toEqual(await desk.tree(2));
  } finally {
    await computer.close();
  }
});

test("COMP-12: asks that weren't over are paused by the import, before the computer is in its place; those that are stay as they are", async () => {
  const desk = await stage();
  const said = async (text: string) => done(await desk.computer.say(text)).call;
  const [queued, running, over, stopped] = [await said("a"), await said("b"), await said("c"), await said("d")];
  const tell = async (ask: string, ...drafts: Pick<Draft, "payload" | "type">[]) => {
    for (const draft of drafts) {
      const cause = { ask, conversation: ask };
      expect(await desk.computer.log.append({ ...draft, source: "agent", cause } as Draft)).toMatchObject({ ok: true });
    }
  };
  const started = { type: "ask.started", payload: { attempt: 1 } } as const;
  await tell(running, started, { type: "ask.wondered", payload: { question: "Which?" } });
  await tell(over, started, { type: "ask.left", payload: {} });
  await tell(stopped, started, { type: "ask.paused", payload: { detail: "You stopped it.", why: "stopped" } });
  const { seq } = await desk.computer.log.head();
  const file = join(elsewhere(), "ada.choir");
  await desk.computer.exportTo(file);
  const root = join(elsewhere(), "bob");
  expect(await importComputer({ file, root, userId: "bob" })).toMatchObject({ ok: true, seq: seq + 2 });
  const opened = await openComputer({ root, userId: "bob" });
  if (!opened.ok) throw new Error(opened.message);
  const { computer } = opened;
  try {
    const { pages } = await computer.rows("ask");
    const rows = new Map((await Array.fromAsync(pages)).flat().map(({ key, value }) => [key, value]));
    const paused = { detail: expect.stringContaining("import"), status: "interrupted" };
    expect(rows.get(queued)).toMatchObject({ ...paused, conversation: queued });
    expect(rows.get(running)).toMatchObject({ ...paused, question: null });
    expect(rows.get(over)).toMatchObject({ status: "left" });
    expect(rows.get(stopped)).toMatchObject({ detail: "You stopped it.", status: "stopped" });
    expect(await computer.log.verify()).toMatchObject({ ok: true, events: seq + 2 });
  } finally {
    await computer.close();
  }
});

test("COMP-12: where there is a computer already, nothing is touched", async () => {
  const { desk, file } = await exported();
  const before = desk.disk();
  await desk.close();
  expect(await importComputer({ file, root: desk.root, userId: "ada" })).toMatchObject({
    ok: false,
    reason: "exists",
    message: expect.stringContaining("--user ID"),
  });
  expect(desk.disk()).toEqual(before);
});

const WRONG: [what: string, spoil: (file: string) => void, reason: string][] = [
  ["is no SQLite file", (file) => writeFileSync(file, "hello"), "damaged"],
  ["is empty", (file) => writeFileSync(file, ""), "damaged"],
  ["is cut short", (file) => writeFileSync(file, readFileSync(file).subarray(0, 8192)), "damaged"],
  ["is another program's", (file) => change(file, "PRAGMA application_id = 7"), "damaged"],
  ["is of a newer version", (file) => change(file, "PRAGMA user_version = 99"), "newer"],
  [
    "lacks its last event",
    (file) => change(file, "DELETE FROM event WHERE seq = (SELECT max(seq) FROM event)"),
    "damaged",
  ],
  ["lacks an event in between", (file) => change(file, "DELETE FROM event WHERE seq = 3"), "damaged"],
  [
    "has an event that was changed",
    (file) => change(file, "UPDATE event SET body = replace(body, 'd/run', 'd/ran')"),
    "damaged",
  ],
  ["lacks a content", (file) => change(file, "DELETE FROM piece WHERE rowid = 1"), "damaged"],
  [
    "has a content that was changed",
    (file) => change(file, "UPDATE piece SET bytes = x'00' WHERE rowid = 2"),
    "damaged",
  ],
  [
    "says that it is of another version",
    (file) => change(file, "UPDATE about SET value = '7' WHERE name = 'version'"),
    "damaged",
  ],
  ["was never finished", (file) => change(file, "DELETE FROM about"), "damaged"],
  ["lacks a table", (file) => change(file, "DROP TABLE piece"), "damaged"],
];

function change(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

test("COMP-12: a file that is damaged, cut short, foreign or newer is refused with a word, and nothing is left behind", async () => {
  const { file } = await exported();
  const folder = elsewhere();
  for (const [i, [what, spoil, reason]] of WRONG.entries()) {
    const copy = join(elsewhere(), `${i}.choir`);
    copyFileSync(file, copy);
    spoil(copy);
    const imported = await importComputer({ file: copy, root: join(folder, "bob"), userId: "bob" });
    expect({ what, ...imported }).toMatchObject({ what, ok: false, reason });
    expect(imported.ok || imported.message).toContain(copy);
    expect(readdirSync(folder)).toEqual([]);
  }
  expect(await importComputer({ file: join(folder, "no"), root: join(folder, "bob"), userId: "bob" })).toMatchObject({
    ok: false,
    reason: "missing",
  });
});

test("COMP-12: files that stand in the folder already are taken up beside what comes, and none is lost", async () => {
  const { desk, file } = await exported();
  const root = join(elsewhere(), "bob");
  mkdirSync(join(root, "workspace"), { recursive: true });
  writeFileSync(join(root, "workspace/mine"), "was here before");
  expect(await importComputer({ file, root, userId: "bob" })).toMatchObject({ ok: true });
  expect(diskTree(root)).toMatchObject(desk.disk());
  expect(readFileSync(join(root, "workspace/mine"), "utf8")).toBe("was here before");
  expect(existsSync(join(root, ".choir/log.sqlite"))).toBe(true);
});
