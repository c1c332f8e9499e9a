import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Network } from "../network.ts";

/** How untrusted code is run in a network: the least of what an engine does. */
const PLACE = [
  ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--new-session"],
  ...["--cap-drop", "ALL", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"],
];

export interface Output {
  readonly exit: number | null;
  readonly out: string;
}

/** Runs a shell's script in this network until it ends. */
export async function inside(network: Network, script: string, bind: readonly string[] = []): Promise<Output> {
  const child = start(network, ["sh", "-c", script], bind);
  const [out, [exit]] = await Promise.all([both(child), once(child, "close")]);
  return { exit, out };
}

/** A program of Node's that runs in this network until it is killed, once it has printed something. */
export async function residing(network: Network, program: string): Promise<ChildProcess> {
  const child = start(network, [process.execPath, "-e", program], ["--ro-bind", process.execPath, process.execPath]);
  await once(child.stdout ?? child, "data");
  return child;
}

function start(network: Network, argv: readonly string[], bind: readonly string[]): ChildProcess {
  const [command = "", ...options] = network.prefix;
  const env = { HOME: "/tmp", PATH: process.env.PATH ?? "", ...network.env };
  return spawn(command, [...options, "bwrap", ...PLACE, ...bind, ...argv], { env, stdio: ["ignore", "pipe", "pipe"] });
}

async function both({ stdout, stderr }: ChildProcess): Promise<string> {
  if (stdout === null || stderr === null) throw new Error("the program's output isn't piped");
  const texts = await Promise.all([text(stdout), text(stderr)]);
  return texts.join("");
}
