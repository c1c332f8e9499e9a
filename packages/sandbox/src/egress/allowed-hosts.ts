import type { Egress } from "../sandbox.ts";
import { SandboxError } from "../sandbox-error.ts";
import { GIT_AND_PACKAGES } from "./git-and-packages.ts";
import { parseTarget, type Target } from "./target.ts";

/** Those of an entry that is a name alone. Another port is allowed by `host:port`. */
const PORTS: readonly number[] = [443, 80];
/** How many hosts a refusal lists. */
const LISTED = 12;

/** Why an entry can't be on the list of what may be reached; `undefined` where it can. */
export function faultOfHost(entry: string): string | undefined {
  const parsed = parseTarget(entry, 0);
  return parsed.ok ? undefined : parsed.why;
}

/** A host in the one spelling that is compared, as an entry without a port names it; or why it can't be on the list. */
export function spelledHost(entry: string): { readonly host: string } | { readonly why: string } {
  const parsed = parseTarget(entry, 0);
  if (!parsed.ok) return { why: parsed.why };
  return parsed.target.port === 0 ? { host: parsed.target.host } : { why: "a port can't be named here" };
}

/** The hosts and ports that a sandbox may reach. A name is on the list or it isn't: there are no patterns. */
export class AllowedHosts {
  readonly #ports = new Map<string, Set<number>>();

  constructor(egress: Egress) {
    for (const entry of entriesOf(egress)) this.#add(entry);
  }

  /** Why not, or nothing. */
  refusalOf({ host, port }: Target): string | undefined {
    const ports = this.#ports.get(host);
    if (ports === undefined) return `it isn't on the list of hosts (${this})`;
    if (ports.has(port)) return undefined;
    const [some, are] = ports.size === 1 ? ["port", "is"] : ["ports", "are"];
    return `of this host only ${some} ${[...ports].join(" and ")} ${are} on the list`;
  }

  toString(): string {
    const hosts = [...this.#ports.keys()];
    if (hosts.length === 0) return "nothing is allowed";
    const more = hosts.length > LISTED ? ` and ${hosts.length - LISTED} more` : "";
    return `allowed: ${hosts.slice(0, LISTED).join(", ")}${more}`;
  }

  #add(entry: string): void {
    const parsed = parseTarget(entry, 0);
    if (!parsed.ok) {
      const why = entry.includes("://") ? "an entry is a host's name, without a scheme" : parsed.why;
      throw new SandboxError("misuse", `can't allow '${entry}' as a host to reach: ${why}`);
    }
    const { host, port } = parsed.target;
    const ports = this.#ports.get(host) ?? new Set();
    for (const each of port === 0 ? PORTS : [port]) ports.add(each);
    this.#ports.set(host, ports);
  }
}

function entriesOf(egress: Egress): readonly string[] {
  if (egress === "none") return [];
  return egress === "git+pkg" ? GIT_AND_PACKAGES : egress;
}
