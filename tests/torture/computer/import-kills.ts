import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { importComputer } from "@choiros/computer";
import { CHANGING, compileFaults } from "../faults.ts";
import { hold, inContext } from "../promise.ts";
import { randomFrom } from "../random.ts";
import { Victim } from "../victim.ts";
import { makeComputer, makeSource, open } from "./fault-acts.ts";
import { checkFolder, checkNothingLeft } from "./folder-walk.ts";
import type { ImportOrder, ImportReport } from "./importer.ts";

export interface ImportKillPlan {
  readonly seed: number;
  readonly kills: number;
  readonly onProgress?: (done: number) => void;
}

export interface ImportKillReport {
  /** After so many kills there was nothing, and after so many everything. */
  readonly nothing: number;
  readonly everything: number;
}

const NEVER = 2 ** 31;

/** R1: kills an import at any point, and looks whether there is nothing or everything. */
export async function killImports(
  folder: string,
  { seed, kills, onProgress }: ImportKillPlan,
): Promise<ImportKillReport> {
  const file = join(folder, "computer.choir");
  const expected = await makeExport(folder, file);
  const watched = join(folder, "watched");
  mkdirSync(watched);
  const library = compileFaults(folder);
  const random = randomFrom(`import ${seed}`);
  const report = { nothing: 0, everything: 0 };
  const victim = (kill: number) =>
    new Victim<ImportOrder, ImportReport>("computer/importer.ts", library, watched, join(folder, `importer-${kill}`));
  let operations: number | undefined; // the first one is let go on, and counted
  let next = victim(0);
  for (let kill = 0; kill < kills; kill++) {
    const current = next;
    next = victim(kill + 1);
    const at = operations === undefined ? NEVER : 1 + random.below(operations);
    const fault = random.pick(["kill-before", "kill-halfway", "kill-after"]);
    const root = join(watched, "users", `computer-${kill}`);
    try {
      await current.until((reports) => reports.some(({ said }) => said === "ready"));
      current.faults.arm({ at, fault, operations: CHANGING });
      current.order({ file, root });
      await current.until((reports) => reports.some(({ said }) => said === "imported"));
      operations ??= current.faults.count().operations;
      await current.kill();
      const told = current.reports.some(({ said }) => said === "imported");
      report[await examine(file, root, expected, told)]++;
    } catch (error) {
      throw inContext(error, `seed ${seed}, import ${kill + 1}, ${fault} operation ${at}, ${root}`);
    }
    onProgress?.(kill + 1);
  }
  await next.kill();
  return report;
}

async function makeExport(folder: string, file: string): Promise<string> {
  const root = join(folder, "exported");
  await makeComputer(root);
  const computer = await open(root);
  await computer.add(makeSource(join(folder, "source")), "workspace/added");
  await computer.exportTo(file);
  const hash = await computer.stateHash();
  await computer.close();
  return hash;
}

async function examine(file: string, root: string, expected: string, told: boolean): Promise<"nothing" | "everything"> {
  const there = existsSync(join(root, ".choir"));
  hold(there || !told, "it was said to be imported, and nothing is there");
  if (!there) {
    const again = await importComputer({ file, root, userId: "ada" });
    hold(again.ok, () => `it can't be imported after that: ${again.ok ? "" : again.message}`);
  }
  const computer = await open(root);
  try {
    hold((await computer.stateHash()) === expected, "the import has another state than what was exported");
    await checkFolder(computer);
    const report = await computer.verify();
    hold(report.ok, () => `verify finds: ${[...report.state.problems, ...report.folder.problems][0]}`);
    checkNothingLeft(root);
    const beside = readdirSync(root).filter((name) => !KEPT.has(name));
    hold(beside.length === 0, () => `${beside.join(", ")} was left beside the computer`);
  } finally {
    await computer.close();
  }
  rmSync(root, { recursive: true });
  return there ? "everything" : "nothing";
}

const KEPT = new Set([".choir", "workspace", "artifacts", "choiros"]);
