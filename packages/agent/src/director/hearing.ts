import type { Id } from "@choiros/contract";

/** What a user said to an ask. */
export interface Said {
  readonly id: Id;
  readonly text: string;
}

/** How the Director hears what is said to its ask while it works. */
export interface Hearing {
  /** The ask itself, with what came before in its conversation. */
  opening(): Promise<string>;
  said(): readonly Said[];
  /** Whether something was said that nobody heard yet. */
  has(heard: ReadonlySet<Id>): boolean;
  /** Resolves once something is, or the signal ends it. */
  more(heard: ReadonlySet<Id>, signal: AbortSignal): Promise<void>;
  /** Nothing more is taken; `false`, and open as before, where there is something that nobody heard yet. */
  close(heard: ReadonlySet<Id>): Promise<boolean>;
}
