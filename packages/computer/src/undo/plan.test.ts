import type { Entry } from "@choiros/contract";
import { beforeEach, describe, expect, test } from "vitest";
import type { Choice, Choices, Conflict } from "../outcome.ts";
import { planUndo, type UndoPlan } from "./plan.ts";
import { Model } from "./testing/model.ts";

const A = "workspace/a";
const DIR = "workspace/dir";
const IN_DIR = "workspace/dir/f";
const folder = (mode = 0o755): Entry => ({ kind: "dir", mode });

let computer = new Model();
beforeEach(() => {
  computer = new Model();
});

const file = (text: string, mode?: number) => computer.file(text, mode);
const undo = (seqs: number | number[], choices: Choices = {}) => {
  const list = [seqs].flat();
  const standing = computer.standing(list[0]);
  return planUndo({ target: computer.did(...list), standing, read: computer.read, choices });
};
const each = (key: string, choice: Choice): Choices => ({ each: new Map([[key, choice]]) });
const conflictsOf = (plan: UndoPlan): readonly Conflict[] => (plan.outcome === "conflict" ? plan.conflicts : []);
const changed = (plan: UndoPlan) => (plan.outcome === "ready" ? plan.changes : []);

describe("taking back", () => {
  test("UNDO-1: what a change left becomes what was before it: made, changed, deleted, mode, link, directory", async () => {
    const link: Entry = { ...file("target"), kind: "link" } as Entry; // a link has a file's shape
    computer.set({ "workspace/changed": file("1"), "workspace/deleted": file("2"), "workspace/mode": file("3") });
    const before = new Map(computer.tree);
    const seq = computer.set({
      "workspace/changed": file("new"),
      "workspace/deleted": null,
      "workspace/dir/link": link,
      "workspace/empty": folder(0o700),
      "workspace/mode": file("3", 0o755),
    });
    computer.carryOut(await undo(seq));
    expect(computer.tree).toEqual(before);
  });

  test("UNDO-1: several changes of one path are taken back from the last to the first", async () => {
    computer.set({ [A]: file("1") });
    const seqs = ["2", "3", "4"].map((text) => computer.set({ [A]: file(text) }));
    computer.carryOut(await undo(seqs));
    expect(computer.text(A)).toBe("1");
  });

  test("UNDO-1: where a part was taken back already, the rest is", async () => {
    computer.set({ [A]: file("1") });
    const seqs = [computer.set({ [A]: file("2") }), computer.set({ [A]: file("3") })];
    computer.set({ [A]: file("2") });
    computer.carryOut(await undo(seqs));
    expect(computer.text(A)).toBe("1");
  });

  test("UNDO-1: lines that somebody else changed since are kept", async () => {
    computer.set({ [A]: file("1\n2\n3\n") });
    const seq = computer.set({ [A]: file("ONE\n2\n3\n") });
    computer.set({ [A]: file("ONE\n2\nmine\n", 0o755) });
    const plan = await undo(seq);
    expect(plan).toMatchObject({ merged: [{ key: A, bytes: Buffer.from("1\n2\nmine\n") }], outcome: "ready" });
    computer.carryOut(plan);
    expect(computer.tree.get(A)).toEqual(file("1\n2\nmine\n", 0o755));
  });

  test("UNDO-1: lines that somebody changed between two changes of the target are kept", async () => {
    computer.set({ [A]: file("1\n2\n3\n4\n5\n") });
    const first = computer.set({ [A]: file("ONE\n2\n3\n4\n5\n") });
    computer.set({ [A]: file("ONE\n2\nmine\n4\n5\n") });
    const second = computer.set({ [A]: file("ONE\n2\nmine\n4\nFIVE\n") });
    computer.set({ [A]: file("ONE\n2\nmine, too\n4\nFIVE\n") });
    computer.carryOut(await undo([first, second]));
    expect(computer.text(A)).toBe("1\n2\nmine, too\n4\n5\n");
  });

  test("UNDO-1: a file replaced by a directory, and a directory by a file, are taken back with what was in them", async () => {
    computer.set({ [A]: file("a"), [IN_DIR]: file("f") });
    const before = new Map(computer.tree);
    const seq = computer.set({ [DIR]: file("now a file"), "workspace/a/b/c": file("now below") });
    computer.carryOut(await undo(seq));
    expect(computer.tree).toEqual(before);
  });
});

