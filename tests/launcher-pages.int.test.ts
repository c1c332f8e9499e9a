import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Clone, makeClone } from "./launcher/clone.ts";

test("the pages are built before the first command, and again only when their sources changed", async () => {
  const clone = await cloneWithPages();
  const start = async () => (await clone.start("scripts/run", ["true"]).ended).stderr;

  expect(await start()).toMatch(/^Building the pages: no earlier start completed it\nBuilding the pages: done in/m);
  expect(await start()).toBe("");
  writeFileSync(join(clone.root, "apps", "console", "index.html"), "<!doctype html>other");
  writeFileSync(join(clone.root, "apps", "console", "README.md"), "not part of it");
  expect(await start()).toContain("Building the pages: its sources changed");
  writeFileSync(join(clone.root, "apps", "console", "README.md"), "still not");
  expect(await start()).toBe("");
  expect(readFileSync(join(clone.root, "built.txt"), "utf8")).toBe("apps/console\napps/console\n");
});

test("the server is built of its own sources and those of all packages, and again only when one of them changed", async () => {
  const clone = await cloneWithPages();
  const start = async () => (await clone.start("scripts/run", ["true"]).ended).stderr;
  mkdirSync(join(clone.root, "apps", "server"), { recursive: true });
  writeFileSync(join(clone.root, "apps", "server", "vite.config.ts"), "");

  expect(await start()).toContain("Building the server: no earlier start completed it\n");
  writeFileSync(join(clone.root, "packages", "contract", "src", "index.test.ts"), "not part of it");
  utimesSync(join(clone.root, "apps", "server", "vite.config.ts"), 1, 1);
  expect(await start()).toBe("");
  mkdirSync(join(clone.root, "packages", "log"));
  writeFileSync(join(clone.root, "packages", "log", "index.ts"), "export {};");
  expect(await start()).toMatch(/^Building the server: its sources changed\nBuilding the server: done in [^\n]+\n$/);
});

test("what is built anew lies beside what a running server gives out, and of former ones only some are kept", async () => {
  const clone = await cloneWithPages();
  const pages = join(clone.root, ".build", "pages");
  const kept = () => readdirSync(join(clone.root, ".build")).filter((name) => name.startsWith("pages."));
  const build = async (text: string) => {
    writeFileSync(join(clone.root, "apps", "console", "index.html"), text);
    await clone.start("scripts/run", ["true"]).ended;
    return realpathSync(pages);
  };
  mkdirSync(join(pages, "console"), { recursive: true }); // as it was before

  const first = await build("one");
  const second = await build("two");
  expect(readFileSync(join(first, "console", "index.html"), "utf8")).toBe("one");
  expect(readFileSync(join(pages, "console", "index.html"), "utf8")).toBe("two");

  writeFileSync(join(clone.root, "broken"), "");
  expect(await build("three")).toBe(second);
  rmSync(join(clone.root, "broken"));
  for (const text of ["four", "five", "six", "seven"]) expect(await build(text)).not.toBe(second);
  expect(readFileSync(join(pages, "console", "index.html"), "utf8")).toBe("seven");
  expect(kept()).toHaveLength(5);
});

test("pages that can't be built stop the start with what went wrong, and the next start tries again", async () => {
  const clone = await cloneWithPages();
  writeFileSync(join(clone.root, "broken"), "");
  const failed = await clone.start("scripts/run", ["true"]).ended;
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain("Could not build the pages. It ended with:\n  Unexpected token");
  expect(existsSync(join(clone.root, ".build", "stamps", "the-pages"))).toBe(false);
  rmSync(join(clone.root, "broken"));
  expect((await clone.start("scripts/run", ["true"]).ended).code).toBe(0);
});

/** With everything in place but the pages, and a Vite that says what it was told to build, and only copies the page. */
async function cloneWithPages(): Promise<Clone> {
  const clone = await makeClone();
  await clone.prepare();
  const lay = (path: string, text: string) => {
    mkdirSync(join(clone.root, path, ".."), { recursive: true });
    writeFileSync(join(clone.root, path), text);
  };
  lay("packages/contract/src/index.ts", "");
  lay("apps/console/vite.config.ts", "");
  lay("apps/console/index.html", "<!doctype html>");
  lay(
    "node_modules/vite/bin/vite.js",
    `import { appendFileSync, cpSync, existsSync } from "node:fs";
     if (existsSync("broken")) { console.error("Unexpected token"); process.exit(1); }
     const [app, , folder] = process.argv.slice(3);
     appendFileSync("built.txt", app + "\\n");
     cpSync(app, folder, { recursive: true });`,
  );
  return clone;
}
