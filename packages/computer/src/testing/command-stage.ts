import { lstatSync, mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type Opened, openSandbox, type Sandbox } from "@choiros/sandbox";
import { afterEach, expect } from "vitest";
import type { CommandLine, ExecOptions, ExecOutcome } from "../command/command.ts";
import { computerStage, type Desk, done, type StageOptions } from "./computer-stage.ts";

export type GroundName = "overlay" | "live";

/** A computer whose commands run in a real sandbox. */
export interface CommandDesk extends Desk {
  /** A shell's line, in the workspace. */
  sh(line: string, options?: ExecOptions & Omit<CommandLine, "argv">): Promise<ExecOutcome & { readonly said: string }>;
  again(options?: StageOptions & { meanwhile?: () => void }): Promise<CommandDesk>;
}

/** Computers with commands, on an overlay or in place. */
export function commandStage(ground: GroundName): (options?: StageOptions) => Promise<CommandDesk> {
  const runs = new Set<string>();
  afterEach(() => {
    for (const run of runs) rmSync(run, { recursive: true, force: true });
    runs.clear();
  });
  const stage = computerStage(); // after that: what is set up last is taken down first
  const dress = (desk: Desk): CommandDesk => ({
    ...desk,
    sh: (line, options) => sh(desk, line, options),
    again: async (options) => dress(await desk.reopen(options)),
  });
  return async (options = {}) => {
    const runDir = mkdtempSync(join(tmpdir(), "choir-run-"));
    runs.add(runDir);
    const place: { root: string } = { root: "" };
    const sandbox = () => openOn(ground, place.root, runDir);
    const desk = await stage({ sandbox, ...options });
    place.root = desk.root;
    return dress(desk);
  };
}

/** After the command the log and the folder are alike, and taking it back gives everything back, byte for byte. */
export async function undoneWhole(desk: CommandDesk, line: string): Promise<void> {
  const before = desk.disk();
  const { call, blocked } = await desk.sh(line);
  expect(blocked).toEqual([]);
  const after = desk.disk();
  expect(await desk.tree()).toEqual(after);
  expect(after).not.toEqual(before);
  const undone = done(await desk.computer.undo({ call }));
  expect(desk.disk()).toEqual(before);
  expect(await desk.tree()).toEqual(before);
  done(await desk.computer.undo({ seq: undone.seq }));
  expect(desk.disk()).toEqual(after);
}

/** A sandbox for a computer, with overlays or without. */
export async function openOn(ground: GroundName, root: string, runDir: string): Promise<Opened> {
  const opened = await openSandbox({ root, runDir });
  if (!opened.ok || ground === "overlay") return opened;
  return { ok: true, sandbox: withoutOverlay(opened.sandbox) };
}

/** As on a system that has none. */
function withoutOverlay(sandbox: Sandbox): Sandbox {
  const { engine, limitedBy } = sandbox;
  return {
    engine,
    limitedBy,
    overlay: { ok: false, why: "not in this test" },
    run: (command) => sandbox.run(command),
    pty: (command) => sandbox.pty(command),
    dial: (port, where) => sandbox.dial(port, where),
    close: () => sandbox.close(),
  };
}

async function sh({ computer, root }: Desk, line: string, options: ExecOptions & Omit<CommandLine, "argv"> = {}) {
  await diskTicked(root);
  const { cwd, env, stdin, limits, egress, ...rest } = options;
  const asked = { cwd, env, stdin, limits, egress };
  const command = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  const said: string[] = [];
  const onOutput = ({ bytes }: { bytes: Uint8Array }) => void said.push(Buffer.from(bytes).toString("utf8"));
  const outcome = await computer.exec({ argv: ["/bin/sh", "-c", line], ...command }, { onOutput, ...rest });
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return { ...outcome, said: said.join("") };
}

/** What came in the very tick of the disk's clock in which a command begins counts as having come since, and isn't deleted. */
async function diskTicked(root: string): Promise<void> {
  const now = () => {
    const { atime, mtime } = lstatSync(root);
    utimesSync(root, atime, mtime);
    return lstatSync(root).ctimeMs;
  };
  for (const begun = now(); now() === begun; ) await setImmediate();
}
