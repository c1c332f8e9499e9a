import type { ParseArgsOptionsConfig } from "node:util";
import type { UserId } from "@choiros/contract";
import type { Home } from "../home.ts";

/**
 * 0 done, 1 failed, 2 wrong usage, 3 conflict; 130 ended by Ctrl-C before it was done. `exec` ends with what the command
 * it ran ended with.
 */
export type ExitCode = number;

export interface Command {
  /** The words it is called by: `events`, `config explain`. */
  readonly name: string;
  readonly summary: string;
  /** The words that follow the name, in their order. */
  readonly positionals?: readonly Positional[];
  /** What else follows the name, as in `[--from N]`. */
  readonly usage: string;
  readonly options: ParseArgsOptionsConfig;
  /** Options of type string that may also stand without a value: it is the empty text then. */
  readonly bareOptions?: readonly string[];
  /** Everything after `--` is the words, as they are; there are no words before it. */
  readonly verbatim?: boolean;
  /** What each option means, in the order to show them. */
  readonly optionHelp: readonly (readonly [option: string, meaning: string])[];
  /** A command line and what it is for. */
  readonly examples: readonly (readonly [line: string, purpose: string])[];
  /** What else one should know, in lines. */
  readonly about?: readonly string[];
  run(call: CommandCall): Promise<ExitCode>;
}

export interface Positional {
  /** As the help shows it: `PATH`. */
  readonly name: string;
  readonly optional?: boolean;
  /** May be repeated; the last one only. */
  readonly many?: boolean;
}

export interface CommandCall {
  readonly home: Home;
  /** Whose computer it is about. Asked for only by commands that are about one. */
  user(): UserId;
  readonly json: boolean;
  /** The command's own options, as they were written. */
  readonly options: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  /** The words that are no options: at least as many as the command must have, at most as many as it may. */
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly terminal: Terminal;
}

/** Where a command reads and writes. Results go out; what is said about the work goes to the side. */
export interface Terminal {
  /** Standard input, until the signal aborts: that is an error then, not an end. */
  input(signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Whether standard input is a person's keyboard. */
  readonly typed: boolean;
  /** Resolves once there is room for more. */
  out(line: string): Promise<void>;
  /** The same for bytes as they are. */
  outBytes(bytes: Uint8Array): Promise<void>;
  /** Whether results go to a person's screen, which would obey what a text commands, and not to a program. */
  readonly screen: boolean;
  /** Whether that person wants colours. */
  readonly colour: boolean;
  aside(line: string): void;
  /** The same for bytes as they are. Resolves once there is room for more. */
  asideBytes(bytes: Uint8Array): Promise<void>;
  /** As `screen`, of what goes to the side. */
  readonly asideScreen: boolean;
  /** Aborts once nobody reads what goes to the side. Most work goes on all the same. */
  readonly asideUnread?: AbortSignal;
  /** A line that the next one replaces, where there is a person to see it. */
  progress(line: string): void;
  readonly signal: AbortSignal;
  /** Ends the process, whatever is still under way in it. */
  leave(code: ExitCode): void;
}
