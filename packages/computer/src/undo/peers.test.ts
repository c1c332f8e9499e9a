import type { Entry } from "@choiros/contract";
import { expect, test } from "vitest";
import type { TreeChange } from "../outcome.ts";
import { planUndo } from "./plan.ts";
import { planRewind } from "./rewind.ts";
import { difference, Model } from "./testing/model.ts";

// What burned the users of other tools, as their trackers tell it.

const undo = (computer: Model, ...seqs: number[]) =>
  planUndo({ target: computer.did(...seqs), standing: computer.standing(seqs[0]), read: computer.read });

test("UNDO-2: an undo of one change never empties the workspace", async () => {
  const computer = new Model();
  const names = Array.from({ length: 50 }, (_, i) => `workspace/src/${i}`);
  computer.set(Object.fromEntries(names.map((name) => [name, computer.file(name)])));
  const seq = computer.set({ "workspace/src/7": computer.file("changed") });
  const before = new Map(computer.tree);
  computer.carryOut(await undo(computer, seq));
  expect(difference(before, computer.tree).map(({ key }) => key)).toEqual(["workspace/src/7"]);
});

test("UNDO-2: later work by others is still there after an undo of something older", async () => {
  const computer = new Model();
  const seq = computer.set({ "workspace/old": computer.file("agent's") });
  computer.set({ "workspace/commit-1": computer.file("later"), "workspace/.git/HEAD": computer.file("ref") });
  const later = new Map(computer.tree);
  computer.carryOut(await undo(computer, seq));
  later.delete("workspace/old");
  expect(computer.tree).toEqual(later);
});

test("UNDO-2: a file that was only read isn't touched, wherever it stands", async () => {
  const computer = new Model();
  computer.set({ "workspace/read-only": computer.file("read") });
  const seq = computer.set({ "workspace/written": computer.file("written") });
  const planned = await undo(computer, seq);
  expect(planned).toMatchObject({ changes: [{ key: "workspace/written" }], outcome: "ready" });
});

test("UNDO-2: an undo goes back by its target, not by weeks", async () => {
  const computer = new Model();
  const seqs = Array.from({ length: 20 }, (_, i) => computer.set({ "workspace/a": computer.file(`${i}\n`) }));
  computer.carryOut(await undo(computer, seqs.at(-1) ?? 0));
  expect(computer.text("workspace/a")).toBe("18\n");
});

test("UNDO-4: another session's work in the same file is merged or asked about, never destroyed", async () => {
  const computer = new Model();
  computer.set({ "workspace/a": computer.file("1\n2\n3\n") });
  const mine = computer.set({ "workspace/a": computer.file("mine\n2\n3\n") });
  const theirs = computer.set({ "workspace/a": computer.file("mine\n2\ntheirs\n") });
  computer.carryOut(await undo(computer, mine));
  expect(computer.text("workspace/a")).toBe("1\n2\ntheirs\n");
  computer.set({ "workspace/a": computer.file("1\n2\nthird\n") });
  expect(await undo(computer, theirs)).toMatchObject({ outcome: "conflict" });
  expect(computer.text("workspace/a")).toBe("1\n2\nthird\n");
});

test("UNDO-3: of 400 files all come back, or none", async () => {
  const computer = new Model();
  const names = Array.from({ length: 400 }, (_, i) => `workspace/${i}`);
  computer.set(Object.fromEntries(names.map((name) => [name, computer.file(name)])));
  const before = new Map(computer.tree);
  const seq = computer.set(Object.fromEntries(names.map((name) => [name, null])));
  computer.set({ "workspace/399": computer.file("in the way") });
  expect(await undo(computer, seq)).toMatchObject({ outcome: "conflict", conflicts: [{ key: "workspace/399" }] });
  computer.set({ "workspace/399": null });
  computer.carryOut(await undo(computer, seq));
  expect(computer.tree).toEqual(before);
});

test("UNDO-12: an undo that does nothing never says that it did", async () => {
  const computer = new Model();
  const seq = computer.set({ "workspace/a": computer.file("1") });
  computer.carryOut(await undo(computer, seq));
  expect(() => computer.carryOut({ outcome: "nothing", stays: [], why: "" })).toThrow("nothing can be done");
  expect(await undo(computer, seq)).toMatchObject({ outcome: "nothing" });
});

test("UNDO-9: there is a redo, and an undo of the redo", async () => {
  const computer = new Model();
  const done = computer.set({ "workspace/a/b": computer.file("1"), "workspace/c": { kind: "dir", mode: 0o700 } });
  const after = new Map(computer.tree);
  const undone = computer.carryOut(await undo(computer, done));
  expect(computer.tree.size).toBe(0);
  const redone = computer.carryOut(await undo(computer, undone));
  expect(computer.tree).toEqual(after);
  computer.carryOut(await undo(computer, redone));
  expect(computer.tree.size).toBe(0);
});

test("UNDO-1: a deleted folder comes back with everything in it, modes, links and empty folders too", async () => {
  const computer = new Model();
  const link: Entry = { ...computer.file("../elsewhere"), kind: "link" } as Entry; // a link has a file's shape
  computer.set({
    "workspace/project": { kind: "dir", mode: 0o750 },
    "workspace/project/run": computer.file("#!/bin/sh\n", 0o755),
    "workspace/project/link": link,
    "workspace/project/empty": { kind: "dir", mode: 0o700 },
    "workspace/project/.git/HEAD": computer.file("ref: refs/heads/main\n"),
  });
  const before = new Map(computer.tree);
  const seq = computer.set({ "workspace/project": null });
  expect(computer.tree.size).toBe(0);
  computer.carryOut(await undo(computer, seq));
  expect(computer.tree).toEqual(before);
});

/** What stands, answered without looking through all of it each time. */
function quickly(computer: Model, children: ReadonlyMap<string, number>) {
  const pick = async (keys: readonly string[]) => {
    const found = new Map<string, Entry>();
    for (const key of keys) {
      const entry = computer.tree.get(key);
      if (entry !== undefined) found.set(key, entry);
    }
    return found;
  };
  return { ...computer.standing(), entries: pick, children: async () => children };
}

test("UNDO-8: a hundred thousand files are planned in one go, while others are served", async () => {
  const computer = new Model();
  const file = computer.file("x");
  const folders = Array.from({ length: 1000 }, (_, i) => `workspace/${String(i).padStart(4, "0")}`);
  const changes: TreeChange[] = folders.flatMap((folder) => [
    { key: folder, before: null, after: { kind: "dir", mode: 0o755 } },
    ...Array.from({ length: 100 }, (_, i) => ({ key: `${folder}/${i}`, before: null, after: file })),
  ]);
  for (const { key, after } of changes) if (after !== null) computer.tree.set(key, after);
  let turns = 0;
  const turn = () => {
    turns++;
    waiting = setImmediate(turn);
  };
  let waiting = setImmediate(turn);
  async function* target() {
    for (let at = 0; at < changes.length; at += 1000) yield changes.slice(at, at + 1000);
  }
  const standing = quickly(computer, new Map(folders.map((folder) => [folder, 100])));
  const planned = await planUndo({ target: target(), standing, read: computer.read });
  clearImmediate(waiting);
  expect(turns).toBeGreaterThan(100);
  expect(planned).toMatchObject({ outcome: "ready", stays: [] });
  expect(planned.outcome === "ready" && planned.changes.length).toBe(changes.length);
  const rewound = await planRewind({ diff: target(), standing });
  expect(rewound.outcome).toBe("ready");
});
