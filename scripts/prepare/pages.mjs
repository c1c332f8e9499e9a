import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { keepLog, run } from "./command.mjs";
import { explain, Failure } from "./failure.mjs";
import { chooseNode } from "./runtime.mjs";

/** Each is an app with a page, and becomes a folder that the server gives out as it is. */
const PAGES = ["console", "desktop"];
const FAILED = "Could not build the pages";

/**
 * @param {string} root
 * @returns {import("./main.mjs").Step | undefined}
 */
export function pagesStep(root) {
  const apps = PAGES.filter((app) => existsSync(join(root, "apps", app, "index.html")));
  if (apps.length === 0) return undefined;
  const built = join(root, ".build", "pages");
  const stampPath = join(built, "stamp");
  const wanted = hashOf(root, apps);
  const stamp = existsSync(stampPath) ? readFileSync(stampPath, "utf8") : undefined;
  if (stamp === wanted) return undefined;
  return {
    verb: "Building",
    what: "the pages",
    why: stamp === undefined ? "no earlier start completed them" : "their sources changed",
    work: async (lock) => {
      mkdirSync(built, { recursive: true });
      // Gone first and written last: a build that was interrupted has none, and the next start does it again.
      rmSync(stampPath, { force: true });
      for (const app of apps) await build(root, app, lock);
      writeFileSync(stampPath, wanted);
    },
  };
}

/**
 * @param {string} root
 * @param {string} app
 * @param {import("./lock.mjs").Lock} lock
 */
async function build(root, app, lock) {
  const { path: node } = chooseNode(root);
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const env = { ...process.env, NODE_ENV: "production", PATH: `${dirname(node)}:${process.env.PATH}` };
  const options = { cwd: root, env, grace: 500, started: lock.shareWith };
  const { ok, output } = await run([node, vite, "build", join("apps", app)], options);
  if (!ok) throw new Failure(explain(FAILED, output, root) + keepLog(root, "pages.log", output));
}

/**
 * Of everything that goes into the pages: their own files, the contract, the guide, and the packages as the lockfile has them.
 *
 * @param {string} root
 * @param {string[]} apps
 */
function hashOf(root, apps) {
  const hash = createHash("sha256");
  const folders = [...apps.map((app) => join("apps", app)), join("packages", "contract", "src")];
  const guide = join("docs", "guide");
  const sources = folders.flatMap((folder) => filesBelow(root, folder, /\.test\.tsx?$|\.md$/));
  const files = [...sources, ...(existsSync(join(root, guide)) ? filesBelow(root, guide) : []), "package-lock.json"];
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  return hash.digest("hex");
}

/**
 * @param {string} root
 * @param {string} folder
 * @param {RegExp} [without]
 * @returns {string[]}
 */
function filesBelow(root, folder, without) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesBelow(root, path, without);
    return without?.test(entry.name) === true ? [] : [path];
  });
}
