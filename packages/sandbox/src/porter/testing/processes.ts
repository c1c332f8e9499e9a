import { readdirSync, readFileSync } from "node:fs";

/** What runs below a process, each with its command line. */
export function descendantsOf(pid: number): Map<number, string> {
  const parents = new Map(readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [parentOf(Number(name))] : [])));
  const found = new Map<number, string>();
  const search = (parent: number) => {
    for (const [child, its] of parents) {
      if (its !== parent) continue;
      found.set(child, fileOf(child, "cmdline").replaceAll("\0", " "));
      search(child);
    }
  };
  search(pid);
  return found;
}

/** Whether it is there, and not merely waiting to be counted out. */
export function isRunning(pid: number): boolean {
  const state = fieldsOf(pid)[0];
  return state !== undefined && state !== "Z" && state !== "X";
}

function parentOf(pid: number): [pid: number, parent: number] {
  return [pid, Number(fieldsOf(pid)[1])];
}

/** Of `stat`, what stands behind the program's name, which may itself hold anything. */
function fieldsOf(pid: number): string[] {
  const stat = fileOf(pid, "stat");
  return stat === "" ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function fileOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return ""; // it is gone
  }
}
