import type { Site } from "./sites.ts";

/** A desk's code may run commands, but none that reaches the network: it could carry its owner's files away. */
export function reachesTooFar(site: Site, request: unknown): boolean {
  const { egress = "none" } = Object(request) as { egress?: unknown }; // whatever it is, it is only compared
  return site.is === "desk" && egress !== "none";
}

export const TOO_FAR = "From a desk, a command reaches no network. Run it from the console, or with 'choir exec'.";
