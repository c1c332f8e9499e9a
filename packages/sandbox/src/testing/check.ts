import type { EngineName } from "../sandbox.ts";

/** One promise of SPEC.md and how it is tried. Without a test runner, so that an ordinary user can run it too. */
export interface Check {
  /** A sentence that begins with the rule's number. */
  readonly name: string;
  readonly run: (engine: EngineName) => Promise<void>;
}
