import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The source; in a run of everything what was built of it, as people have it. */
export const MAIN = process.env.TESTED_MAIN ?? fileURLToPath(new URL("../main.ts", import.meta.url));

/** `choir` as a process of its own, gone with the test. */
export function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { PATH: process.env.PATH, ...env } });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** The first line it writes. */
export async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("its output is not piped");
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return line;
}

export async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = "";
  for await (const chunk of stream ?? []) text += chunk;
  return text;
}

export const startOn = (home: { path: string }, env: NodeJS.ProcessEnv = { CHOIR_SERVER_PORT: "0" }) =>
  run(["start", "--home", home.path, "--user", "ada"], env);
