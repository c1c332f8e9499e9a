import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { compileCall } from "../testing/call-probes.ts";
import { isRoot } from "../testing/probe.ts";

/** Somebody whom no system gives any right. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const source = join(import.meta.dirname, "..");

test.runIf(isRoot)("SBX-23: an ordinary user has every promise kept that root has", { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "choir ordinary, "));
  try {
    const [program, ...args] = layOut(folder);
    const child = spawn(program, args, {
      ...NOBODY,
      cwd: folder,
      env: { HOME: folder, PATH: process.env.PATH, TMPDIR: folder },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const told = stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line): { name: string; failed?: string } => JSON.parse(line));
    const failures = told.flatMap(({ name, failed }) => (failed === undefined ? [] : [`${name}: ${failed}`]));
    expect(failures.join("\n"), stderr).toBe("");
    expect(told.length).toBeGreaterThan(190);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** A copy of what is needed, for who may not look where the tests stand. */
function layOut(folder: string): [string, ...string[]] {
  const copy = join(folder, "src");
  cpSync(source, copy, { recursive: true, filter: (path) => !path.endsWith(".test.ts") });
  for (const name of ["@lydell/node-pty", `@lydell/node-pty-linux-${process.arch}`]) {
    const from = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    cpSync(from, join(folder, "node_modules", name), { recursive: true });
  }
  const node = join(folder, "node");
  cpSync(process.execPath, node);
  mkdirSync(join(folder, "bin"));
  compileCall(join(folder, "bin"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  execFileSync("chown", ["-R", `${NOBODY.uid}:${NOBODY.gid}`, folder]);
  return [node, join(copy, "testing/ordinary-entry.ts"), join(folder, "bin")];
}
