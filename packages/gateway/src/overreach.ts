import type { Asker } from "./entrance.ts";

/** Why a request that its asker may make asks for more than they may have; `undefined` where it doesn't. */
export function overreachOf({ site, session }: Asker, request: unknown): string | undefined {
  const { decision, egress = "none" } = Object(request) as { decision?: unknown; egress?: unknown }; // only compared
  if (site.is === "desk" && egress !== "none") return TOO_FAR;
  return decision === "always" && session?.owner !== true ? FOR_GOOD : undefined;
}

/** A desk's code may run commands, but none that reaches the network: it could carry its owner's files away. */
const TOO_FAR = "From a desk, a command reaches no network. Run it from the console, or with 'choir exec'.";

/** What is allowed for good is in the policy, which all computers of the server have, and which is its owner's. */
const FOR_GOOD =
  "Only the owner of this server can allow something for good: it would hold for all its computers. Allow it once or for this task.";
