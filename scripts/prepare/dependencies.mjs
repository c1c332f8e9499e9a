import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npmCi } from "./npm.mjs";
import { chooseNode } from "./runtime.mjs";

/** @typedef {{ lockfile: string, node: number, platform: string }} Stamp what an install was made from and for */

/**
 * @param {string} root
 * @returns {import("./main.mjs").Step | undefined}
 */
export function dependenciesStep(root) {
  const { path: node, major } = chooseNode(root);
  const stampPath = join(root, "node_modules", ".choir-stamp");
  const wanted = {
    lockfile: hash(join(root, "package-lock.json")),
    node: major,
    platform: `${process.platform}-${process.arch}`,
  };
  const why = reasonToInstall(wanted, stampPath);
  if (why === undefined) return undefined;
  return {
    what: "dependencies",
    why,
    work: async (lock) => {
      // Gone first and written last: an install that was interrupted has none, and the next start does it again.
      rmSync(stampPath, { force: true });
      const failed = "Could not install dependencies";
      await npmCi({ root, folder: root, node, flags: ["--include=dev"], failed }, lock);
      linkCommand(root);
      writeFileSync(stampPath, JSON.stringify(wanted));
    },
  };
}

/**
 * @param {Stamp} wanted
 * @param {string} stampPath
 * @returns {string | undefined}
 */
function reasonToInstall(wanted, stampPath) {
  if (!existsSync(join(stampPath, ".."))) return "this clone has none yet";
  const stamp = readStamp(stampPath);
  if (stamp === undefined) return "no earlier start completed them";
  if (stamp.lockfile !== wanted.lockfile) return "package-lock.json changed since the last install";
  if (stamp.node !== wanted.node) return `they were installed for Node ${stamp.node}, this is Node ${wanted.node}`;
  if (stamp.platform !== wanted.platform)
    return `they were installed for ${stamp.platform}, this is ${wanted.platform}`;
  return undefined;
}

/**
 * @param {string} path
 * @returns {Stamp | undefined}
 */
function readStamp(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** @param {string} path */
function hash(path) {
  return existsSync(path) ? createHash("sha256").update(readFileSync(path)).digest("hex") : "missing";
}

/**
 * npm links the commands of dependencies, not those of the project itself, and an npx older than npm 10 that finds no
 * link would go and look for a stranger's package of the same name.
 *
 * @param {string} root
 */
function linkCommand(root) {
  const folder = join(root, "node_modules", ".bin");
  mkdirSync(folder, { recursive: true });
  rmSync(join(folder, "choir"), { force: true });
  symlinkSync(join("..", "..", "scripts", "choir"), join(folder, "choir"));
}
