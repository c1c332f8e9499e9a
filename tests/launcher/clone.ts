import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { type NpmStandIn, standInForNpm } from "./npm-stand-in.ts";
import { forEveryone } from "./someone-else.ts";

const REPOSITORY = join(import.meta.dirname, "..", "..");

/** Just enough of this repository to be started: its launcher, a lockfile, and a `choir` that says how it was called. */
export interface Clone {
  readonly root: string;
  readonly npm: NpmStandIn;
  /** A folder that comes first on the PATH of what is started here. */
  readonly bin: string;
  start(command: string, args: string[], options?: StartOptions): Start;
  /** A first start, after which everything is in place. */
  prepare(): Promise<void>;
  changeLockfile(): void;
  remove(): void;
}

export interface StartOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  uid?: number;
}

/** A command under way. */
export interface Start {
  readonly pid: number;
  /** Resolves once it has written this to standard error. */
  said(words: string): Promise<void>;
  readonly ended: Promise<Ending>;
}

export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A clone for this test alone. */
export async function makeClone(): Promise<Clone> {
  const clone = await makeLastingClone();
  onTestFinished(clone.remove);
  return clone;
}

/** A clone that stays until it is removed. */
export async function makeLastingClone(): Promise<Clone> {
  const folder = mkdtempSync(join(tmpdir(), "choir-launcher-"));
  const [root, bin] = [join(folder, "clone"), join(folder, "bin")];
  chmodSync(folder, 0o755);
  mkdirSync(bin);
  symlinkSync(forEveryone(machineNode.path), join(bin, "node"));
  layFiles(root);
  const npm = await standInForNpm(folder);
  const underWay = new Set<Start>();
  const remove = () => {
    for (const { pid } of underWay) process.kill(-pid, "SIGKILL");
    npm.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const basis = {
    PATH: [bin, process.env.PATH].join(delimiter),
    HOME: folder,
    npm_config_cache: join(folder, "npm-cache"),
    ...npm.env,
  };
  const start: Clone["start"] = (command, args, { cwd = root, env = {}, uid } = {}) => {
    const child = spawn(join(root, command), args, {
      cwd,
      env: { ...basis, ...env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    const started = follow(child);
    underWay.add(started);
    started.ended.finally(() => underWay.delete(started));
    return started;
  };
  const changeLockfile = () => writeLockfile(root, `${Math.random()}`);
  const prepare = async () => {
    npm.automatic = true;
    await start("scripts/run", ["true"]).ended;
    npm.automatic = false;
  };
  return { root, bin, npm, start, prepare, changeLockfile, remove };
}

/** The Node of this machine, older than the one these tests run on where there is such a one. */
export const machineNode = findMachineNode();

function findMachineNode(): { path: string; isOld: boolean } {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder, "node");
    if (!existsSync(path)) continue;
    const major = Number.parseInt(execFileSync(path, ["-p", "process.versions.node"], { encoding: "utf8" }), 10);
    if (major >= 18 && major < 24) return { path, isOld: true };
  }
  return { path: process.execPath, isOld: false };
}

function layFiles(root: string): void {
  cpSync(join(REPOSITORY, "scripts"), join(root, "scripts"), { recursive: true });
  const main = join(root, ".build", "choir", "main.mjs");
  mkdirSync(join(main, ".."), { recursive: true });
  writeFileSync(main, "console.log(JSON.stringify({ cwd: process.cwd(), args: process.argv.slice(2) }));");
  const manifest = {
    name: "clone",
    version: "1.0.0",
    private: true,
    type: "module",
    bin: { choir: "scripts/choir" },
    scripts: { preinstall: "node --version > installed-with.txt" },
  };
  writeFileSync(join(root, "package.json"), JSON.stringify(manifest));
  writeLockfile(root, "1.0.0");
}

function writeLockfile(root: string, version: string): void {
  const packages = { "": { name: "clone", version } };
  writeFileSync(join(root, "package-lock.json"), JSON.stringify({ name: "clone", lockfileVersion: 3, packages }));
}

function follow(child: ChildProcessByStdio<null, Readable, Readable>): Start {
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const ended = once(child, "close").then(([code, signal]): Ending => ({ code, signal, stdout, stderr }));
  const said = async (words: string) => {
    while (!stderr.includes(words)) {
      const [more] = await Promise.race([once(child.stderr, "data"), ended.then(() => [])]);
      if (more === undefined) throw new Error(`It never said "${words}", only: ${stderr}`);
    }
  };
  if (child.pid === undefined) throw new Error(`It did not start: ${child.spawnfile}`);
  return { pid: child.pid, said, ended };
}
