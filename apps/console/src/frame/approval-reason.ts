import type { Approval } from "./unfinished.ts";

/** What a call is to do: the tool, in words, and what it was given, each as text. */
export interface Reason {
  readonly does: string;
  readonly given: readonly (readonly [name: string, value: string])[];
}

const DOES: Readonly<Record<string, string>> = {
  bash: "To run a command",
  edit_file: "To edit a file",
  list_files: "To list files",
  open_window: "To open a window",
  read_file: "To read a file",
  search_files: "To search files",
  write_file: "To write a file",
};

/** An agent's own reason is the call as it was written, `tool {…}`; `undefined` where it is a sentence, or was cut off. */
export function reasonOf(why: string): Reason | undefined {
  const [, tool, json] = /^([a-z][a-z0-9_]*) (\{.*\})$/s.exec(why) ?? [];
  if (tool === undefined || json === undefined) return undefined;
  try {
    const given = Object.entries<unknown>(JSON.parse(json)).map(([name, value]) => [name, textOf(value)] as const);
    return { does: DOES[tool] ?? `To use ${tool}`, given };
  } catch {
    return undefined; // a sentence may look like one
  }
}

/** Whether it is asked for before its task begins: for that task, then, and no single step of it. */
export function isForTask({ cause }: Pick<Approval, "cause">): boolean {
  return cause.task !== undefined && cause.call === cause.task;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 1);
}
