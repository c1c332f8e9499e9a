import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { DEFAULT_LIMITS } from "../limits.ts";
import type { Command, LimitedBy, Sandbox, Whether } from "../sandbox.ts";
import { openBubblewrap } from "./open-bubblewrap.ts";
import { systemProgram } from "./system.ts";
import { userNamespaces } from "./user-namespaces.ts";

/** What a person wants to know of sandboxes on this machine. */
export type Probed =
  | {
      readonly ok: true;
      /** `bubblewrap 0.8.0` */
      readonly version: string;
      readonly overlay: Whether;
      readonly limitedBy: LimitedBy;
      readonly userNamespaces: Whether;
      /** A way out to the hosts that a command is allowed, and to no other. */
      readonly egress: Whether;
      /** Tools that commands often use, and that aren't there inside. */
      readonly missingTools: readonly string[];
    }
  | { readonly ok: false; readonly message: string; readonly userNamespaces: Whether };

const TOOLS = ["bash", "curl", "git", "make", "node", "npm", "python3", "ssh", "tar", "unzip"];

/** Tries a sandbox out, in folders that it makes in `dir` and removes. */
export async function probe(dir: string): Promise<Probed> {
  const folder = await mkdtemp(join(dir, "probe-"));
  try {
    const root = join(folder, "root");
    await mkdir(join(root, "workspace"), { recursive: true });
    const opened = await openBubblewrap({ root, runDir: join(folder, "run"), limits: DEFAULT_LIMITS });
    const namespaces = await userNamespaces();
    if (!opened.ok) return { ok: false, message: opened.message, userNamespaces: namespaces };
    const { sandbox } = opened;
    const { overlay, limitedBy } = sandbox;
    const found = { egress: await tryEgress(sandbox), missingTools: await missingInside(sandbox) };
    await sandbox.close();
    return { ok: true, version: versionOf(), overlay, limitedBy, userNamespaces: namespaces, ...found };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function missingInside(sandbox: Sandbox): Promise<string[]> {
  const shell = `for tool in ${TOOLS.join(" ")}; do command -v $tool >/dev/null || echo $tool; done`;
  return (await saidBy(sandbox, { shell, folder: "live" })).split("\n").filter((tool) => tool !== "");
}

/** Asks the proxy for a host that isn't on the list: a refusal shows that somebody is there, and what he is there for. */
async function tryEgress(sandbox: Sandbox): Promise<Whether> {
  const ask = "GET http://refused.invalid/ HTTP/1.1\\r\\nHost: refused.invalid\\r\\n\\r\\n";
  const line = `exec 3<>/dev/tcp/127.0.0.1/"\${HTTP_PROXY##*:}"; printf '${ask}' >&3; IFS= read -r said <&3; echo "$said"`;
  try {
    const said = await saidBy(sandbox, { argv: ["bash", "-c", line], folder: "live", egress: ["allowed.invalid"] });
    if (/^HTTP\/1\.1 403 /.test(said)) return { ok: true };
    return {
      ok: false,
      why: `the proxy was asked for a host that isn't allowed, and said ${JSON.stringify(said.trim())}`,
    };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}

async function saidBy(sandbox: Sandbox, command: Command): Promise<string> {
  const running = await sandbox.run(command);
  const said = await text(running.stdout);
  await running.ended;
  return said;
}

function versionOf(): string {
  return execFileSync(systemProgram("bwrap") ?? "bwrap", ["--version"], { encoding: "utf8" }).trim();
}
