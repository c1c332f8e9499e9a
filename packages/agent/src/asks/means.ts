import type { PolicyFile } from "../lease/policy-file.ts";
import type { Model, ModelUsage } from "../models/model.ts";

/** What agents need to work at all. */
export interface Means {
  readonly director: Model;
  readonly associate: Model;
  /** In USD; `null` where nobody knows. */
  readonly costOf: (provider: string, model: string, usage: ModelUsage) => number | null;
  readonly policy: PolicyFile;
}

/** What is missing, as a sentence that says what to do. */
export interface Missing {
  readonly missing: string;
}
