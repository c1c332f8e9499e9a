import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { importComputer } from "@choiros/computer";
import { open } from "./fault-acts.ts";

/** The process that is killed while it imports: `node importer.ts WARM_DIR`, one order on stdin. */
export interface ImportOrder {
  readonly file: string;
  readonly root: string;
}

export type ImportReport =
  | { readonly said: "ready" | "imported" }
  | { readonly said: "failed"; readonly message: string };

if (import.meta.main) await main(process.argv[2] ?? "");

async function main(warm: string): Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  await open(warm);
  report({ said: "ready" });
  const line = await lines.next();
  if (line.done === true) return process.exit();
  const { file, root }: ImportOrder = JSON.parse(line.value);
  const imported = await importComputer({ file, root, userId: "ada" });
  report(imported.ok ? { said: "imported" } : { said: "failed", message: imported.message });
  process.exit();
}

function report(line: ImportReport): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
