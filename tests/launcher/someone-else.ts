import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll } from "vitest";

/**
 * Root may do anything, so a test of what happens to those who may not runs as nobody. Everybody else runs it as
 * themselves.
 */
export const someoneElse: { uid?: number } = process.getuid?.() === 0 ? { uid: 65_534 } : {};

export const isRoot = process.getuid?.() === 0;

/** A program where someone else can run it, too: a copy of it, where it stands in a folder that is root's alone. */
export function forEveryone(program: string): string {
  const known = reachable.get(program) ?? reach(program);
  reachable.set(program, known);
  return known;
}

const reachable = new Map<string, string>();
const copies: string[] = [];
afterAll(() => {
  for (const folder of copies) rmSync(folder, { recursive: true });
});

function reach(program: string): string {
  const { uid } = someoneElse;
  if (uid === undefined || spawnSync(program, ["--version"], { uid, gid: uid }).status === 0) return program;
  const folder = mkdtempSync(join(tmpdir(), "choir-for-everyone-"));
  copies.push(folder);
  chmodSync(folder, 0o755);
  const copy = join(folder, basename(program));
  cpSync(program, copy, { dereference: true });
  return copy;
}