describe("scope", () => {
  test("UNDO-2: a folder that is gone is made again for what comes back, with the mode it had", async () => {
    computer.set({ [DIR]: folder(0o700), [IN_DIR]: file("f") });
    const seq = computer.set({ [IN_DIR]: null });
    computer.set({ [DIR]: null });
    const plan = await undo(seq);
    expect(changed(plan)).toEqual([
      { key: DIR, before: null, after: folder(0o700) },
      { key: IN_DIR, before: null, after: file("f") },
    ]);
  });

  test("UNDO-2: a folder that nobody remembers gets the usual mode", async () => {
    computer.set({ [DIR]: folder(0o700), [IN_DIR]: file("f") });
    const seq = computer.set({ [IN_DIR]: null });
    computer.set({ [DIR]: null });
    const standing = { ...computer.standing(), earlier: async () => new Map() };
    const plan = await planUndo({ target: computer.did(seq), standing, read: computer.read });
    expect(changed(plan)[0]).toEqual({ key: DIR, before: null, after: folder(0o755) });
  });

  test("UNDO-2: a name that isn't UTF-8 is a path like any other", async () => {
    const [odd, neighbour] = ["workspace/dir///ff/x", "workspace/dir//ff"];
    const seq = computer.set({ [odd]: file("1") });
    computer.set({ [neighbour]: file("2") });
    computer.carryOut(await undo(seq));
    expect([...computer.tree.keys()]).toEqual([neighbour]);
  });

  test("UNDO-8: changes are in order and say exactly what stands", async () => {
    const seq = computer.set({ "workspace/b": file("1"), "workspace/dir/b": file("2"), [A]: file("3") });
    computer.set({ "workspace/b": file("1", 0o600), "workspace/other": file("4") });
    const plan = await undo(seq, { all: "theirs" });
    expect(changed(plan).map((change) => ("key" in change ? change.key : ""))).toEqual([
      A,
      "workspace/b",
      DIR,
      "workspace/dir/b",
    ]);
    expect(changed(plan)[1]).toEqual({ key: "workspace/b", before: file("1", 0o600), after: null });
  });
});

describe("conflicts", () => {
  test("UNDO-4: a creation that was changed since", async () => {
    const seq = computer.set({ [A]: file("made") });
    computer.set({ [A]: file("later work") });
    expect(conflictsOf(await undo(seq))).toEqual([
      {
        back: null,
        choices: ["mine", "theirs"],
        key: A,
        left: file("made"),
        now: file("later work"),
        why: "it was changed since: taking it back would delete that",
      },
    ]);
  });

  test("UNDO-4: a change whose file was deleted since", async () => {
    computer.set({ [A]: file("1") });
    const seq = computer.set({ [A]: file("2") });
    computer.set({ [A]: null });
    expect(conflictsOf(await undo(seq))).toMatchObject([
      { back: file("1"), left: file("2"), now: null, why: "it was deleted since" },
    ]);
  });

  test("UNDO-4: a deletion where something else stands now", async () => {
    computer.set({ [A]: file("1") });
    const seq = computer.set({ [A]: null });
    computer.set({ [A]: file("another") });
    expect(conflictsOf(await undo(seq))).toMatchObject([
      { back: file("1"), left: null, now: file("another"), why: "something else stands there now" },
    ]);
  });

  test.each<[why: string, make: () => [Entry, Entry, Entry]]>([
    ["the same lines were changed since", () => [file("1\n"), file("2\n"), file("3\n")]],
    ["it was changed since, and isn't text that could be merged", () => [file("1\n"), file("\0"), file("3\n")]],
    ["its mode was changed since", () => [file("1", 0o644), file("1", 0o755), file("1", 0o600)]],
    ["it became something else since", () => [file("1"), file("2"), folder()]],
  ])("UNDO-4: says that %s", async (why, make) => {
    const [before, after, now] = make();
    computer.set({ [A]: before });
    const seq = computer.set({ [A]: after });
    computer.set({ [A]: now });
    expect(conflictsOf(await undo(seq))).toMatchObject([{ why }]);
  });

  test("UNDO-3: one conflict stops the whole undo, and what else it would do is only shown", async () => {
    const seq = computer.set({ [A]: file("1"), "workspace/b": file("2") });
    computer.set({ [A]: file("later") });
    const plan = await undo(seq);
    expect(plan).toMatchObject({ outcome: "conflict", rest: [{ key: "workspace/b", after: null }] });
    expect(plan).not.toHaveProperty("changes");
  });

  test("UNDO-7: mine keeps what stands, theirs takes what comes back, and one path's choice goes before all", async () => {
    const seq = computer.set({ [A]: file("1"), "workspace/b": file("2"), "workspace/c": file("3") });
    computer.set({ [A]: file("later"), "workspace/b": file("later") });
    expect(conflictsOf(await undo(seq, each(A, "mine")))).toMatchObject([{ key: "workspace/b" }]);
    const plan = await undo(seq, { all: "theirs", ...each(A, "mine") });
    expect(plan).toMatchObject({ kept: [A], outcome: "ready" });
    computer.carryOut(plan);
    expect([...computer.tree]).toEqual([[A, file("later")]]);
  });

  test("UNDO-7: a choice for a path without a conflict changes nothing", async () => {
    const seq = computer.set({ [A]: file("1") });
    computer.carryOut(await undo(seq, { all: "mine", ...each(A, "mine") }));
    expect(computer.tree.size).toBe(0);
  });

  test("UNDO-7: theirs brings back what was before all changes of the target", async () => {
    computer.set({ [A]: file("1") });
    const seqs = [computer.set({ [A]: file("2") })];
    computer.set({ [A]: file("between") });
    seqs.push(computer.set({ [A]: file("3") }));
    computer.set({ [A]: file("later") });
    expect(conflictsOf(await undo(seqs))).toMatchObject([{ back: file("1"), left: file("3"), now: file("later") }]);
    computer.carryOut(await undo(seqs, { all: "theirs" }));
    expect(computer.text(A)).toBe("1");
  });
});

