import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Mount, Sandbox } from "../sandbox.ts";
import { tell } from "./place.ts";

/** Something that code inside might try. */
export interface Probe {
  /** What it would do, to stand after "can't". */
  readonly name: string;
  /** Ends with 0 where it worked. */
  readonly shell: string;
  /** What to run where nothing holds it back, in place of the same, to do the same; or why there is no such thing. */
  readonly control?: string | { readonly none: string };
  /** Ends with 0 where the machine hasn't got what the probe is after, so that it can't work anywhere. */
  readonly absent?: string;
}

/** Whether a probe works where there is no sandbox: else it says nothing of one. */
export type Control =
  | { readonly works: true }
  | { readonly works: false; readonly why: string; readonly lost: boolean };

/** Runs all of them in one shell; says which worked. */
export function scriptOf(shells: readonly string[]): string {
  return shells.map((shell, i) => `if ( ${shell}\n) >/dev/null 2>&1 </dev/null; then echo ${i}; fi`).join("\n");
}

export async function worksInside(
  sandbox: Sandbox,
  probes: readonly Probe[],
  options: { mounts?: readonly Mount[]; env?: Record<string, string> } = {},
): Promise<Set<number>> {
  const { stdout, how } = await tell(sandbox, {
    shell: `${scriptOf(probes.map((one) => one.shell))}\necho end`,
    ...options,
  });
  if (how !== "exited" || !stdout.endsWith("end\n")) throw new Error(`the probes did not come to their end: ${stdout}`);
  return numbersIn(stdout);
}

/** How each of them fares where nothing holds it back. One that is `lost` should work, and doesn't. */
export function controlsOf(probes: readonly Probe[], env: Record<string, string> = {}): Control[] {
  const shells = probes.map(({ shell, control }) =>
    typeof control === "string" ? control : control ? "false" : shell,
  );
  const works = runOutside(shells, env);
  const absent = runOutside(
    probes.map((probe) => probe.absent ?? "false"),
    env,
  );
  return probes.map(({ control }, i) => {
    if (works.has(i)) return { works: true };
    if (typeof control === "object") return { works: false, why: control.none, lost: false };
    if (absent.has(i)) return { works: false, why: "this machine hasn't got it", lost: false };
    if (heldBack !== undefined) return { works: false, why: heldBack, lost: false };
    return { works: false, why: "lost: it should work here", lost: true };
  });
}

function runOutside(shells: readonly string[], env: Record<string, string>): Set<number> {
  const { stdout } = spawnSync("/bin/sh", ["-c", scriptOf(shells)], {
    encoding: "utf8",
    env: { ...process.env, PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", ...env },
  });
  return numbersIn(stdout);
}

export const isRoot = process.getuid?.() === 0;

const CAP_SYS_ADMIN = 21n;

/** What keeps these tests themselves from doing all that a machine lets root do. */
const heldBack = whatHoldsBack(readFileSync("/proc/self/status", "latin1"));

function whatHoldsBack(status: string): string | undefined {
  if (!isRoot) return "only root could";
  if (!/^Seccomp:\s*0$/m.test(status)) return "a filter of system calls is on these tests";
  const capabilities = BigInt(`0x${/^CapEff:\s*(\w+)$/m.exec(status)?.[1] ?? 0}`);
  return (capabilities >> CAP_SYS_ADMIN) % 2n === 1n ? undefined : "these tests aren't run with root's privileges";
}

/** Its name, and what its control says. */
export function titleOf({ name }: Probe, control: Control): string {
  return control.works ? name : `${name} (no control: ${control.why})`;
}

/** Which probes say nothing here, one a line, and why. */
export function withoutControl(
  probes: readonly Probe[],
  controls: readonly Control[],
  which: "lost" | "all",
): string[] {
  return controls.flatMap((control, i) => {
    const probe = probes[i];
    if (probe === undefined || control.works || (which === "lost" && !control.lost)) return [];
    return [titleOf(probe, control)];
  });
}

/** Which of them a script said to have worked. */
export function numbersIn(text: string): Set<number> {
  return new Set(
    text
      .split("\n")
      .filter((line) => /^\d+$/.test(line))
      .map(Number),
  );
}
