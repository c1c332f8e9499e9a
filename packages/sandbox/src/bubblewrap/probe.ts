import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { DEFAULT_LIMITS } from "../limits.ts";
import type { LimitedBy, Overlay, Sandbox } from "../sandbox.ts";
import { openBubblewrap } from "./open-bubblewrap.ts";
import { systemProgram } from "./system.ts";

/** What a person wants to know of sandboxes on this machine. */
export type Probed =
  | {
      readonly ok: true;
      /** `bubblewrap 0.8.0` */
      readonly version: string;
      readonly overlay: Overlay;
      readonly limitedBy: LimitedBy;
      /** Tools that commands often use, and that aren't there inside. */
      readonly missingTools: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

const TOOLS = ["bash", "curl", "git", "make", "node", "npm", "python3", "ssh", "tar", "unzip"];

/** Tries a sandbox out, in folders that it makes in `dir` and removes. */
export async function probe(dir: string): Promise<Probed> {
  const folder = await mkdtemp(join(dir, "probe-"));
  try {
    const root = join(folder, "root");
    await mkdir(join(root, "workspace"), { recursive: true });
    const opened = await openBubblewrap({ root, runDir: join(folder, "run"), limits: DEFAULT_LIMITS });
    if (!opened.ok) return { ok: false, message: opened.message };
    const { sandbox } = opened;
    const missingTools = await missingInside(sandbox);
    await sandbox.close();
    return { ok: true, version: versionOf(), overlay: sandbox.overlay, limitedBy: sandbox.limitedBy, missingTools };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function missingInside(sandbox: Sandbox): Promise<string[]> {
  const shell = `for tool in ${TOOLS.join(" ")}; do command -v $tool >/dev/null || echo $tool; done`;
  const running = await sandbox.run({ shell, folder: "live" });
  const chunks: Uint8Array[] = [];
  for await (const chunk of running.stdout) chunks.push(chunk);
  await running.ended;
  return Buffer.concat(chunks)
    .toString()
    .split("\n")
    .filter((tool) => tool !== "");
}

function versionOf(): string {
  return execFileSync(systemProgram("bwrap") ?? "bwrap", ["--version"], { encoding: "utf8" }).trim();
}
