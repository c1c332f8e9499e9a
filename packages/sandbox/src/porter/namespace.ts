import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readlinkSync } from "node:fs";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { SandboxError } from "../sandbox-error.ts";

/** The least that a program needs to start. */
export const PLACE: readonly string[] = [
  ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--new-session"],
  ...["--cap-drop", "ALL", "--clearenv", "--ro-bind", "/usr", "/usr"],
  ...["/bin", "/lib", "/lib64"].flatMap((dir) => ["--ro-bind-try", dir, dir]),
];

/** A network namespace with nothing in it but loopback. It needs no process to be there: it is held by open files. */
export class Namespace {
  /** What stands before a program's command line to run it there. */
  readonly prefix: readonly string[];
  readonly #files: readonly number[];

  private constructor(prefix: readonly string[], files: readonly number[]) {
    this.prefix = prefix;
    this.#files = files;
  }

  static async make(): Promise<Namespace> {
    // bwrap makes it and brings loopback up. What runs in it says by its echo that this is done, and waits.
    const holder = spawn("bwrap", ["--unshare-net", ...PLACE, "--info-fd", "3", "cat"], {
      stdio: ["pipe", "pipe", "pipe", "pipe"],
    });
    const { stdin, stdout, stderr } = holder;
    const complaint = text(stderr);
    const ended = once(holder, "close").catch((error: unknown) => {
      throw failure(error instanceof Error ? error.message : String(error));
    });
    ended.catch(() => {}); // heard of below, if at all
    stdin.on("error", () => {}); // it is gone then, and `close` tells
    stdin.write("\n");
    const up = await Promise.race([once(stdout, "data"), ended.then(() => undefined)]);
    if (up === undefined) throw failure(await complaint);
    try {
      // As there is no fifth stream, the fourth is the one that was asked for: a pipe to read from.
      const info = await text(holder.stdio[3] as Readable);
      return Namespace.#of(Number(JSON.parse(info)["child-pid"]));
    } finally {
      stdin.end();
      await ended;
    }
  }

  close(): void {
    for (const file of this.#files) closeSync(file);
  }

  static #of(pid: number): Namespace {
    if (isOurs(pid, "net")) throw failure("its network is the machine's");
    // By open file, not by process: a number may be another's by the time that it is used.
    const names = isOurs(pid, "user") ? ["net"] : ["user", "net"];
    const files = names.map((name) => openSync(`/proc/${pid}/ns/${name}`, "r"));
    const options = names.map((name, i) => `--${name}=/proc/${process.pid}/fd/${files[i]}`);
    return new Namespace(["nsenter", ...options, "--preserve-credentials", "--"], files);
  }
}

function isOurs(pid: number, name: string): boolean {
  return readlinkSync(`/proc/${pid}/ns/${name}`) === readlinkSync(`/proc/self/ns/${name}`);
}

function failure(why: string): SandboxError {
  return new SandboxError("start", `could not make a network for a sandbox: ${why.trim() || "bwrap ended"}`);
}
