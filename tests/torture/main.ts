import { parseArgs } from "node:util";
import { inTemporaryFolder } from "./folder.ts";
import { type Done, type Plan, TORTURES, type Torture } from "./full-run.ts";
import { Progress } from "./progress.ts";
import { inWords } from "./promise.ts";
import { anySeed } from "./random.ts";

const HELP = `npm run torture -- [--seed N] [--only R1|R2|R3|R4|R7|R8] [--minutes N] [--help]

Kills, starves and damages logs and computers, and looks each time whether every promise is kept. Takes some hours, on two
cores.
Ends at the first broken promise with exit code 1, the seed, and the files as they were then.

  npm run torture                           all of it, with a new seed
  npm run torture -- --only R2              only the faults
  npm run torture -- --only R3 --seed 4711  the same damages as a run that said so

  R1  kill -9 of a process in which eight are at work: nothing acknowledged is lost or doubled, and it opens within a second;
      of one whose agents work: no step is done twice, and nothing is left open
  R2  the nth write, sync or rename fails, or the disk is full: nothing is acknowledged in vain, and it goes on by itself
  R3  cut files and flipped bits: never a wrong event, content, state or file without a word
  R4  any interleaving of writes, moves, edits by others, undos, rewinds, restarts: every moment can be gone back to
  R7  500 events a second for an hour, or --minutes, to sockets that come and go: no growth in memory, handles or latency
  R8  commands that leave 100,000 files, or one of a gigabyte: captured and taken back, in bounded memory
`;

interface Options extends Plan {
  readonly tortures: readonly Torture[];
}

const options = readOptions();
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));
if (options === "help") process.stdout.write(HELP);
else process.exitCode = await main(options);

async function main({ tortures, ...plan }: Options): Promise<number> {
  process.stdout.write(`seed ${plan.seed}\n\n`);
  const widest = Math.max(...tortures.map(({ title }) => title.length));
  const row = (id: string, title: string, runs: string, seconds: string, result: string) =>
    process.stdout.write(
      `${id.padEnd(4)}  ${title.padEnd(widest)}  ${runs.padStart(6)}  ${seconds.padStart(7)}  ${result}\n`,
    );
  row("test", "", "runs", "seconds", "result");
  for (const torture of tortures) {
    const start = performance.now();
    const seconds = () => ((performance.now() - start) / 1000).toFixed(1);
    const progress = new Progress();
    try {
      const { runs, result } = await take(torture, plan, (done) =>
        progress.say(`${torture.id}  ${torture.title}: ${done}, ${seconds()} s`),
      );
      progress.clear();
      row(torture.id, torture.title, String(runs), seconds(), `kept: ${result}`);
    } catch (error) {
      progress.clear();
      row(torture.id, torture.title, "", seconds(), "BROKEN");
      process.stderr.write(
        `\n${inWords(error)}\n\nTo see it again: npm run torture -- --only ${torture.id} --seed ${plan.seed}\n`,
      );
      return 1;
    }
  }
  return 0;
}

function take(torture: Torture, plan: Plan, progress: (done: string) => void): Promise<Done> {
  return inTemporaryFolder(
    (folder) => torture.run(folder, plan, progress),
    (folder) => {
      process.stderr.write(`\nWhat it came to is left in ${folder}\n`);
      return "keep";
    },
  );
}

function readOptions(): Options | "help" {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: "string" },
        only: { type: "string" },
        minutes: { type: "string", default: "60" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help) return "help";
    const seed = values.seed === undefined ? anySeed() : Number(values.seed);
    if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`--seed is a whole number, not '${values.seed}'`);
    const minutes = Number(values.minutes);
    if (!(minutes > 0)) throw new Error(`--minutes is a number, not '${values.minutes}'`);
    return { seed, minutes, tortures: chosen(values.only) };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    process.exit(2);
  }
}

function chosen(only: string | undefined): readonly Torture[] {
  const found = TORTURES.filter(({ id }) => only === undefined || id === only.toUpperCase());
  if (found.length === 0) throw new Error(`--only is ${TORTURES.map(({ id }) => id).join(", ")}, not '${only}'`);
  return found;
}
