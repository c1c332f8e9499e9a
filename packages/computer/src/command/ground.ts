import type { Cause, Id, Source } from "@choiros/contract";
import type { Command, Sandbox } from "@choiros/sandbox";
import type { Capture } from "../capture.ts";
import type { ActOptions } from "../computer-port.ts";
import type { Blocked, Progress } from "../outcome.ts";
import type { Parts } from "../parts.ts";
import type { Arrivals } from "./arrivals.ts";
import type { MayChange } from "./command.ts";
import type { Hidden } from "./hidden-files.ts";

/** What running a command needs beyond the computer's own parts. */
export interface CommandParts extends Parts {
  readonly capture: Capture;
  readonly sandbox: Sandbox;
  readonly arrivals: Arrivals;
  /** The computer's folder. */
  readonly root: string;
  /** For what commands leave while they run, in a folder that no command sees. */
  readonly layers: string;
  /** Something that nobody has to wait for before the computer is closed. */
  readonly clearLater: (clearing: Promise<void>) => void;
}

/** Whose command it is. */
export interface Caller {
  readonly source: Source;
  readonly cause: Cause & { readonly call: Id };
  /** May throw, to stop there. */
  readonly onProgress: (progress: Progress) => void;
  /** The same once the log has it: from then on nothing stops it. */
  readonly onLanding: ((progress: Progress) => void) | undefined;
  /** Ends it as long as the log doesn't have what it did. */
  readonly signal: AbortSignal | undefined;
  /** Looked up when it has ended: whether it may change a path; any, unless told. */
  readonly mayChange?: () => Promise<MayChange>;
  readonly mayLand?: ActOptions["mayLand"];
}

/** What a command came to in the computer. */
export interface Kept {
  readonly changed: number;
  /** Whether it also changed what is ignored, which no undo brings back; `null` where nobody looked. */
  readonly ignored: boolean | null;
  readonly blocked: readonly Blocked[];
  readonly notes: readonly string[];
  /** What it changed and may not change; then nothing of it was kept. */
  readonly outside?: readonly string[];
  /** Why all that it did may not be written; then nothing of it was kept. */
  readonly tooMuch?: string;
}

/** What a command runs on: an overlay of the computer's folder, or the folder itself. */
export interface Ground {
  readonly folder: Command["folder"];
  /** Before it is called: what others did by now is theirs. */
  prepare(): Promise<void>;
  /** In the computer's turn, once the call is in the log as this event. What is hidden it can't have changed. */
  begin(called: number, hidden: Hidden): void;
  /** Makes what it did part of the computer. Nothing of it runs any more, here and in `discard`. */
  keep(): Promise<Kept>;
  discard(): Promise<Kept>;
  /** Always called, whatever went before. */
  close(): void;
}
