import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { UserId } from "@choiros/contract";
import { type Limits, type Opened, openSandbox } from "@choiros/sandbox";
import { type Config, MB } from "./config/schema.ts";
import type { Home } from "./home.ts";

/** What every screen says where commands run without a sandbox. */
export const UNSAFE =
  'UNSAFE: commands run without a sandbox (runtime.mode = "unsafe"), and can do all that you can on this machine.';

export function isUnsafe({ runtime }: Config): boolean {
  return runtime.mode === "unsafe";
}

/** The sandbox of a computer, as the configuration says. */
export async function openSandboxOf(home: Home, userId: UserId, config: Config): Promise<Opened> {
  await mkdir(home.runFolder, { recursive: true, mode: 0o700 });
  return openSandbox({
    root: home.rootOf(userId),
    runDir: join(home.runFolder, "sandbox"),
    engine: isUnsafe(config) ? "unsafe" : "bubblewrap",
    limits: limitsOf(config),
  });
}

export function limitsOf({ limits }: Config): Limits {
  return {
    cpu: limits.cpu,
    diskBytes: limits.disk_mb * MB,
    memoryBytes: limits.memory_mb * MB,
    openFiles: limits.open_files,
    outputBytes: limits.output_mb * MB,
    processes: limits.processes,
    timeMs: limits.time_s * 1000,
  };
}
