import { whoDid } from "@choiros/contract";

const WHO: Readonly<Record<string, string>> = {
  agent: "an agent",
  command: "a command",
  demo: "the scripted demo",
  system: "the computer",
  user: "you",
};

/** Who made an event happen, in words. */
export function whoWords(event: { readonly source: string; readonly type: string; readonly by?: unknown }): string {
  return whoName(event.by === "demo" ? event.by : whoDid(event));
}

/** As a line of a folder tells it. */
export function whoName(by: string): string {
  return WHO[by] ?? by;
}
