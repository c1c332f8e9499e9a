import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { CHAIN } from "./children.ts";

test("SBX-21: what starts a command runs no file of the host's user, as bash does where it reads from a socket", async () => {
  const home = mkdtempSync(join(tmpdir(), "choir-bash-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  writeFileSync(join(home, ".bashrc"), "echo ran");
  const child = spawn("bash", ["-c", "true"], { ...CHAIN, env: { ...CHAIN.env, HOME: home } });
  child.stdin.end();
  expect(await text(child.stdout)).toBe("");
});
