import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Clone, makeClone } from "./launcher/clone.ts";

test("the pages are built before the first command, and again only when their sources changed", async () => {
  const clone = await cloneWithPages();
  const start = async () => (await clone.start("scripts/run", ["true"]).ended).stderr;

  expect(await start()).toMatch(/^Building the pages: no earlier start completed them\nBuilding the pages: done in/m);
  expect(await start()).toBe("");
  writeFileSync(join(clone.root, "apps", "console", "index.html"), "<!doctype html>other");
  writeFileSync(join(clone.root, "apps", "console", "README.md"), "not part of it");
  expect(await start()).toContain("Building the pages: their sources changed");
  writeFileSync(join(clone.root, "apps", "console", "README.md"), "still not");
  expect(await start()).toBe("");
  expect(readFileSync(join(clone.root, "built.txt"), "utf8")).toBe("apps/console\napps/console\n");
});

test("pages that can't be built stop the start with what went wrong, and the next start tries again", async () => {
  const clone = await cloneWithPages();
  writeFileSync(join(clone.root, "broken"), "");
  const failed = await clone.start("scripts/run", ["true"]).ended;
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain("Could not build the pages. It ended with:\n  Unexpected token");
  expect(existsSync(join(clone.root, ".build", "pages", "stamp"))).toBe(false);
  rmSync(join(clone.root, "broken"));
  expect((await clone.start("scripts/run", ["true"]).ended).code).toBe(0);
});

/** With everything in place but the pages, and a Vite that only says what it was told to build. */
async function cloneWithPages(): Promise<Clone> {
  const clone = await makeClone();
  await clone.prepare();
  const lay = (path: string, text: string) => {
    mkdirSync(join(clone.root, path, ".."), { recursive: true });
    writeFileSync(join(clone.root, path), text);
  };
  lay("packages/contract/src/index.ts", "");
  lay("apps/console/index.html", "<!doctype html>");
  lay(
    "node_modules/vite/bin/vite.js",
    `import { appendFileSync, existsSync } from "node:fs";
     if (existsSync("broken")) { console.error("Unexpected token"); process.exit(1); }
     appendFileSync("built.txt", process.argv[3] + "\\n");`,
  );
  return clone;
}
