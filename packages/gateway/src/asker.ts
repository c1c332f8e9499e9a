import type { IncomingHttpHeaders } from "node:http";
import type { Accounts } from "./accounts/accounts.ts";
import type { ConsoleTokens } from "./console-token.ts";
import type { DeskTokens } from "./desk-tokens.ts";
import type { Asker } from "./entrance.ts";
import type { Site } from "./sites.ts";

/** The header that the console's page sends its token in. */
export const TOKEN_HEADER = "x-choir-token";
/** What a browser on the desk's site sends along by itself: with it files can be read, and nothing else. */
export const DESK_COOKIE = "__Host-choir-desk";

export interface Credentials {
  readonly accounts: Accounts;
  readonly consoleTokens: ConsoleTokens;
  readonly deskTokens: DeskTokens;
}

/** Who a request is from. Only what counts on its site is looked at: a session's cookie is nothing on a desk's. */
export async function askerOf(site: Site, headers: IncomingHttpHeaders, credentials: Credentials): Promise<Asker> {
  const nobody = { site, token: false };
  if (site.is === "console") {
    const session = await credentials.accounts.session(headers.cookie);
    if (session === undefined) return nobody;
    const { id, account } = session;
    const token = headers[TOKEN_HEADER];
    const signedIn = { id, account: account.id, owner: account.role === "owner" };
    return {
      site,
      behind: id,
      session: signedIn,
      token: typeof token === "string" && credentials.consoleTokens.isOf(id, token),
    };
  }
  if (site.is !== "desk") return nobody;
  const [, bearer] = /^Bearer ([\w-]{1,100})$/.exec(headers.authorization ?? "") ?? [];
  const [by, token] = bearer === undefined ? ["cookie" as const, cookieIn(headers.cookie)] : ["token" as const, bearer];
  const grant = token === undefined ? undefined : credentials.deskTokens.find(token);
  if (grant === undefined) return nobody;
  return { ...nobody, behind: grant.session, desk: { computer: grant.computer, account: grant.account, by } };
}

function cookieIn(header: string | undefined): string | undefined {
  for (const pair of (header ?? "").split(";")) {
    const [name, value] = pair.trim().split("=");
    if (name === DESK_COOKIE) return value;
  }
  return undefined;
}
