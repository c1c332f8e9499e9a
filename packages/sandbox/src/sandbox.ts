import type { Duplex } from "node:stream";
import type { Connection } from "./egress/connection.ts";
import type { LimitName, Limits } from "./limits.ts";

/** Where the computer's folder is, for what runs inside. */
export const HOME_INSIDE = "/home/choir";

/**
 * Runs commands for one computer, apart from everything else on the machine. SPEC.md has the rules.
 * Inside, the computer's folder is at `/home/choir`, without `.choir`.
 */
export interface Sandbox {
  readonly engine: EngineName;
  /** Whether commands can run on an overlay here, and else why not. */
  readonly overlay: Whether;
  /** What holds the limits on memory and processes here. */
  readonly limitedBy: LimitedBy;
  /** Resolves once it runs. What ends it is told by `ended`. */
  run(command: Command): Promise<Running>;
  /** The same in a terminal. */
  pty(command: TerminalCommand): Promise<Terminal>;
  /** A connection to a port that something inside listens on. */
  dial(port: number, where?: Place): Promise<Duplex>;
  /** Ends everything that runs in it, and removes what it laid down. */
  close(): Promise<void>;
}

export type EngineName = "bubblewrap" | "unsafe";
/** Whether something can be had on this machine, and else why not. */
export type Whether = { readonly ok: true } | { readonly ok: false; readonly why: string };
export type LimitedBy = "cgroup v2" | "cgroup v1" | "rlimits" | "nothing";

/** Whose loopback: the one that the computer's terminals share, or a running command's own. */
export type Place = "terminals" | Running;

export type Command = CommandLine & {
  /** Below `/home/choir`, or relative to it; `workspace` unless told. */
  readonly cwd?: string;
  /** Beyond the fixed HOME, LANG, PATH, TERM, TMPDIR, USER. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** The same as `limits.timeMs`, and before it. */
  readonly timeoutMs?: number;
  readonly limits?: Partial<Limits>;
  readonly egress?: Egress;
  /** The computer's folder in place, or on an overlay: then nothing in the folder itself is changed. */
  readonly folder: "live" | { readonly overlay: OverlayDirs };
  readonly mounts?: readonly Mount[];
  /**
   * A computer's terminals share one loopback, and one egress; every other command has its own. Where it isn't said, a
   * command without egress can't be dialled: that is quicker.
   */
  readonly network?: "own" | "terminals";
  readonly onConnection?: (connection: Connection) => void;
};

type CommandLine = { readonly argv: readonly string[] } | { readonly shell: string };

export type TerminalCommand = Command & { readonly cols: number; readonly rows: number };

/** Which hosts it may reach: none, those that git and package managers need, or these. */
export type Egress = "none" | "git+pkg" | readonly string[];

/** Both on one file system, made by the caller, new for each command. The upper one holds what changed. */
export interface OverlayDirs {
  readonly upper: string;
  readonly work: string;
}

/** Something more of the host, to be seen inside at `to`. */
export interface Mount {
  readonly from: string;
  readonly to: string;
  readonly write: boolean;
}

export interface Running {
  /** Held back while nobody reads: what is written inside waits there. */
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  /** Resolves when nothing of it runs any more. Rejects where it could not be set up at all. */
  readonly ended: Promise<Ended>;
  /** The whole tree, at once. Resolves when nothing of it runs. */
  kill(): Promise<void>;
}

export interface Terminal {
  readonly output: AsyncIterable<Uint8Array>;
  readonly ended: Promise<Ended>;
  write(data: string | Uint8Array): void;
  resize(cols: number, rows: number): void;
  kill(): Promise<void>;
}

export interface Ended {
  readonly how: "exited" | "killed" | "limit";
  /** As a shell tells it: 128 and the signal's number where a signal ended it. `null` where we did. */
  readonly exit: number | null;
  /** The signal that ended it, by such an exit status: `SIGSEGV`. */
  readonly signal?: string;
  /** Which limit was reached, where that ended it. */
  readonly limit?: LimitName;
  /** `unsafe` where nothing was between the command and the machine. */
  readonly engine: EngineName;
}
