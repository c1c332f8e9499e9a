import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { dragWindow, scrollFiles, scrollTimeline } from "./desk-frames.ts";
import { placesOf, temporaryFolder } from "./folder.ts";
import { addToHistory, historyLine, originOf } from "./history.ts";
import { manyFiles } from "./many-files.ts";
import { type Measure, type Result, take } from "./measure.ts";
import { openLog } from "./open-log.ts";
import { watchOthers } from "./others.ts";
import { appendOne } from "./p1-append-one.ts";
import { appendMany } from "./p2-append-many.ts";
import { replay } from "./p3-replay.ts";
import { openComputer } from "./p4-open-computer.ts";
import { captureEdit, captureEditAmongMany } from "./p5-capture-edit.ts";
import { captureCommand, captureCommandAmongMany } from "./p5-command.ts";
import { undo } from "./p6-undo.ts";
import { treeAt } from "./p7-tree-at.ts";
import { fanOut } from "./p8-fan-out.ts";
import { sandbox } from "./p9-sandbox.ts";
import { idleUser } from "./p10-idle-user.ts";
import { firstLoad } from "./p11-first-load.ts";
import { usable } from "./p11-usable.ts";
import { historySize } from "./p13-history-size.ts";
import { largeFileSize } from "./p13-large-file-size.ts";
import { pause } from "./pause.ts";
import { readLarge, readSmall } from "./read-file.ts";
import { slider } from "./slider.ts";
import { withStore } from "./stores.ts";
import { table } from "./table.ts";
import { tenAsks } from "./ten-asks.ts";
import { bashCall, toolCall } from "./tool-call.ts";

const MEASURES: readonly Measure[] = [
  appendOne,
  appendMany,
  replay,
  openComputer,
  captureEdit,
  captureEditAmongMany,
  captureCommand,
  captureCommandAmongMany,
  undo,
  treeAt,
  slider,
  readSmall,
  readLarge,
  fanOut,
  sandbox,
  idleUser,
  firstLoad,
  usable,
  dragWindow,
  scrollTimeline,
  scrollFiles,
  openLog,
  pause,
  historySize,
  largeFileSize,
  manyFiles,
  toolCall,
  bashCall,
  tenAsks,
];
const ROUNDS = 7;
const QUICK_ROUNDS = 2;

const HELP = `npm run bench -- [--only IDS] [--quick] [--json]

Measures what ChoirOS promises to be quick at against a peer, in turns, and prints ours, the peer, and the ratio.
Exits with 1 where a floor isn't met, and adds a line to bench/results.md.

  npm run bench                        all of it: some minutes, and 2 GB of disk for a while
  npm run bench -- --only P1,P2        only these
  npm run bench -- --quick             fewer and smaller rounds, to try a change out; no line of history
  npm run bench -- --json              the same for programs, on stdout; progress is on stderr

${MEASURES.map(({ id, title }) => `  ${id.padEnd(7)} ${title}`).join("\n")}
`;

const root = join(import.meta.dirname, "..");
const options = readOptions();
if (options === "help") process.stdout.write(HELP);
else process.exitCode = await main(options);

interface Options {
  readonly measures: readonly Measure[];
  readonly quick: boolean;
  readonly json: boolean;
}

async function main({ measures, quick, json }: Options): Promise<number> {
  const origin = originOf(root); // now: what is measured is what was loaded, whatever is edited meanwhile
  const watched = watchOthers();
  const results = await takeAll(measures, quick);
  const others = watched();
  if (!quick) addToHistory(join(import.meta.dirname, "results.md"), historyLine(origin, others, results));
  const report = { ...origin, others, results: results.map(({ measure, ...result }) => ({ ...measure, ...result })) };
  process.stdout.write(json ? `${JSON.stringify(report, undefined, 2)}\n` : `\n${table(results, others)}\n`);
  return results.some(({ verdict }) => verdict === "not met") ? 1 : 0;
}

async function takeAll(measures: readonly Measure[], quick: boolean): Promise<Result[]> {
  const folder = temporaryFolder(join(root, ".build"));
  const say = (line: string) => process.stderr.write(`${line}\n`);
  // One store stays open all the time, so that the disk's thread is started and warm, as in a server.
  return withStore(join(folder, "open"), async () => {
    const results: Result[] = [];
    for (const measure of measures) {
      const places = placesOf(folder, measure, quick, say);
      results.push(await take(measure, quick ? QUICK_ROUNDS : (measure.rounds ?? ROUNDS), places));
      await rm(join(folder, measure.id), { recursive: true, force: true });
    }
    return results;
  });
}

function readOptions(): Options | "help" {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string" },
        quick: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help) return "help";
    return { measures: chosen(values.only), quick: values.quick, json: values.json };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    process.exit(2);
  }
}

function chosen(only: string | undefined): readonly Measure[] {
  if (only === undefined) return MEASURES;
  return only.split(",").map((id) => {
    const found = MEASURES.find((measure) => measure.id.toLowerCase() === id.trim().toLowerCase());
    if (found === undefined)
      throw new Error(`there is no measure '${id}': ${MEASURES.map((one) => one.id).join(", ")}`);
    return found;
  });
}
