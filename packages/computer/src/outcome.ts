import type { Entry, Id, Json } from "@choiros/contract";

/** What stands at one path, or what one window or setting is: before and after. `null` where there is nothing. */
export type Change = TreeChange | ValueChange;

export interface TreeChange {
  /** The path's key; see `pathKey` in the contract. */
  readonly key: string;
  readonly before: Entry | null;
  readonly after: Entry | null;
}

export interface ValueChange {
  readonly name: string;
  readonly before: Json;
  readonly after: Json;
}

export type Outcome = Done | Refused;

/** An action that is in the log, for good. */
export interface Done {
  readonly ok: true;
  /** The last event it made. */
  readonly seq: number;
  readonly call: Id;
  /** How many paths, windows and settings it changed. */
  readonly changed: number;
  /** What the log has and the folder can't have yet; tried again by itself. */
  readonly blocked: readonly Blocked[];
  /** What else whoever asked should know, in sentences. */
  readonly notes: readonly string[];
  /** Where what was written stands, where that isn't where it was meant to. */
  readonly beside?: string;
}

export interface Blocked {
  readonly key: string;
  readonly why: string;
}

/** Nothing happened, and why. */
export interface Refused {
  readonly ok: false;
  /** `choice`: one was made where nothing is to choose. `limit`: whoever asked may not write all of it. */
  readonly reason: "conflict" | "choice" | "missing" | "invalid" | "nothing" | "limit";
  /** A sentence for whoever asked. */
  readonly message: string;
  readonly conflicts?: readonly Conflict[];
}

/** Where an undo would destroy what came later: all three versions, and what may be picked. */
export interface Conflict {
  /** A path's key, or the name of a window or a setting. */
  readonly key: string;
  /** What the target of the undo left there. */
  readonly left: Entry | Json;
  /** What stands there now: "mine". */
  readonly now: Entry | Json;
  /** What the undo would bring back: "theirs". */
  readonly back: Entry | Json;
  readonly why: string;
  readonly choices: readonly Choice[];
}

export type Choice = "mine" | "theirs";

/** How conflicts are settled: all alike, and by path. One that nobody settled stops the undo. */
export interface Choices {
  readonly all?: Choice;
  readonly each?: ReadonlyMap<string, Choice>;
}

/** What an undo would do, before it does it. */
export interface Preview {
  readonly changes: readonly Change[];
  readonly conflicts: readonly Conflict[];
  /** Directories that stay, because they hold something else by now. */
  readonly stays: readonly string[];
  /** What can't be taken back, in sentences: a deploy, a connection. */
  readonly lasting: readonly string[];
  readonly notes: readonly string[];
}

export interface Progress {
  readonly what: string;
  readonly done: number;
  /** Not known for work that is still being found. */
  readonly total?: number;
}
