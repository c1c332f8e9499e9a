import type { LimitName, Limits } from "../limits.ts";
import type { LimitedBy } from "../sandbox.ts";
import { versionOneGroups } from "./groups-v1.ts";
import { versionTwoGroups } from "./groups-v2.ts";

/** The control group of one command. */
export interface Group {
  /** Who writes `0` to these is in it, and so is everything it starts. */
  readonly joins: readonly string[];
  /** The same for a process that is there, and for what it starts from then on. */
  enter(pid: number): Promise<void>;
  /** The limit that its processes ran into, if any. */
  reached(): LimitName | undefined;
  /** Once nothing runs in it any more. */
  remove(): void;
}

/** Where this process may make control groups. */
export interface Groups {
  readonly kind: LimitedBy;
  /** What has to be removed, should this process not come to it. */
  readonly folders: readonly string[];
  make(limits: Limits): Group;
  close(): void;
}

/** Nothing where this process may make none. */
export function openGroups(name: string): Groups | undefined {
  return versionTwoGroups(name) ?? versionOneGroups(name);
}
