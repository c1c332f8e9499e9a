import { mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Measure, Place } from "./measure.ts";

/** A folder for the whole run, gone when the process is, however it ends short of `kill -9`. */
export function temporaryFolder(fallback: string): string {
  const folder = mkdtempSync(join(onDisk(fallback), "choir-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)
    process.once(signal, () => process.exit(code));
  return folder;
}

/** Where a measure finds its ground, and a new folder for each round; that of the round before goes away. */
export function placesOf(
  folder: string,
  { id }: Measure,
  quick: boolean,
  say: (line: string) => void,
): (round: number) => Promise<Place> {
  const ground = join(folder, id, "ground");
  const place = (round: number) => join(folder, id, `round-${round}`);
  return async (round) => {
    await rm(place(round - 1), { recursive: true, force: true });
    await mkdir(place(round), { recursive: true });
    await mkdir(ground, { recursive: true });
    return { folder: place(round), ground, quick, say: (what) => say(`${id}: ${what}`) };
  };
}

const IN_MEMORY = [0x01021994, 0x858458f6]; // tmpfs, ramfs

/** The system's folder for such things, unless that is in memory, where a sync costs nothing and shows nothing. */
function onDisk(fallback: string): string {
  if (!IN_MEMORY.includes(statfsSync(tmpdir()).type)) return tmpdir();
  mkdirSync(fallback, { recursive: true });
  return fallback;
}
