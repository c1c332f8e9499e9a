import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { type Probed, probe } from "@choiros/sandbox";
import { loadConfig } from "../config/load.ts";
import { isUnsafe, UNSAFE } from "../sandbox-of.ts";
import type { CommandCall } from "./command.ts";
import type { Finding } from "./finding.ts";

/** Whether commands can run here, and how well. */
export async function sandboxFindings({ home, env }: CommandCall): Promise<Finding[]> {
  const what = "Sandbox";
  const loaded = await loadConfig({ home: home.path, env });
  if (loaded.ok && isUnsafe(loaded.config)) {
    return [
      {
        what,
        ok: true,
        mind: true,
        found: UNSAFE,
        advice: 'Take runtime.mode = "unsafe" out where a sandbox can be had.',
      },
    ];
  }
  try {
    // Where the files are: what a layer can be on depends on the disk.
    return findingsOf(await probe(existsSync(home.path) ? home.path : tmpdir()));
  } catch (error) {
    const found = `could not be tried out: ${error instanceof Error ? error.message : error}`;
    return [{ what, ok: false, found, advice: REFUSED }];
  }
}

const REFUSED = "Until then 'choir exec' is refused; everything else works.";

/** What a probe comes to, for a person. */
export function findingsOf(probed: Probed): Finding[] {
  if (!probed.ok) {
    return [
      { what: "Sandbox", ok: false, found: probed.message, advice: REFUSED },
      namespacesFinding(probed.userNamespaces),
    ];
  }
  return [
    { what: "Sandbox", ok: true, found: `${probed.version}, works` },
    namespacesFinding(probed.userNamespaces),
    layersFinding(probed.overlay),
    egressFinding(probed.egress),
    limitsFinding(probed.limitedBy),
    toolsFinding(probed.missingTools),
  ];
}

type Works = Extract<Probed, { ok: true }>;

function namespacesFinding(found: Works["userNamespaces"]): Finding {
  const what = "User namespaces";
  if (found.ok) return { what, ok: true, found: "this user may make them" };
  const advice = "A sandbox needs one, unless root runs ChoirOS.";
  return { what, ok: process.getuid?.() === 0, found: `none for this user: ${found.why}`, advice };
}

function egressFinding(egress: Works["egress"]): Finding {
  const what = "Network of commands";
  if (egress.ok) return { what, ok: true, found: "none, but the hosts that --allow names, through a proxy" };
  const advice = "Commands run without a network, and one with --allow fails. Is nsenter there (package util-linux)?";
  return { what, ok: false, found: `none, and no host can be allowed: ${egress.why}`, advice };
}

function layersFinding(overlay: Works["overlay"]): Finding {
  const what = "Layers";
  if (overlay.ok) return { what, ok: true, found: "commands work on a layer of their own until they have ended" };
  const advice =
    "Commands run in the folder itself, and one that is stopped is undone. Overlays need Linux 5.11 or root, and a disk that can have them.";
  return { what, ok: true, found: `none here: ${overlay.why}`, advice };
}

function limitsFinding(limitedBy: Works["limitedBy"]): Finding {
  const what = "Limits of commands";
  if (limitedBy !== "rlimits") return { what, ok: true, found: `held by ${limitedBy}` };
  const advice =
    "Memory and processes are counted from time to time. For the kernel to hold them, run ChoirOS as root or in a systemd unit with Delegate=yes.";
  return { what, ok: true, found: "held by rlimits: no control group can be made here", advice };
}

function toolsFinding(missing: readonly string[]): Finding {
  const what = "Tools in the sandbox";
  if (missing.length === 0) return { what, ok: true, found: "all of the usual ones" };
  const advice = "Commands have what this machine has under /usr. Install there what they shall have.";
  return { what, ok: true, found: `without ${missing.join(", ")}`, advice };
}
