import { readFileSync } from "node:fs";

/** This process, in a way that no later process can be taken for it: its number and when it started. */
export function ownerName(): string {
  return `${process.pid}-${startOf(process.pid) ?? 0}`;
}

/** Whether the process that bears this name still runs. */
export function isAlive(owner: string): boolean {
  const [pid, start] = owner.split("-");
  return startOf(Number(pid)) === start;
}

/** In ticks since the machine started; nothing where there is no such process, or only its remains. */
export function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name, in brackets, may itself have spaces and brackets.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || state === "X" ? undefined : fields[18];
  } catch {
    return undefined; // gone: that is the answer
  }
}
