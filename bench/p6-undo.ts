import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inTurns, type Measure, median, p99, timed } from "./measure.ts";
import { commitAll, git, makeComputer, makeRepository, pathOf, textOf, withComputer } from "./workspace.ts";

/** An action taken back: from the word to the former bytes on the disk, and an event that can itself be undone. */
export const undo: Measure = {
  id: "P6",
  title: "undo of one action, 10,000 files",
  unit: "ms",
  peer: "git checkout HEAD~1 -- path",
  better: "lower",
  floor: 1,
  aim: 0.4,

  async prepare({ ground, quick, say }) {
    const files = filesOf(quick);
    say(`making a workspace of ${files} files`);
    await makeComputer(join(ground, "computer"), files);
    await makeRepository(join(ground, "repository"), files);
  },

  async run(round, { ground, quick }) {
    const repository = join(ground, "repository");
    const fileOf = (turn: number) => (round * 1009 + turn * 31) % filesOf(quick);
    return withComputer(join(ground, "computer"), true, async (computer) => {
      const ours = async (turn: number) => {
        const file = fileOf(turn);
        const done = await computer.write(
          `workspace/${pathOf(file)}`,
          Buffer.from(textOf(file, round * 100 + turn + 1)),
        );
        if (!done.ok) throw new Error(done.message);
        const took = await timed(() => computer.undo({ seq: done.seq }));
        expectBack(join(computer.root, "workspace"), file);
        return [took];
      };
      const peer = async (turn: number) => {
        const file = fileOf(turn);
        writeFileSync(join(repository, pathOf(file)), textOf(file, round * 100 + turn + 1));
        await commitAll(repository);
        const took = await timed(() => git(repository, "checkout", "--quiet", "HEAD~1", "--", pathOf(file)));
        expectBack(repository, file);
        await commitAll(repository);
        return [took];
      };
      const took = await inTurns(round, quick ? 5 : 20, ours, peer);
      return {
        ours: median(took.ours),
        peer: median(took.peer),
        p99: { ours: p99(took.ours), peer: p99(took.peer) },
      };
    });
  },
};

function filesOf(quick: boolean): number {
  return quick ? 2000 : 10_000;
}

/** An undo that left the file as it was would be quick, and worth nothing. */
function expectBack(folder: string, file: number): void {
  if (readFileSync(join(folder, pathOf(file)), "utf8") !== textOf(file, 0))
    throw new Error(`${pathOf(file)} isn't back`);
}
