import { openBubblewrap } from "./bubblewrap/open-bubblewrap.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import type { EngineName, Sandbox } from "./sandbox.ts";
import { openUnsafe } from "./unsafe/unsafe-sandbox.ts";

export interface OpenOptions {
  /** The computer's folder, with `workspace` and the other areas in it. */
  readonly root: string;
  /** For files that last as long as the sandbox. One for all sandboxes of a server; made where it isn't there. */
  readonly runDir: string;
  /** `unsafe` runs commands plainly, with nothing between them and the machine. */
  readonly engine?: EngineName;
  /** For every command that has none of its own. */
  readonly limits?: Partial<Limits>;
  /** For tests alone: hosts on an egress list may be this machine. */
  readonly allowLoopback?: boolean;
}

export type Opened =
  | { readonly ok: true; readonly sandbox: Sandbox }
  | {
      readonly ok: false;
      /** Something has to be installed; the system doesn't let us; or it has no filter of system calls. */
      readonly reason: "missing" | "refused" | "architecture";
      /** What happened and what to do. */
      readonly message: string;
      /** What to install. */
      readonly packages?: readonly string[];
    };

/** Opens the sandbox of one computer, and removes what a killed server left behind. */
export async function openSandbox(options: OpenOptions): Promise<Opened> {
  const { root, runDir, allowLoopback = false } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  if (options.engine === "unsafe") return { ok: true, sandbox: openUnsafe({ root, limits }) };
  return openBubblewrap({ root, runDir, limits, allowLoopback });
}
