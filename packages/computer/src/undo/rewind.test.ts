import type { Entry } from "@choiros/contract";
import { expect, test } from "vitest";
import type { Change, Choices } from "../outcome.ts";
import { planRewind } from "./rewind.ts";
import { difference, Model } from "./testing/model.ts";

const IN_DIR = "workspace/dir/f";

/** Goes back to what stood after an event, with one path alone, or everything. */
function rewind(computer: Model, seq: number, options: { only?: string; choices?: Choices } = {}) {
  const all = difference(computer.tree, computer.trees[seq] ?? new Map<string, Entry>());
  const diff = options.only === undefined ? all : all.filter(({ key }) => key === options.only);
  return planRewind({ diff: inOne(diff), standing: computer.standing(seq + 1), choices: options.choices ?? {} });
}

async function* inOne(changes: readonly Change[]): AsyncGenerator<readonly Change[]> {
  yield changes;
}

test("UNDO-13: a rewind asks nobody, whoever changed what since, and merges nothing", async () => {
  const computer = new Model();
  const seq = computer.set({ [IN_DIR]: computer.file("1\n2\n3\n") });
  computer.set({ [IN_DIR]: computer.file("1\n2\nagent\n") });
  computer.set({ [IN_DIR]: computer.file("user\n2\nagent\n"), "workspace/new": computer.file("new") });
  computer.carryOut(await rewind(computer, seq));
  expect(computer.text(IN_DIR)).toBe("1\n2\n3\n");
  expect([...computer.tree.keys()].sort()).toEqual(["workspace/dir", IN_DIR]);
});

test("UNDO-13: windows and settings go back with the files, in order after them", async () => {
  const computer = new Model();
  const file = computer.file("1");
  const diff: Change[] = [
    { name: "window.1", before: { x: 1 }, after: null },
    { name: "theme", before: "dark", after: "light" },
    { key: "workspace/a", before: null, after: file },
  ];
  const planned = await planRewind({ diff: inOne(diff), standing: computer.standing() });
  expect(planned).toMatchObject({ changes: [diff[2], diff[1], diff[0]], outcome: "ready" });
});

test("UNDO-13: one path goes back alone, and its folder is made again with the mode it had", async () => {
  const computer = new Model();
  const folder: Entry = { kind: "dir", mode: 0o700 };
  const seq = computer.set({
    "workspace/dir": folder,
    [IN_DIR]: computer.file("1"),
    "workspace/dir/g": computer.file("2"),
  });
  computer.set({ "workspace/dir": null });
  computer.carryOut(await rewind(computer, seq, { only: IN_DIR }));
  expect([...computer.tree]).toEqual([
    ["workspace/dir", folder],
    [IN_DIR, computer.file("1")],
  ]);
});

test("UNDO-13: one path doesn't go back into a file that stands where its folder was", async () => {
  const computer = new Model();
  const seq = computer.set({ [IN_DIR]: computer.file("1") });
  computer.set({ "workspace/dir": computer.file("a file now") });
  const why = "a file stands where its folder was";
  expect(await rewind(computer, seq, { only: IN_DIR })).toMatchObject({ conflicts: [{ key: IN_DIR, why }] });
});

test("UNDO-13: a content that was pruned is named before anything is touched; the rest goes back without it", async () => {
  const computer = new Model();
  const lost = computer.file("pruned");
  const seq = computer.set({ [IN_DIR]: lost, "workspace/a": computer.file("a") });
  computer.set({ [IN_DIR]: null, "workspace/a": null });
  if (lost.kind === "file") computer.contents.delete(lost.hash);
  const why = "its content is gone from history";
  expect(await rewind(computer, seq)).toMatchObject({ outcome: "conflict", conflicts: [{ key: IN_DIR, why }] });
  computer.carryOut(await rewind(computer, seq, { choices: { all: "mine" } }));
  expect([...computer.tree.keys()].sort()).toEqual(["workspace/a", "workspace/dir"]);
});

test("UNDO-12: a rewind to what stands says that there is nothing to do", async () => {
  const computer = new Model();
  const seq = computer.set({ [IN_DIR]: computer.file("1") });
  expect(await rewind(computer, seq)).toEqual({
    outcome: "nothing",
    stays: [],
    why: "everything is already as it was then",
  });
});
