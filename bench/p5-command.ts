import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Computer, openComputer } from "@choiros/computer";
import { openSandbox, type Sandbox } from "@choiros/sandbox";
import { inTurns, type Measure, median, p99, type Round, timed } from "./measure.ts";
import { commitAll, makeComputer, makeRepository, pathOf } from "./workspace.ts";

/** A command on an overlay adds a line to one file: what it takes beyond the command itself until that is an event, durable. */
export const captureCommand: Measure = {
  id: "P5C",
  title: "a command's one-file change captured, 10,000 files",
  unit: "ms",
  peer: "git add -A and git commit of the same change there",
  better: "lower",
  floor: 0.5,
  aim: 0.15,

  async prepare({ ground, quick, say }) {
    const { few } = sizesOf(quick);
    say(`making a workspace of ${few} files`);
    await makeComputer(join(ground, "few"), few);
    await makeRepository(join(ground, "repository"), few);
  },

  async run(round, { ground, quick }) {
    const { few, turns } = sizesOf(quick);
    const repository = join(ground, "repository");
    return withCommands(join(ground, "few"), async (exec) => {
      const took = await inTurns(
        round,
        turns,
        async (turn) => {
          settle();
          return [await exec(fileOf(few, round, turn))];
        },
        async (turn) => {
          settle();
          appendFileSync(join(repository, fileOf(few, round, turn)), LINE);
          const all = await timed(() => commitAll(repository));
          return [{ all, run: 0 }];
        },
      );
      return roundOf(took);
    });
  },
};

export const captureCommandAmongMany: Measure = {
  id: "P5CL",
  title: "a command's one-file change captured, 100,000 files",
  unit: "ms",
  peer: "the same, 10,000 files",
  better: "lower",
  floor: 1.5,
  aim: 1.05,

  async prepare({ ground, quick, say }) {
    const { few, many } = sizesOf(quick);
    say(`making workspaces of ${few} and ${many} files`);
    await makeComputer(join(ground, "few"), few);
    await makeComputer(join(ground, "many"), many);
  },

  async run(round, { ground, quick }) {
    const { few, many, turns } = sizesOf(quick);
    return withCommands(join(ground, "few"), (inFew) =>
      withCommands(join(ground, "many"), async (inMany) => {
        const took = await inTurns(
          round,
          turns,
          async (turn) => [await inMany(fileOf(many, round, turn))],
          async (turn) => [await inFew(fileOf(few, round, turn))],
        );
        return roundOf(took);
      }),
    );
  },
};

/** What the one before left to be written is on the disk: nobody waits for what isn't theirs. */
function settle(): void {
  execFileSync("sync");
}

/** In milliseconds: from the call to its answer, and the part of it in which the command ran. */
interface Took {
  readonly all: number;
  readonly run: number;
}

const LINE = "x\n";

function sizesOf(quick: boolean) {
  return quick ? { few: 2000, many: 20_000, turns: 5 } : { few: 10_000, many: 100_000, turns: 10 };
}

function fileOf(files: number, round: number, turn: number): string {
  return pathOf(((round * 1000 + turn + 1) * 7919) % files);
}

function roundOf({ ours, peer }: { ours: Took[]; peer: Took[] }): Round {
  const beyond = (all: Took[]) => all.map((took) => took.all - took.run);
  const pair = (part: keyof Took) => ({
    ours: median(ours.map((one) => one[part])),
    peer: median(peer.map((one) => one[part])),
  });
  return {
    ours: median(beyond(ours)),
    peer: median(beyond(peer)),
    p99: { ours: p99(beyond(ours)), peer: p99(beyond(peer)) },
    also: { "with the command itself": pair("all"), "the command in its sandbox": pair("run") },
  };
}

type Exec = (file: string) => Promise<Took>;

async function withCommands<T>(root: string, work: (exec: Exec) => Promise<T>): Promise<T> {
  const clock = { ran: 0 };
  const runDir = `${root}-run`;
  mkdirSync(runDir, { recursive: true });
  const sandbox = async () => {
    const opened = await openSandbox({ root, runDir });
    if (opened.ok) watch(opened.sandbox, clock);
    return opened;
  };
  const opened = await openComputer({ root, userId: "bench", create: true, watch: true, sandbox });
  if (!opened.ok) throw new Error(opened.message);
  const { computer } = opened;
  try {
    await exec(computer, clock, pathOf(0)); // opens the sandbox
    return await work((file) => exec(computer, clock, file));
  } finally {
    await computer.close();
  }
}

async function exec(computer: Computer, clock: { ran: number }, file: string): Promise<Took> {
  const argv = ["/bin/sh", "-c", `echo x >> ${file}`];
  const start = performance.now();
  const outcome = await computer.exec({ argv });
  const all = performance.now() - start;
  if (!outcome.ok || outcome.changed !== 1) throw new Error(`${file} was not changed: ${JSON.stringify(outcome)}`);
  return { all, run: clock.ran };
}

/** Notes how long the last command ran, from the word to start it to its end. */
function watch(sandbox: Sandbox, clock: { ran: number }): void {
  const run = sandbox.run.bind(sandbox);
  const timedRun: Sandbox["run"] = async (command) => {
    const start = performance.now();
    const running = await run(command);
    void running.ended.then(() => {
      clock.ran = performance.now() - start;
    });
    return running;
  };
  Object.assign(sandbox, { run: timedRun });
}
