import { expect, test } from "vitest";
import { leaseWords } from "./lease-words.ts";
import type { DirectorTask } from "./task.ts";

const PLAN: DirectorTask = {
  ...{ acceptance_criteria: [], allowed_tools: ["edit_file", "bash"], egress: "none", instruction: "Write it" },
  ...{ kind: "edit", paths: ["workspace/site"], task_id: "t1", time_budget_s: 300, verify: ["npm test"] },
};
const LEAST = { allowed_tools: ["read_file"], paths: [], verify: [] };

test.each([
  [{}, ["edits site", "reads files", "runs commands", "no network", "up to 5 minutes"]],
  [{ allowed_tools: ["write_file"], verify: [] }, ["edits site", "no network", "up to 5 minutes"]],
  // A command changes what the lease's paths are, whether or not a tool that writes is there; so does a check.
  [
    { allowed_tools: ["bash", "read_file"], verify: [] },
    ["edits site", "reads files", "runs commands", "no network", "up to 5 minutes"],
  ],
  [{ allowed_tools: ["read_file"] }, ["edits site", "reads files", "runs its checks", "no network", "up to 5 minutes"]],
  // Paths alone change nothing, and neither does a tool without paths.
  [{ ...LEAST, paths: ["workspace/site"] }, ["changes no file", "reads files", "no network", "up to 5 minutes"]],
  [{ allowed_tools: ["write_file"], paths: [], verify: [] }, ["changes no file", "no network", "up to 5 minutes"]],
  [{ ...LEAST, allowed_tools: [], paths: ["workspace"] }, ["changes no file", "no network", "up to 5 minutes"]],
  [
    { ...LEAST, allowed_tools: ["open_window", "notify"] },
    ["changes no file", "opens windows", "notifies you", "no network", "up to 5 minutes"],
  ],
  [
    { ...LEAST, cost_budget: 0.5, egress: ["w3.org"], time_budget_s: 60, token_budget: 20_000 },
    ["changes no file", "reads files", "network: w3.org", "up to $0.50", "up to 20K tokens", "up to 60 seconds"],
  ],
  [
    { ...LEAST, egress: "git+pkg", token_budget: 2_000_000 },
    ["changes no file", "reads files", "network: git and packages", "up to 2M tokens", "up to 5 minutes"],
  ],
] satisfies [Partial<DirectorTask>, string[]][])(
  "ASKS-2, CONSOLE-23: what a task may do is said in short words, as it is judged: %j",
  (lease, words) => {
    expect(leaseWords({ ...PLAN, ...lease })).toEqual(words);
  },
);
