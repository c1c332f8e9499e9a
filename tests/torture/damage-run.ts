import { join } from "node:path";
import { openStore } from "@choiros/log";
import type { Damage } from "./damage.ts";
import { type Outcome, tryDamage } from "./damage-trial.ts";
import { readOriginal } from "./original.ts";
import { inWords } from "./promise.ts";

/** The process that opens damaged stores: `node damage-run.ts ORIGINALS PLACE`, with the damages on stdin. */
export type DamageRunReport =
  | { readonly begun: number }
  | { readonly done: number; readonly outcome: Outcome }
  | { readonly broken: string };

if (import.meta.main) await main(process.argv[2] ?? "", process.argv[3] ?? "");

async function main(originals: string, place: string): Promise<void> {
  const damages: Damage[] = JSON.parse(Buffer.concat(await Array.fromAsync(process.stdin)).toString("utf8"));
  const stores = {
    closed: await readOriginal(join(originals, "closed"), place),
    open: await readOriginal(join(originals, "open"), place),
  };
  // The disk's thread runs all the time, as in a server: it must get over each damage, too.
  await openStore({ dir: join(place, "warm"), userId: "bob", mode: "write", create: true });
  for (const [number, damage] of damages.entries()) {
    report({ begun: number });
    try {
      report({ done: number, outcome: await tryDamage(stores[damage.store], damage, join(place, "trial")) });
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
