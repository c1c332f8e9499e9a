import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Computer, type Outcome, openComputer } from "@choiros/computer";
import type { Id } from "@choiros/contract";
import { hold } from "../promise.ts";
import { randomFrom } from "../random.ts";

/** Something that is done while the disk may fail. */
export interface FaultAct {
  readonly title: string;
  /** What others do to the folder before, while nothing fails. */
  readonly before?: (root: string) => void;
  readonly run: (computer: Computer, id: Id, source: string) => Promise<Outcome | undefined>;
}

export const FAULT_ACTS: readonly FaultAct[] = [
  { title: "write", run: (computer, id) => computer.write("workspace/notes.md", Buffer.from("third\n"), { id }) },
  {
    title: "write a large file in new folders",
    run: (computer, id) => computer.write("workspace/new/deep/large", randomFrom("large").bytes(150_000), { id }),
  },
  {
    title: "write over what somebody else changed",
    before: (root) => writeFileSync(join(root, "workspace/notes.md"), "by other hands\n"),
    run: (computer, id) => computer.write("workspace/notes.md", Buffer.from("third\n"), { id }),
  },
  { title: "add", run: (computer, id, source) => computer.add(source, "workspace/added", { id }) },
  { title: "remove a folder", run: (computer, id) => computer.remove("workspace/a", { id }) },
  { title: "move a folder", run: (computer, id) => computer.move("workspace/a", "workspace/moved/here", { id }) },
  {
    title: "arrange",
    run: (computer, id) =>
      computer.arrange(
        [
          { copy: { from: "workspace/a", to: "workspace/copy" } },
          { move: { from: "workspace/notes.md", to: "workspace/copy/notes.md" } },
          { remove: { key: "workspace/a/large" } },
          { file: { key: "workspace/a/new/empty" } },
        ],
        { id },
      ),
  },
  { title: "undo", run: (computer, id) => computer.undo({ seq: SEQ.second }, { id }) },
  { title: "undo of a removal", run: (computer, id) => computer.undo({ seq: SEQ.removed }, { id }) },
  { title: "rewind", run: (computer, id) => computer.undo({ since: SEQ.first }, { id }) },
  {
    title: "capture",
    before: (root) => {
      writeFileSync(join(root, "workspace/notes.md"), "by other hands\n");
      mkdirSync(join(root, "workspace/theirs"));
      writeFileSync(join(root, "workspace/theirs/large"), randomFrom("theirs").bytes(100_000));
      rmSync(join(root, "workspace/a/one.txt"));
    },
    run: async (computer) => {
      await computer.capture();
      return undefined;
    },
  },
];

/** The events of the computer below. */
const SEQ = { first: 2, second: 6, removed: 7 };

/** A computer with a little of everything, closed. */
export async function makeComputer(root: string): Promise<void> {
  const computer = await open(root);
  const write = async (key: string, text: string | Uint8Array) => done(await computer.write(key, Buffer.from(text)));
  await write("workspace/notes.md", "first\n");
  await write("workspace/a/one.txt", "one\n");
  await write("workspace/a/two.txt", "two\n");
  await write("workspace/a/large", randomFrom("a large file").bytes(100_000));
  hold((await write("workspace/notes.md", "second\n")) === SEQ.second, "the events are counted wrong");
  const removed = done(await computer.remove("workspace/a/two.txt"));
  hold(removed === SEQ.removed, "the events are counted wrong");
  symlinkSync("notes.md", join(root, "workspace/link"));
  mkdirSync(join(root, "workspace/empty"));
  await computer.capture();
  await computer.close();
}

/** More files than are synced one by one. */
export function makeSource(folder: string): string {
  mkdirSync(join(folder, "inside"), { recursive: true });
  for (let i = 0; i < 10; i++) writeFileSync(join(folder, "inside", `file-${i}.txt`), `added ${i}\n`);
  symlinkSync("file-0.txt", join(folder, "inside", "link"));
  return folder;
}

export async function open(root: string, onTrouble: (trouble: string) => void = () => {}): Promise<Computer> {
  const opened = await openComputer({ root, userId: "ada", create: true, who: "torture", onTrouble });
  hold(opened.ok, () => `it can't be opened: ${opened.ok ? "" : opened.message}`);
  return opened.computer;
}

function done(outcome: Outcome): number {
  hold(outcome.ok, () => `it was refused: ${outcome.ok ? "" : outcome.message}`);
  return outcome.seq;
}
