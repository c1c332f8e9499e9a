import type { DatabaseSync } from "node:sqlite";
import { NodeSqliteDialect } from "@better-auth/kysely-adapter/node-sqlite-dialect";
import { UserId, userIdFrom } from "@choiros/contract";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { isAPIError } from "better-auth/api";
import { username } from "better-auth/plugins/username";
import type { EndedSession } from "./accounts.ts";
import { ADDRESS, type Authority } from "./authority-port.ts";
import { cookieName, isSecure } from "./cookie.ts";
import { type Means, ways } from "./ways.ts";

export interface AuthorityOptions extends Means {
  readonly db: DatabaseSync;
  readonly origins: readonly [string, ...string[]];
  readonly ended: (session: EndedSession) => void;
  readonly report: (message: string, cause: unknown) => void;
}

const DAY = 24 * 60 * 60;

/** By better-auth. This file and what it imports is loaded late. */
export function openAuthority(options: AuthorityOptions): Authority {
  const auth = betterAuth(optionsOf(options));
  const name = cookieName(options.origins[0]);
  return {
    handle: (request) => auth.handler(request),
    async prolong(cookie) {
      const { headers } = await auth.api.getSession({ headers: new Headers({ cookie }), returnHeaders: true });
      return headers.getSetCookie();
    },
    async sessionOf(signed) {
      const headers = new Headers({ cookie: `${name}=${signed}` });
      const found = await auth.api.getSession({ headers, query: { disableRefresh: true } });
      return found === null ? undefined : { id: found.session.id, account: found.user.id };
    },
  };
}

/** Passkeys, GitHub and the like come in here: a plugin or a provider, its tables in the schema, its paths in `ROUTES`. */
export function optionsOf({ db, origins, ended, report, ...means }: AuthorityOptions): BetterAuthOptions {
  return {
    appName: "ChoirOS",
    baseURL: origins[0],
    basePath: "/api/auth",
    trustedOrigins: [...origins],
    secrets: [{ version: 1, value: secretOf(db) }],
    // Without its transactions: they last over several turns of the event loop, and the connection is ours too.
    database: { dialect: new NodeSqliteDialect({ database: db }), type: "sqlite", transaction: false },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 10, maxPasswordLength: 128 },
    session: {
      expiresIn: 30 * DAY,
      updateAge: DAY,
      cookieCache: { enabled: false }, // else a revoked session would go on for a while
      additionalFields: { byLink: { type: "boolean", required: false, input: false } },
    },
    plugins: [username(NAMES), ways(means)],
    rateLimit: {
      enabled: true,
      storage: "database",
      customRules: {
        "/sign-in/*": { window: 60, max: 5 },
        "/password": { window: 60, max: 5 },
        "/link": { window: 60, max: 20 },
      },
    },
    databaseHooks: {
      session: { delete: { after: async (session) => ended({ id: session.id, account: session.userId }) } },
    },
    advanced: {
      ipAddress: { ipAddressHeaders: [ADDRESS] },
      cookiePrefix: "choir",
      cookies: { session_token: { name: cookieName(origins[0]), attributes: { sameSite: "strict" } } },
      useSecureCookies: false, // or it would put a prefix of its own before the name
      // Of a way in over another site, what it set before has to come back from there.
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", secure: isSecure(origins[0]) },
      disableOriginCheck: false, // said, for it would be true in tests
    },
    // What is no answer to a request is thrown, so that the caller hears of it.
    onAPIError: {
      onError: (error) => {
        if (!isAPIError(error)) throw error;
      },
    },
    logger: { level: "error", log: (_, message, ...causes) => report(message, causes[0]) },
    telemetry: { enabled: false },
  };
}

/** A person signs in with the name or with the id that was made of it. */
const NAMES = {
  minUsernameLength: 1,
  maxUsernameLength: 80,
  usernameValidator: () => true,
  usernameNormalization: (name: string) => UserId.safeParse(name.trim()).data ?? userIdFrom(name) ?? name,
};

function secretOf(db: DatabaseSync): string {
  return String(db.prepare("SELECT value FROM secret").get()?.value);
}