describe("directories", () => {
  test("UNDO-5: one that holds something else by now stays, and what the target put there goes", async () => {
    const seq = computer.set({ [IN_DIR]: file("agent's"), "workspace/dir/sub/x": file("agent's, too") });
    computer.set({ "workspace/dir/mine": file("mine") });
    const plan = await undo(seq);
    expect(plan).toMatchObject({ outcome: "ready", stays: [DIR] });
    computer.carryOut(plan);
    expect([...computer.tree.keys()].sort()).toEqual([DIR, "workspace/dir/mine"]);
  });

  test("UNDO-5: one whose mode was changed since stays without a word about the mode, if it holds something else", async () => {
    const seq = computer.set({ [DIR]: folder() });
    computer.set({ [DIR]: folder(0o700), [IN_DIR]: file("mine") });
    expect(await undo(seq)).toMatchObject({ outcome: "nothing", stays: [DIR] });
    computer.set({ [IN_DIR]: null });
    expect(conflictsOf(await undo(seq))).toMatchObject([{ key: DIR, choices: ["mine", "theirs"] }]);
    expect(changed(await undo(seq, { all: "theirs" }))).toEqual([{ key: DIR, before: folder(0o700), after: null }]);
  });

  test("UNDO-5: one that holds a conflict settled as mine stays", async () => {
    const seq = computer.set({ [IN_DIR]: file("1") });
    computer.set({ [IN_DIR]: file("later") });
    expect(await undo(seq, { all: "mine" })).toMatchObject({ outcome: "nothing", stays: [DIR] });
  });

  test("UNDO-6: what would have to stand in a file is a conflict that only mine settles", async () => {
    computer.set({ [A]: file("a"), [IN_DIR]: file("f") });
    const seq = computer.set({ [A]: null, [IN_DIR]: null });
    computer.set({ [DIR]: file("a file now") });
    for (const choices of [{}, { all: "theirs" } as const]) {
      expect(conflictsOf(await undo(seq, choices))).toEqual([
        {
          back: file("f"),
          choices: ["mine"],
          key: IN_DIR,
          left: null,
          now: null,
          why: "a file stands where its folder was",
        },
      ]);
    }
    expect(changed(await undo(seq, { all: "mine" }))).toEqual([{ key: A, before: null, after: file("a") }]);
  });

  test("UNDO-6: a file doesn't replace a directory that holds other things", async () => {
    computer.set({ [A]: file("a") });
    const seq = computer.set({ "workspace/a/b": file("b") });
    computer.set({ "workspace/a/mine": file("mine") });
    const why = "a folder stands there now, with other things in it";
    expect(conflictsOf(await undo(seq, { all: "theirs" }))).toMatchObject([{ key: A, choices: ["mine"], why }]);
    computer.carryOut(await undo(seq, { all: "mine" }));
    expect([...computer.tree.keys()].sort()).toEqual([A, "workspace/a/mine"]);
  });

  test("UNDO-6: a conflict that theirs can't settle doesn't offer it", async () => {
    computer.set({ [A]: file("a") });
    const seq = computer.set({ [A]: null });
    computer.set({ "workspace/a/mine": file("mine") });
    expect(conflictsOf(await undo(seq))).toMatchObject([{ key: A, choices: ["mine"] }]);
    computer.set({ "workspace/a/mine": null });
    expect(conflictsOf(await undo(seq))).toMatchObject([{ key: A, choices: ["mine", "theirs"] }]);
  });

  test("UNDO-6: a file whose content was pruned isn't said to be back", async () => {
    const lost = file("pruned");
    computer.set({ [A]: lost });
    const seq = computer.set({ [A]: null });
    computer.contents.delete(lost.kind === "file" ? lost.hash : "");
    const why = "its content is gone from history";
    expect(conflictsOf(await undo(seq, { all: "theirs" }))).toMatchObject([{ key: A, choices: ["mine"], why }]);
    expect(await undo(seq, { all: "mine" })).toMatchObject({ outcome: "nothing" });
  });
});

