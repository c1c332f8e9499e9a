import type { EndedSession } from "./accounts.ts";

/** Decides who signs in, and whose a cookie is. Apart from what keeps it, which takes half a second to load. */
export interface Authority {
  handle(request: Request): Promise<Response>;
  /** The cookies to set, so that a session lasts longer. */
  prolong(cookie: string): Promise<readonly string[]>;
  /** The session that a signed cookie stands for. */
  sessionOf(signed: string): Promise<EndedSession | undefined>;
}

/** The header that tells it who asks. */
export const ADDRESS = "x-choir-address";

/** What of better-auth is served: each path, and its method. All else of it is not there. */
export const ROUTES = new Map([
  ["/api/auth/link", "POST"],
  ["/api/auth/password", "POST"],
  ["/api/auth/sign-in/username", "POST"],
  ["/api/auth/sign-out", "POST"],
]);
