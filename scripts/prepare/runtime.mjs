import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "./failure.mjs";
import { npmCi } from "./npm.mjs";

const NEEDED = 24;
const VERSION = "24.21.0";

/** The checksums are pinned here, as the lockfile does for every other package. */
const PACKAGES = new Map([
  ["linux-x64", "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q=="],
  ["linux-arm64", "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g=="],
]);

const FAILED = `Could not install Node ${VERSION}`;
const platform = `${process.platform}-${process.arch}`;
const binary = join("node_modules", `node-${platform}`, "bin", "node");

/**
 * Which Node the commands of this repository run on.
 *
 * @param {string} root
 * @returns {{ path: string, major: number, runtimeFolder: string }} `runtimeFolder` is empty where the Node at hand will do
 */
export function chooseNode(root) {
  const major = Number.parseInt(process.versions.node, 10);
  if (major >= NEEDED) return { path: process.execPath, major, runtimeFolder: "" };
  const runtimeFolder = join(root, ".runtime", "bin");
  return { path: join(runtimeFolder, "node"), major: NEEDED, runtimeFolder };
}

/**
 * @param {string} root
 * @returns {import("./main.mjs").Step | undefined}
 */
export function runtimeStep(root) {
  const { path, runtimeFolder } = chooseNode(root);
  if (runtimeFolder === "" || (existsSync(path) && readlinkSync(path) === linkTarget())) return undefined;
  return {
    what: `Node ${VERSION}`,
    why: `ChoirOS needs Node ${NEEDED} or newer, this machine has ${process.versions.node}`,
    work: (lock) => installNode(root, path, lock),
  };
}

/**
 * Made in a folder of its own and moved into place when it is whole: an install that was killed is never mistaken for
 * one that worked.
 *
 * @param {string} root
 * @param {string} link
 * @param {import("./lock.mjs").Lock} lock
 */
async function installNode(root, link, lock) {
  const integrity = PACKAGES.get(platform);
  if (integrity === undefined) {
    throw new Failure(`${FAILED}: there is no package of it for ${platform}. ${byHand()}`);
  }
  const folder = join(root, ".runtime");
  const partial = join(folder, `node-${VERSION}.partial`);
  rmSync(partial, { recursive: true, force: true });
  try {
    mkdirSync(partial);
    writeManifest(partial, integrity);
    await npmCi({ root, folder: partial, node: process.execPath, flags: ["--ignore-scripts"], failed: FAILED }, lock);
    assertRuns(join(partial, binary));
    const whole = join(folder, `node-${VERSION}`);
    rmSync(whole, { recursive: true, force: true });
    renameSync(partial, whole);
  } finally {
    // On a full disk what is left of it would be in the way of everything else.
    rmSync(partial, { recursive: true, force: true });
  }
  mkdirSync(join(folder, "bin"), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(linkTarget(), link);
}

function linkTarget() {
  return join("..", `node-${VERSION}`, binary);
}

/**
 * @param {string} folder
 * @param {string} integrity
 */
function writeManifest(folder, integrity) {
  const name = `node-${platform}`;
  const manifest = { name: "runtime", version: VERSION, private: true, dependencies: { [name]: VERSION } };
  const packages = { "": manifest, [`node_modules/${name}`]: { version: VERSION, integrity } };
  const lockfile = { name: "runtime", version: VERSION, lockfileVersion: 3, requires: true, packages };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lockfile));
}

/**
 * The package is built against glibc: on musl, or on a system that is too old, it installs well and does not start.
 *
 * @param {string} path
 */
function assertRuns(path) {
  try {
    execFileSync(path, ["--version"], { stdio: "pipe" });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n").slice(-2).join(" ").trim() : error;
    throw new Failure(`${FAILED}: it does not start on this system (${reason}). ${byHand()}`);
  }
}

function byHand() {
  return `Install Node ${NEEDED} or newer from https://nodejs.org or your system's packages, and run the same command again.`;
}
