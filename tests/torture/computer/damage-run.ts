import { join } from "node:path";
import { inWords } from "../promise.ts";
import { type ComputerDamage, type ComputerOutcome, tryDamage } from "./damage-trial.ts";
import { readOriginal } from "./damaged-original.ts";
import { open } from "./fault-acts.ts";

/** The process that opens damaged computers: `node damage-run.ts ORIGINALS PLACE`, with the damages on stdin. */
export type DamageRunReport =
  | { readonly begun: number }
  | { readonly done: number; readonly outcome: ComputerOutcome }
  | { readonly broken: string };

if (import.meta.main) await main(process.argv[2] ?? "", process.argv[3] ?? "");

async function main(originals: string, place: string): Promise<void> {
  const damages: ComputerDamage[] = JSON.parse(Buffer.concat(await Array.fromAsync(process.stdin)).toString("utf8"));
  await open(join(place, "warm")); // its threads run all the time, and must get over each damage
  const computers = {
    closed: await readOriginal(join(originals, "closed"), place),
    open: await readOriginal(join(originals, "open"), place),
  };
  for (const [number, damage] of damages.entries()) {
    report({ begun: number });
    try {
      report({ done: number, outcome: await tryDamage(computers[damage.computer], damage, join(place, "trial")) });
    } catch (error) {
      report({ broken: inWords(error) });
      process.exit(1);
    }
  }
  process.exit();
}

function report(line: DamageRunReport): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
