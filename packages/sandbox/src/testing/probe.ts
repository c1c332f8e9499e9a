import { spawnSync } from "node:child_process";
import type { Mount, Sandbox } from "../sandbox.ts";
import { tell } from "./place.ts";

/** Something that code inside might try. */
export interface Probe {
  /** What it would do, to stand after "can't". */
  readonly name: string;
  /** Ends with 0 where it worked. */
  readonly shell: string;
  /** What to run where nothing holds it back, in place of the same; or why there is no such thing. */
  readonly control?: string | { readonly none: string };
}

/** Runs all of them in one shell; says which worked. */
function scriptOf(shells: readonly string[]): string {
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

/** Which of them work where nothing holds them back. Who isn't root is held back by that alone. */
export function worksOutside(probes: readonly Probe[], env: Record<string, string> = {}): Set<number> {
  const shells = probes.map(({ shell, control }) =>
    typeof control === "string" ? control : control ? "false" : shell,
  );
  const { stdout } = spawnSync("/bin/sh", ["-c", scriptOf(shells)], {
    encoding: "utf8",
    env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", ...env },
  });
  return numbersIn(stdout);
}

export const isRoot = process.getuid?.() === 0;

/** Its name, and what its control says. */
export function titleOf({ name, control }: Probe, works: boolean): string {
  if (typeof control === "object") return `${name} (no control: ${control.none})`;
  if (works) return name;
  return `${name} (no control: ${isRoot ? "this machine doesn't let anybody" : "only root could"})`;
}

function numbersIn(text: string): Set<number> {
  return new Set(
    text
      .split("\n")
      .filter((line) => /^\d+$/.test(line))
      .map(Number),
  );
}
