import { existsSync, lstatSync } from "node:fs";
import { join, posix } from "node:path";
import { directoryInside } from "../command.ts";
import type { Limits } from "../limits.ts";
import { type Command, HOME_INSIDE, type Mount } from "../sandbox.ts";
import { SandboxError } from "../sandbox-error.ts";
import { HOSTNAME_INSIDE, pathInside, UID_INSIDE } from "./system.ts";

/** What of a computer's folder is seen inside. What isn't named here isn't there: `.choir` above all. */
export const AREAS = ["workspace", "artifacts", "choiros"];

/** Memory that looks like a disk, by its path inside. */
export const MEMORY_DISKS = ["/tmp", "/dev/shm", HOME_INSIDE];

/** Descriptors that the chain of programs before bubblewrap opens for it. */
export const STATUS_FD = 3;
/** What bubblewrap waits for before it starts the command. */
export const GO_FD = 7;
export const ARGUMENTS_FD = 8;
export const SECCOMP_FD = 9;

export interface Inside {
  /** What every command of this sandbox has. */
  readonly system: readonly string[];
  /** The computer's folder, or the overlay of it. */
  readonly folder: string;
  /** The computer's folder itself. */
  readonly root: string;
  readonly limits: Limits;
  readonly terminal: boolean;
  /** It has a network namespace already. */
  readonly joined: boolean;
  /** It waits until it is told to go. */
  readonly waits: boolean;
  readonly env: Readonly<Record<string, string>>;
}

/** Everything that bubblewrap is told, but for the command itself. */
export function bubblewrapArguments(command: Command, inside: Inside): string[] {
  const { system, limits, terminal, joined, waits } = inside;
  return [
    ...["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"],
    ...(joined ? [] : ["--unshare-net"]),
    ...["--disable-userns", "--uid", String(UID_INSIDE), "--gid", String(UID_INSIDE), "--cap-drop", "ALL"],
    ...["--hostname", HOSTNAME_INSIDE, "--die-with-parent", "--clearenv"],
    // A terminal's own session was made with it; another one would have no job control.
    ...(terminal ? [] : ["--new-session"]),
    ...system,
    ...MEMORY_DISKS.flatMap((path) => ["--perms", "1777", ...sizeOf(limits), "--tmpfs", path]),
    ...folderArguments(inside),
    ...(command.mounts ?? []).flatMap(mountArguments),
    ...["--remount-ro", "/", "--chdir", directoryInside(command.cwd)],
    ...Object.entries(environmentOf(command, inside)).flatMap(([name, value]) => ["--setenv", name, value]),
    ...(waits ? ["--block-fd", String(GO_FD)] : []),
    ...["--seccomp", String(SECCOMP_FD), "--json-status-fd", String(STATUS_FD)],
  ];
}

function sizeOf({ diskBytes, memoryBytes }: Limits): string[] {
  const size = Math.min(diskBytes, memoryBytes);
  return Number.isFinite(size) ? ["--size", String(Math.ceil(size))] : [];
}

function folderArguments({ folder, root }: Inside): string[] {
  const areas = AREAS.filter((area) => existsSync(join(root, area)));
  const git = lstatSync(join(root, ".git"), { throwIfNoEntry: false });
  return [
    ...areas.flatMap((area) => ["--bind", join(folder, area), join(HOME_INSIDE, area)]),
    ...(git?.isDirectory() ? ["--ro-bind", join(root, ".git"), join(HOME_INSIDE, ".git")] : []),
  ];
}

function mountArguments({ from, to, write }: Mount): string[] {
  if (!posix.isAbsolute(to) || posix.normalize(to) !== to) {
    throw new SandboxError("misuse", `something can't be mounted at ${to}: it must be a plain absolute path`);
  }
  return [write ? "--bind" : "--ro-bind", from, to];
}

function environmentOf({ env }: Command, inside: Inside): Record<string, string> {
  const all = {
    HOME: HOME_INSIDE,
    LANG: "C.UTF-8",
    PATH: pathInside(),
    TERM: inside.terminal ? "xterm-256color" : "dumb",
    TMPDIR: "/tmp",
    USER: "choir",
    ...inside.env,
    ...env,
  };
  for (const [name, value] of Object.entries(all)) {
    if (name === "" || /[=\0]/.test(name) || value.includes("\0")) {
      throw new SandboxError("misuse", `${JSON.stringify(name)} can't be set in an environment`);
    }
  }
  return all;
}
