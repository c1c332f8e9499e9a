import { z } from "zod";
import { ContentRef } from "./content.ts";
import { Id, Sha256 } from "./ids.ts";
import { Path } from "./path.ts";

const Line = z.string().max(4096);

/** What the Director hands to an Associate: the work, how it is judged, and the lease it must stay inside. */
export const DirectorTask = z.strictObject({
  acceptance_criteria: z.array(Line),
  allowed_tools: z.array(z.string().max(64)),
  cost_budget: z.number().min(0).exactOptional(),
  egress: z.union([z.enum(["none", "git+pkg"]), z.array(z.hostname()).min(1)]),
  instruction: z.string().max(32_768),
  kind: z.enum(["edit", "run", "git", "inspect"]),
  paths: z.array(Path),
  task_id: Id,
  time_budget_s: z.int().min(1),
  token_budget: z.int().min(1).exactOptional(),
  verify: z.array(Line),
});
export type DirectorTask = z.infer<typeof DirectorTask>;

const CommandRun = z.strictObject({
  command: Line,
  /** It did what it might not: nothing of it was kept, however it ended. */
  denied: z.literal(true).exactOptional(),
  exit: z.int(),
});

/** What an Associate hands back. A failed check means `failed`, whatever the summary says. */
export const AssociateResult = z.strictObject({
  citations: z.array(
    z.strictObject({
      hash: Sha256,
      // Only what a browser may open: a model wrote it, and it is shown as a link.
      source: z.union([Path, z.strictObject({ url: z.url({ protocol: /^https?$/ }) })]),
      span: z.tuple([z.int().min(0), z.int().min(0)]).exactOptional(),
    }),
  ),
  commands_run: z.array(CommandRun),
  files_changed: z.array(Path),
  /** How many they were, where not all of them are listed. */
  files_count: z.int().min(0).exactOptional(),
  questions: z.array(Line),
  status: z.enum(["ok", "needs_input", "failed"]),
  summary: ContentRef,
  verify: z.array(CommandRun),
});
export type AssociateResult = z.infer<typeof AssociateResult>;
