import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Computer, Outcome } from "@choiros/computer";
import { inTurns, type Measure, timed } from "./measure.ts";
import { commitAll, git, makeFiles, makeRepository, withComputer } from "./workspace.ts";

/** A whole project in one event: brought in, taken back, brought back. Kept in the log, and durable. */
export const manyFiles: Measure = {
  id: "Many",
  title: "100,000 files added, undone, and the undo undone",
  unit: "ms",
  peer: "cp, git add -A and git commit, git rm, git reset --hard",
  better: "lower",
  floor: 2,
  aim: 1,
  rounds: 1,

  async prepare({ ground, quick, say }) {
    const files = quick ? 10_000 : 100_000;
    say(`making a folder of ${files} files`);
    makeFiles(join(ground, "files"), files);
  },

  async run(round, { ground, folder }) {
    const files = join(ground, "files");
    const repository = join(folder, "repository");
    const ours = () =>
      withComputer(join(folder, "computer"), true, async (computer) => {
        const add = await timed(async () => expectDone(await computer.add(files, "workspace/files")));
        const undo = await timed(() => undoLast(computer));
        return [[add, undo, await timed(() => undoLast(computer))] as const];
      });
    const peer = async () => {
      await makeRepository(repository, 1);
      const add = await timed(() => copyAndCommit(files, repository));
      const undo = await timed(() => git(repository, "rm", "-r", "--quiet", "."));
      return [[add, undo, await timed(() => git(repository, "reset", "--quiet", "--hard"))] as const];
    };
    const took = await inTurns(round, 1, ours, peer);
    const [mine = [0, 0, 0], theirs = [0, 0, 0]] = [took.ours[0], took.peer[0]];
    const pair = (i: 0 | 1 | 2) => ({ ours: mine[i], peer: theirs[i] });
    return {
      ours: mine[0] + mine[1] + mine[2],
      peer: theirs[0] + theirs[1] + theirs[2],
      also: { add: pair(0), undo: pair(1), redo: pair(2) },
    };
  },
};

async function undoLast(computer: Computer): Promise<void> {
  expectDone(await computer.undo({ seq: (await computer.log.head()).seq }));
}

function expectDone(outcome: Outcome): void {
  if (!outcome.ok) throw new Error(`it was refused: ${JSON.stringify(outcome)}`);
}

async function copyAndCommit(files: string, repository: string): Promise<void> {
  await promisify(execFile)("cp", ["-r", files, repository]);
  await commitAll(repository);
}
