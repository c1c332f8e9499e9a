import type { LogErrorCode } from "@choiros/log";
import { type FaultOrder, Operation } from "./faults.ts";

const { write, sync, truncate, rename, create, remove, link, read } = Operation;
const changing = write + sync + truncate + rename + create + remove + link;
/** What a full disk refuses: it can still remove. */
const growing = write + truncate + rename + create + link;

/** The ways in which a disk fails. */
export const FAULT_KINDS = {
  "EIO once": { fault: "EIO", operations: changing },
  "ENOSPC once": { fault: "ENOSPC", operations: growing },
  "short write once": { fault: "short", operations: write },
  "create EIO once": { fault: "EIO", operations: create },
  "rename EIO once": { fault: "EIO", operations: rename },
  "remove EIO once": { fault: "EIO", operations: remove },
  "fsync EIO once": { fault: "EIO", operations: sync },
  "read EIO once": { fault: "EIO", operations: read },
  "ENOSPC until there is room": { fault: "ENOSPC", operations: growing, lasting: true },
  "short write, then ENOSPC until there is room": { fault: "short", operations: growing, lasting: true },
  "EIO until the disk is back": { fault: "EIO", operations: changing, lasting: true },
  "EIO on everything until the disk is back": { fault: "EIO", operations: changing + read, lasting: true },
} as const satisfies Record<string, Omit<FaultOrder, "at">>;

export type FaultKind = keyof typeof FAULT_KINDS;

export function orderOf(kind: FaultKind, at: number): FaultOrder {
  return { ...FAULT_KINDS[kind], at };
}

/** Whether what is there can be read while the fault lasts. */
export function isReadable(kind: FaultKind): boolean {
  return (FAULT_KINDS[kind].operations & Operation.read) === 0;
}

/** What a call of an open store may call this fault. SQLite takes a page that can't be read for a damaged one. */
export function wordsFor(kind: FaultKind): readonly LogErrorCode[] {
  if (!isReadable(kind)) return ["io", "damaged"];
  return FAULT_KINDS[kind].fault === "EIO" ? ["io"] : ["disk-full"];
}
