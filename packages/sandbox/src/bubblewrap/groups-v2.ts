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

const PERIOD_US = 100_000;

/** Version 2 has one hierarchy, and a group has either processes or groups with limits. */
export function versionTwoGroups(name: string, found: readonly Hierarchy[] = hierarchies()): Groups | undefined {
  const hierarchy = found.find((one) => one.version === 2);
  if (hierarchy === undefined) return undefined;
  const parent = makeParent(hierarchy.own, name) ?? makeParent(hierarchy.mount, name);
  if (parent === undefined) return undefined;
  let made = 0;
  return {
    kind: "cgroup v2",
    folders: [parent],
    make: (limits) => makeOne(join(parent, String(++made)), limits),
    close: () => clearGroup(parent),
  };
}

function makeParent(base: string, name: string): string | undefined {
  const controllers = read(base, "cgroup.controllers").trim().split(" ");
  if (!controllers.includes("memory") || !controllers.includes("pids")) return undefined;
  const enable = controllers.includes("cpu") ? "+memory +pids +cpu" : "+memory +pids";
  const parent = join(base, name);
  try {
    makeGroup(parent);
    giveControllers(base, enable);
    write(parent, "cgroup.subtree_control", enable);
    return parent;
  } catch {
    clearGroup(parent);
    return undefined; // not ours to make groups in
  }
}

/** A group that was given to this process alone has it inside: it moves one down, so that there can be groups beside it. */
function giveControllers(base: string, enable: string): void {
  try {
    write(base, "cgroup.subtree_control", enable);
  } catch (error) {
    if (read(base, "cgroup.procs").trim() !== String(process.pid)) throw error;
    const leaf = makeGroup(join(base, `choiros-${process.pid}`));
    write(leaf, "cgroup.procs", process.pid);
    write(base, "cgroup.subtree_control", enable);
  }
}

function makeOne(folder: string, limits: Limits): Group {
  makeGroup(folder);
  if (Number.isFinite(limits.memoryBytes)) {
    write(folder, "memory.max", limits.memoryBytes);
    tryWrite(folder, "memory.swap.max", 0);
    tryWrite(folder, "memory.oom.group", 1);
  }
  if (Number.isFinite(limits.processes)) write(folder, "pids.max", limits.processes);
  if (Number.isFinite(limits.cpu)) tryWrite(folder, "cpu.max", `${Math.round(limits.cpu * PERIOD_US)} ${PERIOD_US}`);
  const joins = [join(folder, "cgroup.procs")];
  return {
    joins,
    enter: (pid) => moveTo(joins, pid),
    reached: () => {
      if (count(read(folder, "memory.events"), "oom_kill") > 0) return "memory";
      return count(read(folder, "pids.events"), "max") > 0 ? "processes" : undefined;
    },
    remove: () => removeGroup(folder),
  };
}
