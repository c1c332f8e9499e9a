import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";

/** One mounted hierarchy of control groups, as `/proc/self/mountinfo` tells it. */
export interface Hierarchy {
  readonly version: 1 | 2;
  readonly controllers: readonly string[];
  /** The mount, and the folder in it that stands for the group this process is in. */
  readonly mount: string;
  readonly own: string;
}

export function hierarchies(
  mountinfo = readFileSync("/proc/self/mountinfo", "utf8"),
  cgroup = readFileSync("/proc/self/cgroup", "utf8"),
): Hierarchy[] {
  const groups = cgroup.split("\n").map((line) => /^\d+:([^:]*):(.*)$/.exec(line));
  return mountinfo.split("\n").flatMap((line): Hierarchy[] => {
    const [before = "", after = ""] = line.split(" - ");
    const [, , , root = "", mount = ""] = before.split(" ");
    const [type, , options = ""] = after.split(" ");
    if (type !== "cgroup" && type !== "cgroup2") return [];
    const version = type === "cgroup" ? 1 : 2;
    const all = options.split(",");
    const group = groups.find((one) => one !== null && belongs(one[1] ?? "", version, all));
    if (group === undefined || group === null) return [];
    // In a container the mount may begin below the root of the hierarchy.
    const below = relative(root, group[2] ?? "/");
    const own = below.startsWith("..") ? mount : join(mount, below);
    return [{ version, controllers: version === 1 ? all : [], mount, own }];
  });
}

function belongs(named: string, version: 1 | 2, options: readonly string[]): boolean {
  if (version === 2) return named === "";
  return named !== "" && named.split(",").every((controller) => options.includes(controller));
}

export function read(folder: string, file: string): string {
  try {
    return readFileSync(join(folder, file), "utf8");
  } catch {
    return ""; // this kernel has no such file, or the group is gone: it tells nothing
  }
}

export function write(folder: string, file: string, value: string | number): void {
  writeFileSync(join(folder, file), String(value));
}

/** For what a kernel may have or not. */
export function tryWrite(folder: string, file: string, value: string | number): void {
  try {
    write(folder, file, value);
  } catch {
    // not here: the limit that matters was set without it
  }
}

/** The number after a word: `oom_kill 3`. */
export function count(text: string, word: string): number {
  return Number(new RegExp(`^${word} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
}

/** Who is moved may have ended meanwhile. */
export async function moveTo(files: readonly string[], pid: number): Promise<void> {
  for (const file of files) {
    await writeFile(file, String(pid)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ESRCH") throw error;
    });
  }
}

export function makeGroup(folder: string): string {
  mkdirSync(folder);
  return folder;
}

/** Ends whatever still runs in a group or below, and removes it. */
export function clearGroup(folder: string): void {
  for (const name of childrenOf(folder)) clearGroup(join(folder, name));
  for (const pid of read(folder, "cgroup.procs").split("\n")) {
    if (pid !== "") tryKill(Number(pid));
  }
  removeGroup(folder);
}

/** A group whose last process is just being buried can't be removed yet: the next open does it. */
export function removeGroup(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // gone already, or busy for a moment more
  }
}

/** The groups in a group. */
export function childrenOf(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return []; // gone already
  }
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it ended by itself
  }
}
