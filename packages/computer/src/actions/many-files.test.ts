import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Thread } from "@choiros/log";
import { expect, test, vi } from "vitest";
import { computerStage, done, folderOfOurOwn } from "../testing/computer-stage.ts";
import { importComputer } from "../transfer/import-computer.ts";

const stage = computerStage();
const elsewhere = folderOfOurOwn();

const FILES = 1500;

function manyFiles(): string {
  const folder = elsewhere();
  for (let i = 0; i < FILES; i++) {
    if (i % 100 === 0) mkdirSync(join(folder, `${i / 100}`));
    writeFileSync(join(folder, `${Math.floor(i / 100)}`, `${i}`), `file ${i}\n`);
  }
  return folder;
}

/** How many calls to any thread some work takes; `but` some. */
async function callsOf(work: () => Promise<unknown>, but: readonly PropertyKey[] = []): Promise<number> {
  const calls = vi.spyOn(Thread.prototype, "call");
  try {
    await work();
    return calls.mock.calls.filter(([, op]) => !but.includes(op)).length;
  } finally {
    calls.mockRestore();
  }
}

test("ACT-17: many files are one event, and are dealt with by the hundred: added, undone, done again, verified, exported and imported", async () => {
  const desk = await stage();
  // What is done in the background, one by one and when there is time, is not what this counts.
  vi.spyOn(desk.computer.contents, "pack").mockImplementation(async ({ length }) => ({ done: length, saved: 0 }));
  const folder = manyFiles();
  const file = join(elsewhere(), "x.choir");
  const root = join(elsewhere(), "bob");
  const calls = {
    add: await callsOf(async () => done(await desk.computer.add(folder, "workspace/many"))),
    undo: await callsOf(async () => done(await desk.computer.undo({ seq: 2 }))),
    redo: await callsOf(async () => done(await desk.computer.undo({ seq: 3 }))),
    verify: await callsOf(async () => expect(await desk.computer.verify()).toMatchObject({ ok: true })),
    export: await callsOf(() => desk.computer.exportTo(file)),
    // When it is closed, a computer makes as many contents smaller as a quarter of a second lets it.
    import: await callsOf(() => importComputer({ file, root, userId: "bob" }), ["content", "change", "trim"]),
  };
  expect(await desk.head()).toBe(4);
  expect(await desk.tree()).toEqual(desk.disk());
  for (const [what, count] of Object.entries(calls))
    expect({ what, few: count < FILES / 5, count }).toMatchObject({ what, few: true });
});

test("ACT-17: whoever adds or takes back many files sees how far their landing is", async () => {
  const desk = await stage();
  const told: string[] = [];
  const onProgress = ({ what, done: so, total }: { what: string; done: number; total?: number }) =>
    void told.push(`${what} ${so} ${total ?? ""}`.trim());
  done(await desk.computer.add(manyFiles(), "workspace/many", { onProgress }));
  expect(told).toContain("reading 1000");
  expect(told).toContain(`writing to the folder 1000 ${FILES + 16}`);
  told.length = 0;
  done(await desk.computer.undo({ seq: 2 }, { onProgress }));
  expect(told).toContain(`writing to the folder 1000 ${FILES + 16}`);
});
