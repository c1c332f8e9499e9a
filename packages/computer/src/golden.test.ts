import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type EventType, PAYLOADS } from "@choiros/contract";
import { expect, test } from "vitest";
import { openComputer } from "./open-computer.ts";
import { folderOfOurOwn } from "./testing/computer-stage.ts";
import { computerTree, diskTree, type Tree } from "./testing/trees.ts";
import { importComputer } from "./transfer/import-computer.ts";

const elsewhere = folderOfOurOwn();
const vectors = join(import.meta.dirname, "../vectors");

interface Expected {
  readonly seq: number;
  readonly hash: string;
  /** As the reducers of this version make it: another version of the state has another. */
  readonly stateHash: string;
  readonly types: readonly EventType[];
  readonly tree: Tree;
}

const expectedOf = (name: string) => JSON.parse(readFileSync(`${name}.json`, "utf8")) as Expected; // our own file

/** Imports it, and holds everything against what stands beside it. */
async function expectReplayed(name: string): Promise<void> {
  const expected = expectedOf(name);
  const root = join(elsewhere(), "ada");
  const imported = await importComputer({ file: `${name}.choir`, root, userId: "ada" });
  const { seq, hash, stateHash } = expected;
  expect(imported).toEqual({ ok: true, seq, hash, stateHash, notes: [] });
  expect(diskTree(root)).toEqual(expected.tree);
  const opened = await openComputer({ root, userId: "ada" });
  if (!opened.ok) throw new Error(opened.message);
  const { computer } = opened;
  try {
    expect(await computerTree(computer)).toEqual(expected.tree);
    expect(await computer.log.verify()).toMatchObject({ ok: true, events: seq });
    expect(await computer.rebuild()).toEqual({ events: seq, hash: stateHash });
    expect(await computer.verify()).toMatchObject({ ok: true });
    expect(await computer.undo({ since: 1 })).toMatchObject({ ok: true });
    expect(diskTree(root)).toEqual({});
  } finally {
    await computer.close();
  }
}

test("COMP-12: what version 1 exported comes to the same hashes, the same tree and the same bytes, for good", async () => {
  await expectReplayed(join(vectors, "computer-v1"));
});

test("COMP-12: what this version exports has every type of event, and comes to the same on its way back", async () => {
  const name = join(elsewhere(), "now");
  const script = new URL("./testing/make-vector.ts", import.meta.url);
  const made = spawnSync(process.execPath, [fileURLToPath(script), name], { encoding: "utf8" });
  expect(made.stderr).toBe("");
  expect(expectedOf(name).types).toEqual(Object.keys(PAYLOADS).sort());
  await expectReplayed(name);
});
