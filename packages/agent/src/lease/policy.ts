import { z } from "zod";
import type { Need } from "./lease.ts";
import { parseNeed } from "./need.ts";

/** How much of everything a task, an ask and a day may take. */
const Limit = z.strictObject({
  bytes: z.number().min(0),
  cost_usd: z.number().min(0),
  files: z.int().min(0),
  steps: z.int().min(0),
  time_s: z.number().min(0),
  tokens: z.int().min(0),
});
/** `steps` are calls of a model, `files` and `bytes` what is written: what comes to more isn't. */
export type Limit = z.infer<typeof Limit>;

/** What agents may do on this server's computers, as the user settled it. */
export interface Policy {
  /** What a lease may have without a question. */
  readonly allow: readonly Need[];
  /** What the user is asked about. */
  readonly ask: readonly Need[];
  /** What nobody is asked about, for it isn't done. */
  readonly never: readonly Need[];
  /** What the user has allowed for good: also beyond a lease. */
  readonly always: readonly Need[];
  readonly limits: { readonly task: Limit; readonly ask: Limit; readonly day: Limit };
}

export const DEFAULT_POLICY: Policy = {
  allow: ["read /", "edit .", "edit /artifacts", "tool *"],
  // what `.choirignore` names is changed without an event, is held against no limit, and no undo brings it back
  ask: ["network *", "secret /", "edit /artifacts/system", "edit /choiros", "edit .choirignore"],
  never: ["edit /.git", "edit /.choir", "read /.choir"],
  always: [],
  limits: {
    task: { steps: 100, tokens: 2_000_000, cost_usd: 3, time_s: 1800, files: 2000, bytes: 1_000_000_000 },
    ask: { steps: 300, tokens: 6_000_000, cost_usd: 10, time_s: 7200, files: 5000, bytes: 2_000_000_000 },
    day: { steps: 3000, tokens: 40_000_000, cost_usd: 50, time_s: 43_200, files: 50_000, bytes: 10_000_000_000 },
  },
};

const Line = z.string().superRefine((line, context) => {
  const parsed = parseNeed(line);
  if ("why" in parsed) context.addIssue({ code: "custom", message: `'${line}' ${parsed.why}` });
});
const Lines = z.array(Line).max(10_000);
const PartialLimit = Limit.partial();

/** What `policy.toml` may hold. What it doesn't say is as it is by default. */
export const PolicyToml = z.strictObject({
  allow: Lines.exactOptional(),
  always: Lines.exactOptional(),
  ask: Lines.exactOptional(),
  limits: z
    .strictObject({
      ask: PartialLimit.exactOptional(),
      day: PartialLimit.exactOptional(),
      task: PartialLimit.exactOptional(),
    })
    .exactOptional(),
  never: Lines.exactOptional(),
});

export function policyOf(said: z.infer<typeof PolicyToml>): Policy {
  const { task, ask, day } = DEFAULT_POLICY.limits;
  const { limits = {}, ...lines } = said;
  return {
    ...DEFAULT_POLICY,
    ...lines,
    limits: { task: over(task, limits.task), ask: over(ask, limits.ask), day: over(day, limits.day) },
  };
}

function over(usual: Limit, said: z.infer<typeof PartialLimit> = {}): Limit {
  // What isn't said is left out by the parser; nothing is there and undefined.
  return { ...usual, ...(said as Partial<Limit>) };
}
