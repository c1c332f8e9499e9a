import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import type { Whether } from "../sandbox.ts";

const run = promisify(execFile);

/** Switches that keep user namespaces from people, each with the value that does, and how to turn it. */
const SWITCHES = [
  ["user/max_user_namespaces", "0", "user.max_user_namespaces=10000"],
  ["kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"],
  ["kernel/apparmor_restrict_unprivileged_userns", "1", "kernel.apparmor_restrict_unprivileged_userns=0"],
] as const;

/** Whether this user may make user namespaces, as every sandbox needs one, and else what is in the way. */
export async function userNamespaces(unshare = "unshare", settings = "/proc/sys"): Promise<Whether> {
  try {
    await run(unshare, ["--user", "--map-root-user", "true"]);
    return { ok: true };
  } catch (error) {
    return { ok: false, why: whyNot(settings) ?? (error instanceof Error ? error.message.trim() : String(error)) };
  }
}

function whyNot(settings: string): string | undefined {
  const found = SWITCHES.find(([name, off]) => settingIn(`${settings}/${name}`) === off);
  return found && `${found[0].replace("/", ".")} is ${found[1]}: 'sudo sysctl -w ${found[2]}' allows them`;
}

function settingIn(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return undefined; // this kernel has no such switch
  }
}
