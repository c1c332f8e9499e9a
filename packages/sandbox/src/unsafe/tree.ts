import { readdirSync, readFileSync } from "node:fs";

/** What a command starts has this in its environment, by which it is found in whatever session it is. */
export const MARK = "CHOIR_COMMAND";

/** All that one command started, by what it can be known by. */
export interface Tree {
  /** A shell with job control gives each job a group of its own; they share the session. */
  readonly session: number | undefined;
  readonly mark: string;
}

/** Some may start more while others are looked for. */
const MOST_LOOKS = 10;

/** Only what is found to be of it: once the first of them has ended, its number may be anybody's. */
export function killTree(tree: Tree): void {
  const killed = new Set<number>();
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const found = processesOf(tree).filter((pid) => !killed.has(pid));
    if (found.length === 0) return;
    for (const pid of found) {
      killed.add(pid);
      kill(pid);
    }
  }
}

function processesOf({ session, mark }: Tree): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && (sessionOf(name) === session || isMarked(name, mark)))
    .map(Number);
}

function sessionOf(pid: string): number {
  const stat = textOf(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3]);
}

function isMarked(pid: string, mark: string): boolean {
  return textOf(`/proc/${pid}/environ`).split("\0").includes(`${MARK}=${mark}`);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return ""; // it ended by itself, or is another user's
  }
}

export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it ended by itself
  }
}
