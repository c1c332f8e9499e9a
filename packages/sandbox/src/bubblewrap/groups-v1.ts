import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import type { Limits } from "../limits.ts";
import {
  clearGroup,
  count,
  type Hierarchy,
  hierarchies,
  makeGroup,
  moveTo,
  read,
  removeGroup,
  tryWrite,
  write,
} from "./group-files.ts";
import type { Group, Groups } from "./groups.ts";

const NEEDED = ["memory", "pids"];
const WANTED = [...NEEDED, "cpu"];
const PERIOD_US = 100_000;

/** Version 1 has a hierarchy for each controller. */
export function versionOneGroups(name: string, found: readonly Hierarchy[] = hierarchies()): Groups | undefined {
  const parents = new Map<string, string>();
  for (const controller of WANTED) {
    const hierarchy = found.find((one) => one.version === 1 && one.controllers.includes(controller));
    const parent = hierarchy && makeParent(join(hierarchy.own, name));
    if (parent !== undefined) parents.set(controller, parent);
  }
  const folders = [...new Set(parents.values())];
  if (NEEDED.some((controller) => !parents.has(controller))) {
    for (const folder of folders) clearGroup(folder);
    return undefined;
  }
  let made = 0;
  return {
    kind: "cgroup v1",
    folders,
    make: (limits) => makeOne(parents, String(++made), limits),
    close: () => folders.forEach(clearGroup),
  };
}

function makeParent(folder: string): string | undefined {
  try {
    makeGroup(folder);
    accessSync(join(folder, "cgroup.procs"), constants.W_OK);
    return folder;
  } catch {
    return undefined; // not ours to make groups in
  }
}

function makeOne(parents: ReadonlyMap<string, string>, name: string, limits: Limits): Group {
  const folders = [...new Set(parents.values())].map((parent) => makeGroup(join(parent, name)));
  const folderOf = (controller: string) => join(parents.get(controller) ?? "", name);
  setLimits(folderOf, parents.has("cpu"), limits);
  const joins = folders.map((folder) => join(folder, "cgroup.procs"));
  return {
    joins,
    enter: (pid) => moveTo(joins, pid),
    reached: () => {
      if (count(read(folderOf("memory"), "memory.oom_control"), "oom_kill") > 0) return "memory";
      return count(read(folderOf("pids"), "pids.events"), "max") > 0 ? "processes" : undefined;
    },
    remove: () => {
      for (const folder of folders) removeGroup(folder);
    },
  };
}

function setLimits(folderOf: (controller: string) => string, hasCpu: boolean, limits: Limits): void {
  if (Number.isFinite(limits.memoryBytes)) {
    write(folderOf("memory"), "memory.limit_in_bytes", limits.memoryBytes);
    tryWrite(folderOf("memory"), "memory.memsw.limit_in_bytes", limits.memoryBytes);
  }
  if (Number.isFinite(limits.processes)) write(folderOf("pids"), "pids.max", limits.processes);
  if (hasCpu && Number.isFinite(limits.cpu)) {
    tryWrite(folderOf("cpu"), "cpu.cfs_period_us", PERIOD_US);
    tryWrite(folderOf("cpu"), "cpu.cfs_quota_us", Math.round(limits.cpu * PERIOD_US));
  }
}
