import type { Id } from "@choiros/contract";
import type { Egress, EngineName, LimitName, Limits } from "@choiros/sandbox";
import type { ActOptions } from "../computer-port.ts";
import type { Blocked } from "../outcome.ts";
import type { Output } from "./record-output.ts";

/** A command for the sandbox, as whoever asks for it says it. */
export interface CommandLine {
  readonly argv: readonly string[];
  /** Relative to the computer's root; `workspace` unless told. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: AsyncIterable<Uint8Array>;
  readonly limits?: Partial<Limits>;
  readonly egress?: Egress;
}

/** Whether a path may be changed; as a `whole`, with everything below it. */
export type MayChange = (key: string, whole?: "whole") => boolean;

/** `signal` ends the command. */
export interface ExecOptions extends Omit<ActOptions, "id"> {
  /** Keeps what it did also where it didn't end by itself: it ran out of time, reached a limit, or was stopped. */
  readonly keep?: boolean;
  /**
   * Looked up when it has ended, before anything of it lands: what it may change. Where it changed another path, nothing of
   * what it did is kept, and that is said.
   */
  readonly mayChange?: () => Promise<MayChange>;
  /** What it isn't to see, by its key: files and folders that are empty to it, and can't be written. */
  readonly hides?: (key: string, kind: "file" | "dir") => boolean;
  /** It runs. */
  readonly onStart?: (running: Underway) => void;
  /** What it says, as it comes. It waits for whoever takes it. */
  readonly onOutput?: (output: Output) => void | Promise<void>;
}

/** A command that runs. */
export interface Underway {
  /**
   * Whether what it said by now may be told to whoever isn't to see what is hidden from it. Where something came that it
   * isn't to see, that is no, and it ends.
   */
  mayTell(): Promise<boolean>;
}

/** Something came into the folder that a command isn't to see: it was ended, and nothing of it kept. */
export interface Exposed {
  readonly key: string;
  /** It may have seen it: then what it said is kept nowhere, and nobody is to be told. */
  readonly seen: boolean;
}

/** A command that ran, whatever came of it. */
export interface ExecOutcome {
  readonly ok: true;
  readonly call: Id;
  /** The last event it made. */
  readonly seq: number;
  /** As a shell tells it; `null` where it was ended. */
  readonly exit: number | null;
  readonly how: "exited" | "killed" | "limit";
  readonly limit?: LimitName;
  readonly changed: number;
  /** Whether it also changed what is ignored, which no undo brings back; `null` where nobody looked. */
  readonly ignored: boolean | null;
  readonly blocked: readonly Blocked[];
  readonly notes: readonly string[];
  /** What it changed and may not change; then nothing of it was kept. */
  readonly outside?: readonly string[];
  /** Why all that it did may not be written; then nothing of it was kept, and it counts as stopped. */
  readonly tooMuch?: string;
  readonly exposed?: Exposed;
  readonly engine: EngineName;
}
