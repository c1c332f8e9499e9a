import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { BrokenPromise } from "./promise.ts";

export interface ScriptOptions<Line> {
  /** In this folder, with its arguments. */
  readonly script: readonly [name: string, ...args: string[]];
  /** A command to run it under. */
  readonly under?: readonly string[];
  /** Where it may keep what helps it to start faster the next time. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly onLine: (line: Line) => void;
  /** How long it may be silent: it hangs then. */
  readonly patienceMs: number;
}

/** Runs a script that reports in lines of JSON. One that crashes, hangs or fails has broken a promise, too. */
export async function runScript<Line>({ onLine, patienceMs, ...options }: ScriptOptions<Line>): Promise<void> {
  const [name, ...args] = options.script;
  const [command, ...rest] = [...(options.under ?? []), process.execPath, join(import.meta.dirname, name), ...args];
  const child = spawn(command ?? "", rest, {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...compiledIn(options.folder), ...options.env },
  });
  child.stdin.on("error", () => {}); // it ended before it read everything, and is judged by how it ended
  child.stdin.end(options.input ?? "");
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    complaint = (complaint + text).slice(-4000);
  });
  let last = "nothing";
  let thrown: unknown;
  const silence = setTimeout(() => child.kill("SIGKILL"), patienceMs);
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    silence.refresh();
    last = line;
    try {
      onLine(JSON.parse(line));
    } catch (error) {
      thrown ??= error;
      child.kill("SIGKILL");
    }
  });
  const [[code, signal]] = await Promise.all([once(child, "close"), once(lines, "close")]);
  clearTimeout(silence);
  if (thrown !== undefined) throw thrown;
  if (code === 0) return;
  const how = signal === "SIGKILL" ? `hung for ${patienceMs} ms` : `ended with ${signal ?? code}`;
  throw new BrokenPromise(`${name} ${how}; the last it said was ${last}\n${complaint}`);
}

/** Code that was compiled once need not be again, in any thread of any process that is started here. */
export function compiledIn(folder: string): Record<string, string> {
  return { NODE_COMPILE_CACHE: join(folder, "compiled") };
}
