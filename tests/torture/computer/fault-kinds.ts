import { CHANGING, type FaultOrder, Operation } from "../faults.ts";

const { write, sync, truncate, rename, create, remove, link, read, open, mode } = Operation;
/** What a full disk refuses: it can still remove. */
const growing = write + truncate + rename + create + link;

/** The ways in which the disk of a computer fails. */
export const COMPUTER_FAULTS = {
  "EIO once": { fault: "EIO", operations: CHANGING },
  "ENOSPC once": { fault: "ENOSPC", operations: growing },
  "short write once": { fault: "short", operations: write },
  "rename, link or remove EIO once": { fault: "EIO", operations: rename + link + remove },
  "fsync or chmod EIO once": { fault: "EIO", operations: sync + mode },
  "open or read EIO once": { fault: "EIO", operations: open + read },
  "ENOSPC until there is room": { fault: "ENOSPC", operations: growing, lasting: true },
  "short write, then ENOSPC until there is room": { fault: "short", operations: growing, lasting: true },
  "EIO until the disk is back": { fault: "EIO", operations: CHANGING, lasting: true },
  "EIO on everything until the disk is back": { fault: "EIO", operations: CHANGING + open + read, lasting: true },
} as const satisfies Record<string, Omit<FaultOrder, "at">>;

export type ComputerFault = keyof typeof COMPUTER_FAULTS;