describe("windows and settings", () => {
  test("UNDO-11: are taken back, also to nothing, and compared by their canonical form", async () => {
    const seq = computer.append([
      { name: "theme", before: null, after: { a: 1, b: [2] } },
      { name: "window.1", before: null, after: { x: 1 } },
    ]);
    computer.values.set("theme", { b: [2], a: 1 });
    const plan = await undo(seq);
    expect(plan).toMatchObject({ outcome: "ready", changes: [{ name: "theme" }, { name: "window.1", after: null }] });
  });

  test("UNDO-11: changed since, are a conflict, which choices settle", async () => {
    computer.setValue("theme", "light");
    const seq = computer.setValue("theme", "dark");
    computer.setValue("theme", "sepia");
    expect(conflictsOf(await undo(seq))).toEqual([
      {
        back: "light",
        choices: ["mine", "theirs"],
        key: "theme",
        left: "dark",
        now: "sepia",
        why: "it was changed since",
      },
    ]);
    expect(changed(await undo(seq, each("theme", "theirs")))).toEqual([
      { name: "theme", before: "sepia", after: "light" },
    ]);
    expect(await undo(seq, { all: "mine" })).toMatchObject({ outcome: "nothing" });
  });

  test("UNDO-11: that are as they were before, need nothing", async () => {
    const seq = computer.append([{ name: "layout", before: null, after: { x: 1, y: 2 } }]);
    computer.setValue("layout", null);
    expect(await undo(seq)).toMatchObject({ outcome: "nothing", why: "everything is already as it was before" });
  });

  test("UNDO-3: one of them in conflict stops the files, too", async () => {
    const seqs = [computer.set({ [A]: file("1") }), computer.setValue("theme", "dark")];
    computer.setValue("theme", "sepia");
    expect((await undo(seqs)).outcome).toBe("conflict");
  });
});

describe("nothing to do", () => {
  test("UNDO-12: a target that changed nothing, one that was undone already, and one kept as it is each say so", async () => {
    const seq = computer.set({ [A]: file("1") });
    expect(await undo([])).toMatchObject({ outcome: "nothing", why: "it changed no file, window or setting" });
    computer.carryOut(await undo(seq));
    expect(await undo(seq)).toMatchObject({ outcome: "nothing", why: "everything is already as it was before" });
    computer.set({ [A]: file("2") });
    expect(await undo(seq, { all: "mine" })).toMatchObject({
      outcome: "nothing",
      why: "everything is kept as it stands",
    });
  });
});
