import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Desk } from "./computer-stage.ts";

/** Up to which event contents were made smaller. */
export function packed({ root }: Desk): number {
  const db = new DatabaseSync(join(root, ".choir/seen.sqlite"), { readOnly: true });
  const value = db.prepare("SELECT value FROM meta WHERE name = 'packed'").get()?.value;
  db.close();
  return Number(value ?? 0);
}

/** Closes a computer until it has packed everything: each time it does so for a moment, and gets further. */
export async function closedPacked(desk: Desk): Promise<Desk> {
  const head = await desk.head();
  await desk.close();
  for (let last = -1, now = packed(desk), rounds = 0; now < head; last = now, now = packed(desk)) {
    rounds = now === last ? rounds + 1 : 0;
    if (rounds > 20) throw new Error(`packing stands at ${now} of ${head}`);
    await (await desk.reopen()).close();
  }
  return desk;
}
