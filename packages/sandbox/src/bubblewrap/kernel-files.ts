import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemProgram } from "./system.ts";

/** By their major and minor numbers. */
const DEVICES: Readonly<Record<string, readonly [string, string]>> = {
  null: ["1", "3"],
  zero: ["1", "5"],
  full: ["1", "7"],
  random: ["1", "8"],
  urandom: ["1", "9"],
  tty: ["5", "0"],
};
/** Anybody can read it, and it names what is in the server's keyrings. */
const KEYS = "keys";
/** Their owner can read these without any privilege, and they tell of the whole machine. */
const SECRETS = ["kcore", "kpagecgroup", "kpagecount", "kpageflags"];

/**
 * `/proc` and `/dev`. Where root runs the server, who is inside is, to the kernel, the root who owns `/proc/sys` and the
 * machine's devices: without any privilege, but nobody needs one to write to his own files or to change their mode.
 * So nothing in `/proc` can be written, and the devices are others, made for this sandbox at `folder`.
 */
export class KernelFiles {
  readonly arguments: readonly string[];
  /** What a command reads that is given nothing to read: its mode can be changed by descriptor too. */
  readonly null: string;
  readonly #folder: string;
  readonly #devices: readonly string[];

  constructor(folder: string) {
    const owner = statSync("/dev/null").uid === process.getuid?.();
    this.#devices = owner ? makeDevices(folder) : [];
    const secrets = [KEYS, ...(owner ? SECRETS : [])].map((name) => `/proc/${name}`).filter((path) => existsSync(path));
    this.arguments = [
      ...["--proc", "/proc"],
      ...secrets.flatMap((path) => ["--ro-bind", "/dev/null", path]),
      ...["--remount-ro", "/proc", "--dev", "/dev"],
      ...this.#devices.flatMap((name) => ["--dev-bind", join(folder, name), `/dev/${name}`]),
      ...["--remount-ro", "/dev"],
    ];
    this.null = this.#devices.length > 0 ? join(folder, "null") : "/dev/null";
    this.#folder = folder;
  }

  /** A command before may have changed their modes. */
  reset(): void {
    for (const name of this.#devices) chmodSync(join(this.#folder, name), 0o666);
  }
}

function makeDevices(folder: string): string[] {
  const mknod = systemProgram("mknod");
  if (mknod === undefined) throw new Error("mknod is missing (package coreutils)");
  mkdirSync(folder);
  for (const [name, numbers] of Object.entries(DEVICES)) execFileSync(mknod, [join(folder, name), "c", ...numbers]);
  return Object.keys(DEVICES);
}
