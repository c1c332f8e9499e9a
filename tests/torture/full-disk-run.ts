import { type FullDiskReport, FullDiskTrial } from "./full-disk-trial.ts";
import { inWords } from "./promise.ts";

/** `node full-disk-run.ts DISK SEED ROUNDS`, where DISK is small: fills it with a new store each round. */
export type FullDiskRunReport = FullDiskReport | { readonly broken: string };

if (import.meta.main) await main(process.argv.slice(2));

async function main([disk = "", seed, rounds]: readonly string[]): Promise<void> {
  try {
    for (let round = 0; round < Number(rounds); round++) {
      report(await new FullDiskTrial(disk, `full-${Number(seed) + round}`).go());
    }
  } catch (error) {
    report({ broken: inWords(error) });
    process.exit(1);
  }
}

function report(line: FullDiskRunReport): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
