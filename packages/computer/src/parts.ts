import type { Contents, Log } from "@choiros/log";
import type { Masks } from "./command/masks.ts";
import type { Folder } from "./folder/folder.ts";
import type { Projector } from "./projector.ts";
import type { Reconciler } from "./reconciler.ts";
import type { State } from "./state/state.ts";
import type { Turns } from "./turns.ts";

/** What an open computer is made of, for the actions on it. */
export interface Parts {
  readonly log: Log;
  readonly contents: Contents;
  readonly state: State;
  readonly folder: Folder;
  readonly projector: Projector;
  readonly reconciler: Reconciler;
  readonly turns: Turns;
  readonly masks: Masks;
}
