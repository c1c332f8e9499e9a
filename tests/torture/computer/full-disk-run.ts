import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Computer } from "@choiros/computer";
import { LogError } from "@choiros/log";
import type { FullDiskRunReport } from "../full-disk-run.ts";
import { hold, inWords } from "../promise.ts";
import { type Random, randomFrom } from "../random.ts";
import { open } from "./fault-acts.ts";
import { checkFolder } from "./folder-walk.ts";

/** So many refusals are enough. */
const ENOUGH = 12;
const PATIENCE_MS = 20_000;

/** `node full-disk-run.ts DISK SEED ROUNDS`, where DISK is small: fills it with a new computer each round. */
if (import.meta.main) await main(process.argv.slice(2));

async function main([disk = "", seed, rounds]: readonly string[]): Promise<void> {
  try {
    for (let round = 0; round < Number(rounds); round++) {
      report(await fill(disk, randomFrom(`full computer ${Number(seed) + round}`)));
    }
    process.exit();
  } catch (error) {
    report({ broken: inWords(error) });
    process.exit(1);
  }
}

async function fill(disk: string, random: Random): Promise<{ refused: number; acknowledged: number }> {
  const root = join(disk, "computer");
  const ballast = join(disk, "ballast");
  const computer = await open(root);
  takeRoom(disk, ballast, 0.4);
  const refused: Write[] = [];
  let acknowledged = 0;
  for (let number = 0; refused.length < ENOUGH; number++) {
    const write = planned(random, number);
    if (await attempt(computer, write)) acknowledged++;
    else refused.push(write);
  }
  await look(computer);
  rmSync(ballast);
  for (const write of refused) hold(await attempt(computer, write), `${write.id} fails though there is room`);
  for (const end = performance.now() + PATIENCE_MS; computer.blocked().length > 0; await delay(20)) {
    const [first] = computer.blocked();
    hold(performance.now() < end, () => `${first?.key} stays blocked though there is room: ${first?.why}`);
  }
  await check(computer, acknowledged + refused.length);
  await computer.close();
  const again = await open(root);
  await check(again, acknowledged + refused.length);
  await again.close();
  rmSync(root, { recursive: true });
  return { refused: refused.length, acknowledged };
}

interface Write {
  readonly id: string;
  readonly key: string;
  readonly bytes: Uint8Array;
}

function planned(random: Random, number: number): Write {
  const key = `workspace/part-${random.below(4)}/file-${number}`;
  return { id: `full-${number}`, key, bytes: random.bytes(1 + random.below(random.chance(0.3) ? 150_000 : 20_000)) };
}

/** Whether it was acknowledged. What isn't says that the disk is full. */
async function attempt(computer: Computer, { id, key, bytes }: Write): Promise<boolean> {
  try {
    const outcome = await computer.write(key, bytes, { id });
    hold(outcome.ok, () => `${id} was refused: ${outcome.ok ? "" : outcome.message}`);
    return true;
  } catch (error) {
    const own = error instanceof LogError || (error instanceof Error && error.name === "FolderError");
    hold(own, () => `${id} failed with an error that is not its own: ${error}`);
    hold(/full/.test(error.message), () => `it is not said that the disk is full: ${error.message}`);
    return false;
  }
}

/** What is there can be read on a full disk, unless the state had no room for the last events: then that is said. */
async function look(computer: Computer): Promise<void> {
  try {
    await Array.fromAsync(computer.files());
  } catch (error) {
    const told = error instanceof LogError && error.code === "disk-full";
    hold(told, () => `the tree can't be read, and not for want of room: ${error}`);
  }
}

async function check(computer: Computer, writes: number): Promise<void> {
  const ids = (await Array.fromAsync(computer.log.read())).map(({ id }) => id).filter((id) => id.startsWith("full-"));
  hold(ids.length === writes && new Set(ids).size === writes, () => `${writes} were written, ${ids.length} are there`);
  await checkFolder(computer);
  const report = await computer.verify();
  hold(report.ok, () => `verify finds: ${[...report.state.problems, ...report.folder.problems][0]}`);
}

/** A file in the way, for so much of what is free. */
function takeRoom(disk: string, ballast: string, part: number): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(ballast, new Uint8Array(Math.ceil(bavail * part) * bsize));
}

function report(line: FullDiskRunReport): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
