import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { pipeline, type Readable, type Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { IPty } from "@lydell/node-pty";
import { SandboxError } from "../sandbox-error.ts";
import { GO_FD, STATUS_FD } from "./arguments.ts";
import type { Group } from "./groups.ts";
import type { Child } from "./life.ts";
import type { CommandPipes } from "./pipes.ts";
import { readStatus } from "./status.ts";

/**
 * The chain has nothing of the server's environment. Where bash reads from a socket, as Node's pipes are, it takes itself
 * for a login over the network and runs ~/.bashrc, unless it is told that it isn't the first shell.
 */
export const CHAIN = { cwd: "/", env: { PATH: "/usr/bin:/bin", LC_ALL: "C", SHLVL: "1" } };

/** Starts a chain with pipes; one more where it has to be told to go. */
export function startPiped(
  argv: readonly string[],
  pipes: CommandPipes,
  stdin: AsyncIterable<Uint8Array> | undefined,
  waits: boolean,
): ChildProcess {
  const [program = "", ...args] = argv;
  const input = stdin === undefined ? "ignore" : "pipe";
  const go = waits ? (["ignore", "ignore", "ignore", "pipe"] as const) : [];
  const child = spawn(program, args, { ...CHAIN, stdio: [input, ...pipes.descriptors, "pipe", ...go] });
  pipes.handedOver();
  // It may end without having read all: then nobody wants the rest.
  if (stdin !== undefined && child.stdin !== null) pipeline(stdin, child.stdin, () => {});
  return child;
}

/**
 * Brings a child into its control group and lets it go. The kernel takes some milliseconds for the first such move, so
 * it is made while bubblewrap is still at work; the process inside that was started meanwhile is moved after it.
 */
export async function sendOff(process: ChildProcess, child: Child, group: Group): Promise<void> {
  // Made as a pipe that this side writes to; its type has room for five.
  const go = (process.stdio as readonly unknown[])[GO_FD] as Writable;
  go.on("error", () => {}); // it ended before it was told
  const first = group.enter(child.pid);
  await Promise.all([first, child.begun]);
  const { init } = child.status();
  if (init !== undefined) await group.enter(init);
  go.end("\n");
}

export function pipedChild(process: ChildProcess, complaint: () => string): Child {
  let told = "";
  const begun = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<number | null>();
  // Made as a pipe that the other side writes to.
  const status = process.stdio[STATUS_FD] as Readable;
  status.setEncoding("latin1").on("data", (text: string) => {
    told += text;
    if (readStatus(told).init !== undefined) begun.resolve();
  });
  const statusEnded = new Promise((resolve) => status.on("close", resolve));
  process.on("error", (error) => {
    exited.reject(new SandboxError("start", `The command could not be started in a sandbox: ${error.message}`, error));
    begun.resolve();
  });
  process.on("exit", async (code) => {
    await statusEnded;
    begun.resolve();
    exited.resolve(code);
  });
  return {
    pid: process.pid ?? 0,
    exited: exited.promise,
    begun: begun.promise,
    status: () => readStatus(told),
    complaint,
  };
}

/** In a terminal there is nothing but the terminal to hand over: bubblewrap tells its status by a file. */
export function terminalChild(pty: IPty, statusFile: string, complaint: () => string): Child {
  let over = false;
  const exited = new Promise<number | null>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      over = true;
      resolve(signal ? null : exitCode);
    });
  });
  const status = () => readStatus(textOf(statusFile));
  const begun = (async () => {
    while (!over && status().init === undefined) await wait(2);
  })();
  return { pid: pty.pid, exited, begun, status, complaint };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return ""; // not written yet
  }
}
