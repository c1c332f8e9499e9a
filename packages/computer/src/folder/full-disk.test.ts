import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Landed } from "./landing.ts";

const SCRIPT = fileURLToPath(new URL("../testing/full-disk-landing.ts", import.meta.url));
/** Where, then the command: a disk of 12 MB that nobody else sees, with 8 MB of it taken. */
const MOUNT = 'mount -t tmpfs -o size=12m choir "$0" && head -c 8000000 /dev/zero > "$0/ballast" && exec "$@"';

/** Mounts of its own take root, or a system that lets everybody have them. Where there is neither, the test can't be run. */
const MOUNTS = [["--mount"], ["--user", "--map-root-user", "--mount"]].find((how) => {
  return spawnSync("unshare", [...how, "sh", "-c", 'mount -t tmpfs choir "$0"', tmpdir()]).status === 0;
});

test.runIf(MOUNTS)(
  "FOLD-20: on a full disk what has no room is blocked with that word, leaves nothing behind, and lands once there is room",
  () => {
    const root = mkdtempSync(join(tmpdir(), "choir-full-"));
    const run = spawnSync("unshare", [...(MOUNTS ?? []), "sh", "-c", MOUNT, root, process.execPath, SCRIPT, root], {
      encoding: "utf8",
    });
    rmSync(root, { recursive: true, force: true });
    expect(run.status, run.stderr).toBe(0);
    const { first, left, second, whole } = JSON.parse(run.stdout) as {
      first: Landed[];
      left: string[];
      second: Landed[];
      whole: number;
    };
    const blocked = first.filter(({ is }) => is === "blocked");
    expect(blocked.length).toBeGreaterThan(0);
    expect(blocked.every((outcome) => outcome.is === "blocked" && outcome.why === "the disk is full")).toBe(true);
    expect(left).toHaveLength(first.filter(({ is }) => is === "landed").length);
    expect(left.filter((name) => name.startsWith(".choir"))).toEqual([]);
    expect(second).toEqual(second.map(() => ({ is: "landed" })));
    expect(whole).toBe(60);
  },
);
