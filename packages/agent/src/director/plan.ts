import { DirectorTask, type Id, type Path, reasons } from "@choiros/contract";
import { z } from "zod";
import { isToolName, writtenHosts } from "../lease/need.ts";
import type { Limit } from "../lease/policy.ts";
import { patternFault } from "../lease/written-path.ts";
import { inputSchema } from "../models/input-schema.ts";
import type { ToolSpec } from "../models/model.ts";
import { TOOLS } from "../tools/tools.ts";

const Line = z.string().min(1).max(4096);

/** What the Director says of a task; the rest of it is ours. */
const Plan = z.strictObject({
  acceptance_criteria: z.array(Line).max(20).default([]).describe("how one can tell that it is done"),
  allowed_tools: z
    .array(z.string().refine(isToolName, "must be a tool's name"))
    .max(30)
    .default(["read_file", "list_files", "search_files", "write_file", "edit_file", "bash"])
    .describe(
      `the tools that the Associate may use; what reads, writes and runs commands unless told. There are: ${TOOLS.map(({ name }) => name).join(", ")}`,
    ),
  cost_budget: z.number().min(0).exactOptional().describe("in USD"),
  egress: z
    .union([z.enum(["none", "git+pkg"]), z.array(z.string().max(300)).min(1).max(100)])
    .default("none")
    .describe("the hosts that it may reach, each by its whole name; none unless told"),
  instruction: z.string().min(1).max(32_768),
  kind: z.enum(["edit", "run", "git", "inspect"]).default("edit"),
  paths: z
    .array(z.string().min(1).max(4096))
    .max(100)
    .default(["."])
    .describe("the paths that it may change, each by its name; a folder covers all that is below it"),
  time_budget_s: z.int().min(1).max(86_400).default(300),
  token_budget: z.int().min(1).exactOptional(),
  verify: z
    .array(Line)
    .max(20)
    .default([])
    .describe("shell commands, run in the workspace at the end, that must exit with 0"),
});

export const PLAN_SPEC: ToolSpec = {
  name: "plan",
  description: "Gives one task to an Associate, waits until it is done, and answers with its result.",
  input: inputSchema(Plan),
};

export type Planned = { readonly ok: true; readonly task: DirectorTask } | { readonly ok: false; readonly why: string };

/** The task of a plan. `keyOf` says which path somebody means; what it may take is never more than `most`, and always said. */
export function planned(
  input: unknown,
  task_id: Id,
  keyOf: (word: string) => Path | { why: string },
  most: Pick<Limit, "cost_usd" | "time_s" | "tokens">,
): Planned {
  const plan = Plan.safeParse(input);
  if (!plan.success) return { ok: false, why: reasons(plan.error) };
  const paths: Path[] = [];
  for (const word of plan.data.paths) {
    const pattern = patternFault(word);
    if (pattern !== undefined) return { ok: false, why: pattern };
    const path = keyOf(word);
    if (typeof path === "object" && "why" in path) return { ok: false, why: path.why };
    paths.push(path);
  }
  const egress = typeof plan.data.egress === "string" ? plan.data.egress : writtenHosts(plan.data.egress);
  if (typeof egress === "object" && "why" in egress) return { ok: false, why: egress.why };
  const { cost_budget = Infinity, time_budget_s, token_budget = Infinity } = plan.data;
  const task = DirectorTask.safeParse({
    ...plan.data,
    cost_budget: Math.min(cost_budget, most.cost_usd),
    egress,
    paths,
    task_id,
    time_budget_s: Math.max(1, Math.min(time_budget_s, Math.floor(most.time_s))),
    token_budget: Math.max(1, Math.min(token_budget, most.tokens)),
  });
  if (!task.success) return { ok: false, why: reasons(task.error) };
  const isLong = Buffer.byteLength(JSON.stringify(task.data)) > MOST_BYTES;
  return isLong
    ? { ok: false, why: "it is too long: say it in fewer words, or in several tasks" }
    : { ok: true, task: task.data };
}

/** Its event has room for it, and that of its result for its checks, with what else stands there. */
const MOST_BYTES = 192 * 1024;
