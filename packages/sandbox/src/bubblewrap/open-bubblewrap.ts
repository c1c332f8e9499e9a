import { mkdtempSync, writeFileSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Limits } from "../limits.ts";
import type { Opened } from "../open-sandbox.ts";
import type { Command, Whether } from "../sandbox.ts";
import { seccompFilter } from "../seccomp/filter.ts";
import { BubblewrapSandbox, MERGED_FOLDER, SECCOMP_FILE } from "./bubblewrap-sandbox.ts";
import type { Programs } from "./chain.ts";
import { openGroups } from "./groups.ts";
import { inheritedDescriptors } from "./inherited.ts";
import { KernelFiles } from "./kernel-files.ts";
import { clearLeftGroups, clearLeftovers, FOLDER_PREFIX, GROUPS_FILE, groupName } from "./leftovers.ts";
import { ownerName } from "./owner.ts";
import { systemArguments, systemProgram } from "./system.ts";

export interface BubblewrapOptions {
  readonly root: string;
  readonly runDir: string;
  readonly limits: Limits;
  readonly allowLoopback?: boolean;
  /** Where a program is, for tests of machines that lack one. */
  readonly find?: (name: string) => string | undefined;
}

/** What has to be installed for each program, as Debian and Fedora call it. */
const PACKAGES = {
  bwrap: "bubblewrap",
  sh: "dash",
  bash: "bash",
  mkfifo: "coreutils",
  mount: "util-linux",
  unshare: "util-linux",
  prlimit: "util-linux",
};

/** Opens the engine and tries it out. */
export async function openBubblewrap(options: BubblewrapOptions): Promise<Opened> {
  const { root, runDir, limits, allowLoopback = false } = options;
  const programs = findPrograms(options.find ?? systemProgram);
  if (Array.isArray(programs)) return missing(programs);
  const filter = seccompFilter();
  if (filter === undefined) return unsupported(process.arch);

  await mkdir(runDir, { recursive: true, mode: 0o700 });
  await clearLeftovers(runDir);
  const folder = mkdtempSync(join(await realpath(runDir), `${FOLDER_PREFIX}${ownerName()}-`));
  const groups = openGroups(groupName(folder));
  clearLeftGroups(groups?.folders ?? []);
  writeFileSync(join(folder, GROUPS_FILE), (groups?.folders ?? []).join("\n"));
  writeFileSync(join(folder, SECCOMP_FILE), filter);
  await mkdir(join(folder, MERGED_FOLDER));
  const system = systemArguments(join(folder, "etc"));
  const kernel = new KernelFiles(join(folder, "dev"));
  const inherited = inheritedDescriptors();
  const ground = {
    root: await realpath(root),
    folder,
    programs,
    groups,
    limits,
    system,
    kernel,
    inherited,
    allowLoopback,
  };
  const sandbox = new BubblewrapSandbox(ground);
  const works = await tryOut(sandbox, folder);
  if (works.ok) return { ok: true, sandbox };
  await sandbox.close();
  return { ok: false, reason: "refused", message: `Commands can't run in a sandbox here. ${works.why}` };
}

const TRIAL = "exec > /dev/null";

/** On an overlay; where that fails, in place: either it is the overlay, or everything. */
async function tryOut(sandbox: BubblewrapSandbox, folder: string): Promise<Whether> {
  const [upper, work] = [join(folder, "upper"), join(folder, "work")];
  await Promise.all([mkdir(upper), mkdir(work)]);
  sandbox.overlay = await tryOne(sandbox, { shell: TRIAL, cwd: "/home/choir", folder: { overlay: { upper, work } } });
  if (sandbox.overlay.ok) return sandbox.overlay;
  return tryOne(sandbox, { shell: TRIAL, cwd: "/home/choir", folder: "live" });
}

async function tryOne(sandbox: BubblewrapSandbox, command: Command): Promise<Whether> {
  try {
    const running = await sandbox.run(command);
    const { exit } = await running.ended;
    return exit === 0 ? { ok: true } : { ok: false, why: `A command that does nothing ended with ${exit}` };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}

/** The programs, or the packages that have them. */
function findPrograms(find: (name: string) => string | undefined): Programs | string[] {
  const found = Object.keys(PACKAGES).map((name) => [name, find(name)] as const);
  const lacking = found.flatMap(([name, path]) => (path === undefined ? [name] : []));
  // Each name has its path: none is lacking.
  if (lacking.length === 0) return Object.fromEntries(found) as unknown as Programs;
  return [...new Set(Object.entries(PACKAGES).flatMap(([name, one]) => (lacking.includes(name) ? [one] : [])))];
}

function missing(packages: readonly string[]): Opened {
  const names = packages.join(" ");
  return {
    ok: false,
    reason: "missing",
    packages,
    message: `Commands run in a sandbox, and this machine has no ${packages.join(", ")}. Install it (on Debian and Ubuntu: sudo apt-get install ${names}; on Fedora: sudo dnf install ${names}).`,
  };
}

function unsupported(arch: string): Opened {
  const message = `Commands run in a sandbox, and its filter of system calls knows x64 and arm64, but not ${arch}.`;
  return { ok: false, reason: "architecture", message };
}
