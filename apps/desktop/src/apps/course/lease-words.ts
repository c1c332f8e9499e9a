import { type DirectorTask, pathKey, shownKey } from "@choiros/contract";
import { dollars } from "../../asks/ask-words.ts";
import { number } from "../../words.ts";

/** What a task may do, in words that are short enough to be seen before it runs. */
export function leaseWords(plan: DirectorTask): string[] {
  const { allowed_tools: tools, cost_budget, egress, paths, time_budget_s, token_budget } = plan;
  const edits = tools.some((tool) => tool === "write_file" || tool === "edit_file");
  const where = paths.length === 0 ? ["the workspace"] : paths.map((path) => placeWords(pathKey(path)));
  return [
    ...where.map((place) => `${edits ? "edits" : "reads"} ${place}`),
    ...(tools.some((tool) => tool === "bash" || tool === "exec") ? ["runs commands"] : []),
    egressWords(egress),
    ...(cost_budget === undefined ? [] : [`up to ${dollars(cost_budget)}`]),
    ...(token_budget === undefined ? [] : [`up to ${number.format(token_budget)} tokens`]),
    timeWords(time_budget_s),
  ];
}

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
