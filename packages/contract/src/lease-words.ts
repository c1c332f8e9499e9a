import { shownKey } from "./change-words.ts";
import { pathKey } from "./path-key.ts";
import type { DirectorTask } from "./task.ts";

/** What a task may do, in words that are short enough to be seen before it runs: those by which it is judged. */
export function leaseWords(plan: DirectorTask): string[] {
  const { allowed_tools: tools, cost_budget, paths, time_budget_s, token_budget, verify } = plan;
  const has = (...names: string[]) => names.some((name) => tools.includes(name));
  const runs = has("bash") || verify.length > 0;
  // Whatever changes a path, a tool or a command, the lease's paths are what it may change.
  const changes = runs || has("write_file", "edit_file") ? paths : [];
  return [
    ...changes.map((path) => `edits ${placeWords(pathKey(path))}`),
    ...(changes.length === 0 ? ["changes no file"] : []),
    ...(runs || has("read_file", "list_files", "search_files") ? ["reads files"] : []),
    ...(runs ? [has("bash") ? "runs commands" : "runs its checks"] : []),
    ...(has("open_window") ? ["opens windows"] : []),
    ...(has("notify") ? ["notifies you"] : []),
    egressWords(plan.egress),
    ...(cost_budget === undefined ? [] : [`up to ${dollars(cost_budget)}`]),
    ...(token_budget === undefined ? [] : [`up to ${shortNumber.format(token_budget)} tokens`]),
    `up to ${timeWords(time_budget_s)}`,
  ];
}

export function dollars(usd: number): string {
  if (usd > 0 && usd < 0.01) return "under $0.01";
  return `$${usd.toFixed(2)}`;
}

const shortNumber = new Intl.NumberFormat("en", { notation: "compact" });

function placeWords(key: string): string {
  return key === "workspace" ? "the workspace" : shownKey(key);
}

function egressWords(egress: DirectorTask["egress"]): string {
  if (egress === "none") return "no network";
  return egress === "git+pkg" ? "network: git and packages" : `network: ${egress.join(", ")}`;
}

function timeWords(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
