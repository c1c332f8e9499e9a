import { whoDid } from "@choiros/contract";

const WHO: Readonly<Record<string, string>> = {
  agent: "an agent",
  command: "a command",
  system: "the computer",
  user: "you",
};

/** Who made an event happen, in words. */
export function whoWords(event: { readonly source: string; readonly type: string; readonly by?: unknown }): string {
  return whoName(whoDid(event));
}

/** As a line of a folder tells it. */
export function whoName(by: string): string {
  return WHO[by] ?? by;
}
