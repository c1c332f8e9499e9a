import { SIGNED_OUT } from "./server/server.ts";
import type { Me } from "./server/shapes.ts";

/** Whether somebody is signed in, as far as this page knows. */
export type Stage = { is: "asking" } | { is: "out"; why?: string } | { is: "in"; me: Me };

/** Once the server said who is signed in. Somebody else may have told meanwhile that nobody is, and why: that stays. */
export function afterAsking(former: Stage, me: Me | undefined): Stage {
  if (me !== undefined) return { is: "in", me };
  if (former.is === "out") return former;
  return former.is === "in" ? { is: "out", why: SIGNED_OUT } : { is: "out" };
}
