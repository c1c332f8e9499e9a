import type { Step, Turn } from "../model/script.ts";

/** Turns that tests put together. */

export function plan(task: Readonly<Record<string, unknown>>): Step {
  return { tool: "plan", input: { instruction: "Do it.", ...task } };
}

export function write(path: string, content: string): Step {
  return { tool: "write_file", input: { path, content } };
}

export function run(command: string): Step {
  return { tool: "bash", input: { command } };
}

export function finish(summary = "It is done.", status = "ok"): Step {
  return { tool: "finish", input: { status, summary } };
}

export function answer(text: string, more: Readonly<Record<string, unknown>> = {}): Step {
  return { tool: "answer", input: { text, ...more } };
}

/** An ask that writes one file. */
export function writesFile(path: string, text: string): Turn[] {
  return [[plan({ instruction: `Write ${path}.` })], [write(path, text)], [finish()], [answer(`I wrote ${path}.`)]];
}

/** Something that a test lets happen. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
