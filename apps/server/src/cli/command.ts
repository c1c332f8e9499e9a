import type { ParseArgsOptionsConfig } from "node:util";
import type { UserId } from "@choiros/contract";
import type { Home } from "../home.ts";

/** 0 done, 1 failed, 2 wrong usage, 3 conflict; 130 ended by Ctrl-C before it was done. */
export type ExitCode = 0 | 1 | 2 | 3 | 130;

export interface Command {
  /** The words it is called by: `events`, `config explain`. */
  readonly name: string;
  readonly summary: string;
  /** What follows the name, as in `[--from N]`. */
  readonly usage: string;
  readonly options: ParseArgsOptionsConfig;
  /** What each option means, in the order to show them. */
  readonly optionHelp: readonly (readonly [option: string, meaning: string])[];
  /** A command line and what it is for. */
  readonly examples: readonly (readonly [line: string, purpose: string])[];
  run(call: CommandCall): Promise<ExitCode>;
}

export interface CommandCall {
  readonly home: Home;
  /** Whose computer it is about. Asked for only by commands that are about one. */
  user(): UserId;
  readonly json: boolean;
  /** The command's own options, as they were written. */
  readonly options: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly env: NodeJS.ProcessEnv;
  readonly terminal: Terminal;
}

/** Where a command writes. Results go out; what is said about the work goes to the side. */
export interface Terminal {
  /** Resolves once there is room for more. */
  out(line: string): Promise<void>;
  aside(line: string): void;
  /** A line that the next one replaces, where there is a person to see it. */
  progress(line: string): void;
  readonly signal: AbortSignal;
}
