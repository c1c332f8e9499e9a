import { LogError } from "@choiros/log";
import { failureOf } from "@choiros/log/failure";

/** Nothing was done then, and the same can be asked again. */
export function isFull(error: unknown): boolean {
  return (error instanceof LogError ? error.code : failureOf(error).code) === "disk-full";
}

export const FULL = "The server's disk is full. Make room there, and try again: nothing is lost.";
