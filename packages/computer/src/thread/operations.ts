import type { Operations } from "@choiros/log";
import type { FolderOperations } from "../folder/folder-operations.ts";
import type { StateOperations } from "../state/state-operations.ts";

/** What the computer's thread can be asked to do. */
export type ComputerOperations = StateOperations & FolderOperations;

/**
 * How a thread does it: one function for each operation. It blocks, so it does a bounded slice of the work (under 50 ms)
 * and lets its caller ask for the next one; others wait meanwhile.
 */
export type Table<Ops extends Operations> = {
  readonly [Op in keyof Ops]: (target: number, request: Ops[Op]["request"]) => Ops[Op]["answer"];
};
