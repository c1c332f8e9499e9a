import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FullDiskRunReport } from "./full-disk-run.ts";
import type { FullDiskReport } from "./full-disk-trial.ts";
import { BrokenPromise, hold } from "./promise.ts";
import { runScript } from "./script.ts";

export interface FullDiskPlan {
  readonly seed: number;
  readonly rounds: number;
  readonly megabytes: number;
  /** What is done on it: to a store, unless told. */
  readonly script?: string;
}

const PATIENCE_MS = 60_000;

/** R2 on a disk that really is full: a small one in memory, which nobody else sees and which goes with the process. */
export async function fillDisk(folder: string, plan: FullDiskPlan): Promise<FullDiskReport> {
  const { seed, rounds, megabytes, script = "full-disk-run.ts" } = plan;
  const mounts = privateMounts();
  if (mounts === undefined) throw new Error(noFullDisk());
  const disk = join(folder, "disk");
  mkdirSync(disk);
  const total = { refused: 0, acknowledged: 0 };
  await runScript<FullDiskRunReport>({
    script: [script, disk, String(seed), String(rounds)],
    folder,
    under: [...mounts, "sh", "-c", MOUNT, disk, `${megabytes}m`],
    patienceMs: PATIENCE_MS,
    onLine: (line) => {
      if ("broken" in line) throw new BrokenPromise(`seed ${seed}, on a full disk of ${megabytes} MB: ${line.broken}`);
      total.refused += line.refused;
      total.acknowledged += line.acknowledged;
    },
  });
  hold(total.refused > 0 && total.acknowledged > 0, "the disk never was full, or always");
  return total;
}

/** The arguments: where, how large, then the command. */
const MOUNT = 'mount -t tmpfs -o size="$1" choir "$0" && shift && exec "$@"';

/** Why a full disk can't be had here; `undefined` where it can. */
export function noFullDisk(): string | undefined {
  if (privateMounts() !== undefined) return undefined;
  return (
    "a disk that is full can't be tried here: it takes a small tmpfs in a mount namespace. Run this as root, or allow " +
    "user namespaces (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0); " +
    "in a container give it CAP_SYS_ADMIN"
  );
}

/** Mounts of its own, as root or, where the system lets everybody, as who we are. */
function privateMounts(): string[] | undefined {
  const ways = [["--mount"], ["--user", "--map-root-user", "--mount"]].map((how) => ["unshare", ...how]);
  return ways.find(([command, ...how]) => {
    const test = ["sh", "-c", 'mount -t tmpfs choir "$0"', tmpdir()];
    return spawnSync(command ?? "", [...how, ...test]).status === 0;
  });
}
