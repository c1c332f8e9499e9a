import { existsSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { keepLog, run } from "./command.mjs";
import { explain, Failure } from "./failure.mjs";

// npm's own defaults wait more than a minute before they admit that there is no network. The log level is set because a
// caller's `npm --silent` would otherwise be inherited and leave nothing to explain a failure with.
const QUIET = ["--no-audit", "--no-fund", "--no-progress", "--no-update-notifier", "--color=false", "--loglevel=warn"];
const PATIENCE = [
  "--fetch-retries=3",
  "--fetch-retry-factor=2",
  "--fetch-retry-mintimeout=1000",
  "--fetch-timeout=60000",
];

/**
 * Runs `npm ci` in a folder, with the given Node for npm and for every install script.
 *
 * @param {{ root: string, folder: string, node: string, flags: string[], failed: string }} task
 * @param {import("./lock.mjs").Lock} lock
 */
export async function npmCi({ root, folder, node, flags, failed }, lock) {
  const npm = findNpm();
  if (npm === undefined) {
    throw new Failure(
      `${failed}: npm is not here. Install it (on Debian and Ubuntu: sudo apt-get install npm) and run this again.`,
    );
  }
  const argv = [...(npm.endsWith(".js") ? [node, npm] : [npm]), "ci", ...flags, ...QUIET, ...PATIENCE];
  // Told to stop, npm first finishes what it is downloading. Whatever it leaves behind is made anew by the next start.
  const options = { cwd: folder, env: environment(node), grace: 500, started: lock.shareWith };
  const { ok, output } = await run(argv, options);

  // npm reports a file it could not unpack as a warning, and may then end as if all was well.
  if (ok && !output.includes("TAR_ENTRY_ERROR")) return;
  throw new Failure(explain(failed, output, root) + keepLog(root, "npm.log", output));
}

/** @param {string} node */
function environment(node) {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) };
  // An npm around this one has put its own Node here.
  delete env.NODE;
  delete env.npm_node_execpath;
  return env;
}

/**
 * The npm that started us, else the one that came with this Node, else the first on the PATH.
 *
 * @returns {string | undefined} its script, or a command where a version manager hides the script
 */
function findNpm() {
  const caller = process.env.npm_execpath;
  if (caller && /^np[mx]-cli\.js$/.test(basename(caller))) {
    const script = join(dirname(caller), "npm-cli.js");
    if (existsSync(script)) return script;
  }
  const folders = [dirname(process.execPath), ...(process.env.PATH ?? "").split(delimiter)].filter(Boolean);
  const command = folders.map((folder) => join(folder, "npm")).find((path) => existsSync(path));
  const script = command && realpathSync(command);
  return script?.endsWith(".js") ? script : command;
}
