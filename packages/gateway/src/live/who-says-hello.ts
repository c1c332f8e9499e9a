import type { Hello } from "@choiros/contract/wire";
import type { EndedSession } from "../accounts/accounts.ts";
import type { Credentials } from "../asker.ts";
import type { Asker } from "../entrance.ts";

export interface Known {
  readonly asker: Asker;
  /** The sockets of a session end with it, the desk's too. */
  readonly session: EndedSession;
}

/** Who a socket is, by what its upgrade showed and by the token in its first message. A desk's cookie is nothing here. */
export function whoSaysHello(upgrade: Asker, { token }: Hello, credentials: Credentials): Known | undefined {
  const { session, site } = upgrade;
  if (site.is === "console") {
    if (session === undefined) return undefined;
    return { asker: { site, session, token: credentials.consoleTokens.isOf(session.id, token) }, session };
  }
  const grant = credentials.deskTokens.find(token);
  if (grant === undefined) return undefined;
  const { account, computer } = grant;
  return {
    asker: { site, token: false, desk: { account, computer, by: "token" } },
    session: { id: grant.session, account },
  };
}

/** Until when the session stands; undefined where it is over. */
export async function standsUntil(
  { accounts }: Pick<Credentials, "accounts">,
  { id, account }: EndedSession,
): Promise<Date | undefined> {
  const found = (await accounts.sessions(account)).find((line) => line.id === id);
  return found === undefined ? undefined : new Date(found.expires);
}
