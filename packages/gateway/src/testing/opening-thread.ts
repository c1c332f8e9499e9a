import { parentPort, workerData } from "node:worker_threads";
import { openAccounts } from "../accounts/open-accounts.ts";

/** Opens file after file, each at the moment when all who share the gate have come to it, and says what it saw. */
export interface OpeningData {
  readonly files: readonly string[];
  /** How many came to the gate so far. */
  readonly gate: Int32Array;
  readonly threads: number;
}

const { files, gate, threads }: OpeningData = workerData;
const seen: string[] = [];
for (const [i, file] of files.entries()) {
  Atomics.add(gate, 0, 1);
  while (Atomics.load(gate, 0) < (i + 1) * threads); // awake, so that they go on within a microsecond
  const home = { owner: () => "ada", computers: () => [] };
  const opened = openAccounts({ file, home, origins: () => ["http://choir.localhost"], report: () => {} });
  seen.push(opened.ok ? "opened" : opened.message);
  if (opened.ok) opened.accounts.close();
}
parentPort?.postMessage(seen);
