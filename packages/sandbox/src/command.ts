import { constants } from "node:os";
import { posix } from "node:path";
import type { Limits } from "./limits.ts";
import { type Command, HOME_INSIDE } from "./sandbox.ts";
import { SandboxError } from "./sandbox-error.ts";

/** The words of a command. */
export function argvOf(command: Command): readonly string[] {
  const argv = "shell" in command ? ["/bin/sh", "-c", command.shell] : command.argv;
  if (argv.length === 0 || argv.some((word) => word.includes("\0"))) {
    throw new SandboxError("misuse", "A command needs at least one word, and no word can have a zero byte");
  }
  return argv;
}

/** Where a command begins. `..` can't lead out of the folder, nor could it lead anywhere but to an error. */
export function directoryInside(cwd = "workspace"): string {
  const path = posix.resolve(HOME_INSIDE, cwd);
  if (path === HOME_INSIDE || path.startsWith(`${HOME_INSIDE}/`)) return path;
  throw new SandboxError("misuse", `${cwd} is not in the computer's folder, which is ${HOME_INSIDE} inside`);
}

/** What one command may use: what it says itself, and else what is given. */
export function limitsOf({ limits, timeoutMs }: Command, others: Limits): Limits {
  return { ...others, ...limits, ...(timeoutMs !== undefined && { timeMs: timeoutMs }) };
}

/** The signal that an exit status tells of, as shells do: 128 and its number. */
export function signalOf(exit: number | null): { readonly signal?: string } {
  const name = Object.entries(constants.signals).find(([, number]) => exit === 128 + number)?.[0];
  return name === undefined ? {} : { signal: name };
}
