import { readdirSync, readFileSync } from "node:fs";
import { STATUS_FD } from "./arguments.ts";

const CLOSE_ON_EXEC = 0o2000000;

/** Descriptors that every program started by this process gets: whoever started it left them open. Node's own aren't. */
export function inheritedDescriptors(): number[] {
  return readdirSync("/proc/self/fd")
    .map(Number)
    .filter((fd) => fd > STATUS_FD && staysOpen(fd));
}

function staysOpen(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false; // the one by which the list was read
  }
}
