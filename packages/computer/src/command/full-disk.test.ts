import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { fileText } from "../testing/trees.ts";

const SCRIPT = fileURLToPath(new URL("../testing/full-disk-command.ts", import.meta.url));
const MOUNT = 'mount -t tmpfs -o size=24m choir "$0" && exec "$@"';

/** A disk of its own, which nobody else sees, takes root, or a system that lets everybody have one. */
const MOUNTS = [["--mount"], ["--user", "--map-root-user", "--mount"]].find((how) => {
  return spawnSync("unshare", [...how, "sh", "-c", 'mount -t tmpfs choir "$0"', tmpdir()]).status === 0;
});

test.runIf(MOUNTS)(
  "CMD-17: on a full disk nothing of a command lands, it is said, and the next one runs once there is room",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "choir-full-"));
    const disk = mkdtempSync(join(folder, "disk-"));
    const args = [...(MOUNTS ?? []), "sh", "-c", MOUNT, disk, process.execPath, SCRIPT, disk, folder];
    const run = spawnSync("unshare", args, { encoding: "utf8" });
    rmSync(folder, { recursive: true, force: true });
    expect(run.status, run.stderr).toBe(0);
    const { first, errors, full, after, tree, unended, layers } = JSON.parse(run.stdout);
    expect(first).toMatchObject({ ok: true, changed: 1 });
    for (const error of errors) expect(error).toMatch(/full|ENOSPC/);
    expect(full).toEqual({ "workspace/a": fileText("1\n") });
    expect(after).toMatchObject({ ok: true, changed: 1, exit: 0 });
    expect(tree).toEqual({ "workspace/a": fileText("3\n") });
    expect(unended).toEqual([]);
    expect(layers).toEqual([]);
  },
);
