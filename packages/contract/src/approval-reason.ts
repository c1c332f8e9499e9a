import { leaseWords } from "./lease-words.ts";
import { DirectorTask } from "./task.ts";

/** What a call is to do: the tool, in words, and what it was given, each value as text. */
export interface Reason {
  readonly does: string;
  readonly given: readonly Given[];
}
type Given = readonly [name: string, values: readonly string[]];

const DOES: Readonly<Record<string, string>> = {
  bash: "To run a command",
  edit_file: "To edit a file",
  list_files: "To list files",
  open_window: "To open a window",
  plan: "To begin a task",
  read_file: "To read a file",
  search_files: "To search files",
  write_file: "To write a file",
};

/** An agent's own reason is the call as it was written, `tool {…}`; `undefined` where it is a sentence. */
export function reasonOf(why: string): Reason | undefined {
  const [, tool, json] = /^([a-z][a-z0-9_]*) (\{.*\})$/s.exec(why) ?? [];
  if (tool === undefined || json === undefined) return undefined;
  try {
    const input: unknown = JSON.parse(json);
    const plan = tool === "plan" ? DirectorTask.safeParse(input).data : undefined;
    return { does: DOES[tool] ?? `To use ${tool}`, given: plan === undefined ? givenIn(input, []) : givenBy(plan) };
  } catch {
    return undefined; // a sentence may look like one
  }
}

function givenBy(plan: DirectorTask): Given[] {
  const all: Given[] = [
    ["may", leaseWords(plan)],
    ["checks, run at the end", plan.verify],
    ["is to do", [plan.instruction]],
    ["done when", plan.acceptance_criteria],
  ];
  return all.filter(([, values]) => values.length > 0);
}

/** What is inside of something is named by where it is, as in "edits 1 old". */
function givenIn(value: unknown, name: readonly string[]): Given[] {
  if (typeof value !== "object" || value === null) return [[name.join(" "), [String(value)]]];
  if (!Array.isArray(value)) return Object.entries(value).flatMap(([key, one]) => givenIn(one, [...name, key]));
  if (value.some((one) => typeof one === "object"))
    return value.flatMap((one, i) => givenIn(one, [...name, String(i + 1)]));
  return [[name.join(" "), value.map(String)]];
}
