import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { keepLog, run } from "./command.mjs";
import { explain, Failure } from "./failure.mjs";
import { chooseNode } from "./runtime.mjs";

/**
 * @typedef {object} Build
 * @property {string} what as in "Building <what>"
 * @property {string} name of the link in `.build` that leads to the last one
 * @property {{ [app: string]: string }} apps that Vite makes it of, each with its folder there
 * @property {string[]} sources everything that goes into it, but for the packages, which the lockfile has
 */

/** Each app has a page, and becomes a folder that the server gives out as it is. @type {Build} */
const PAGES = {
  what: "the pages",
  name: "pages",
  apps: { console: "console", desktop: "desktop" },
  sources: ["apps/console", "apps/desktop", "packages/contract/src", "docs/guide"],
};

/** @type {Build} */
const SERVER = { what: "the server", name: "choir", apps: { server: "." }, sources: ["apps/server", "packages"] };

/** So many are kept: a server that runs reads of the one it was started with, whatever is built meanwhile. */
const KEPT = 5;

/**
 * @param {string} root
 * @returns {import("./main.mjs").Step | undefined}
 */
export const pagesStep = (root) => stepOf(root, PAGES);

/**
 * @param {string} root
 * @returns {import("./main.mjs").Step | undefined}
 */
export const builtServerStep = (root) => stepOf(root, SERVER);

/**
 * @param {string} root
 * @param {Build} build
 * @returns {import("./main.mjs").Step | undefined}
 */
function stepOf(root, { what, name, apps: all, sources }) {
  const apps = Object.entries(all).filter(([app]) => existsSync(join(root, "apps", app, "vite.config.ts")));
  if (apps.length === 0) return undefined;
  const stamps = join(root, ".build", "stamps");
  const stampPath = join(stamps, what.replaceAll(" ", "-"));
  const stamp = existsSync(stampPath) ? readFileSync(stampPath, "utf8") : undefined;
  const [looked, read] = stamp?.split(" ") ?? [];
  const files = filesOf(root, sources);
  const looks = lookOf(root, files);
  if (looked === looks) return undefined;
  const contents = hashOf(root, files);
  if (read === contents) return undefined; // only touched
  return {
    verb: "Building",
    what,
    why: stamp === undefined ? "no earlier start completed it" : "its sources changed",
    work: async (lock) => {
      mkdirSync(stamps, { recursive: true });
      // Gone first and written last: a build that was interrupted has none, and the next start does it again.
      rmSync(stampPath, { force: true });
      const link = join(root, ".build", name);
      const next = `${name}.${nextOf(link)}`;
      for (const [app, folder] of apps) await build(root, app, join(root, ".build", next, folder), what, lock);
      lead(link, next);
      writeFileSync(stampPath, `${looks} ${contents}`);
    },
  };
}

/**
 * In turns: names that come again fill no disk, nor node's cache of what it compiled.
 *
 * @param {string} link
 */
function nextOf(link) {
  const last = isLink(link) ? Number(readlinkSync(link).split(".").at(-1)) : 0;
  return (last % KEPT) + 1;
}

/**
 * At once: whoever starts meanwhile gets the former one, or this.
 *
 * @param {string} link
 * @param {string} to
 */
function lead(link, to) {
  if (!isLink(link)) rmSync(link, { recursive: true, force: true }); // a folder, as it was once
  const aside = `${link}.new`;
  rmSync(aside, { force: true });
  symlinkSync(to, aside);
  renameSync(aside, link);
}

/** @param {string} path */
function isLink(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/**
 * @param {string} root
 * @param {string} app
 * @param {string} folder
 * @param {string} what
 * @param {import("./lock.mjs").Lock} lock
 */
async function build(root, app, folder, what, lock) {
  const { path: node } = chooseNode(root);
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const env = { ...process.env, NODE_ENV: "production", PATH: `${dirname(node)}:${process.env.PATH}` };
  const options = { cwd: root, env, grace: 500, started: lock.shareWith };
  const { ok, output } = await run([node, vite, "build", join("apps", app), "--outDir", folder], options);
  if (!ok) throw new Failure(explain(`Could not build ${what}`, output, root) + keepLog(root, "build.log", output));
}

/**
 * Everything that goes into it.
 *
 * @param {string} root
 * @param {string[]} sources
 */
function filesOf(root, sources) {
  const folders = sources.filter((folder) => existsSync(join(root, folder)));
  return [...folders.flatMap((folder) => filesBelow(root, folder)), "package-lock.json"];
}

/**
 * At every start it is asked whether anything changed: mostly a look at each file says that nothing did.
 *
 * @param {string} root
 * @param {string[]} files
 */
function lookOf(root, files) {
  const hash = createHash("sha256");
  for (const file of files) {
    const { mtimeMs, size } = statSync(join(root, file));
    hash.update(`${file}\0${mtimeMs} ${size}\0`);
  }
  return hash.digest("hex");
}

/**
 * @param {string} root
 * @param {string[]} files
 */
function hashOf(root, files) {
  const hash = createHash("sha256");
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update("\0");
  return hash.digest("hex");
}

/** What is built of nothing: of documents only the guide is part of a page. */
const APART = /\.test\.tsx?$|^(?!docs\/).*\.md$/;

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(root, folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesBelow(root, path);
    return APART.test(path) ? [] : [path];
  });
}
