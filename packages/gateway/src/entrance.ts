import type { UserId } from "@choiros/contract";
import type { Site } from "./sites.ts";

/**
 * Who may pass at a route. Every route has one; one that has none can't be registered.
 *
 * - `anywhere`: nothing is asked for, by whatever name of ours: whether the server is well.
 * - `anyone`: nothing is asked for: the pages of both sites.
 * - `visitor`: nothing is asked for, on the console's site: signing in.
 * - `session`: whoever is signed in, on the console's site, to read what is theirs.
 * - `console`: the same, with the token that only the console's own page holds: to change what is theirs.
 * - `owner`: the same, for the server's owner alone.
 * - `live`: the way to a socket. On the console's site whoever is signed in; on a desk's anyone: its token comes as the
 *   first message, and is judged then.
 * - `read`, `act`: one computer, for whoever it belongs to; on the console's site as `session` and `console`, on its desk's
 *   with a desk token.
 * - `load`: as `read`; on the desk's site also by its cookie, for what a browser loads by itself.
 * - `keep`: one computer, as `console` and never from its desk: what the desk's code must not do in its owner's name.
 */
export type Entrance =
  | "anywhere"
  | "anyone"
  | "visitor"
  | "session"
  | "console"
  | "owner"
  | "live"
  | "read"
  | "load"
  | "act"
  | "keep";

/** Who asks, as far as a request shows it. */
export interface Asker {
  readonly site: Site;
  readonly session?: { readonly id: string; readonly account: UserId; readonly owner: boolean } | undefined;
  /** The console's token came along, and is the session's. */
  readonly token: boolean;
  /** In whose name it is asked: the session itself, or the one that the desk's credentials came from. */
  readonly behind?: string | undefined;
  /** What a desk token or a desk cookie that is good names; both die with the session they came from. */
  readonly desk?: { readonly computer: UserId; readonly account: UserId; readonly by: "token" | "cookie" } | undefined;
}

/** `missing` is also the answer to what is somebody else's: nobody learns that it exists. */
export type Verdict = "pass" | "sign-in" | "forbidden" | "missing";

/** `computer` is the one that the request names, and `holder` whose it is. */
export interface Named {
  readonly computer: UserId;
  readonly holder: UserId | undefined;
}

export function judge(entrance: Entrance, asker: Asker, named?: Named): Verdict {
  if (entrance === "anywhere") return "pass";
  if (asker.site.is === "door") return "missing";
  if (entrance === "anyone") return "pass";
  if (isOfComputer(entrance)) return judgeComputer(entrance, asker, named);
  if (asker.site.is !== "console") return entrance === "live" ? "pass" : "missing";
  if (entrance === "visitor") return "pass";
  if (asker.session === undefined) return "sign-in";
  if (entrance === "session" || entrance === "live") return "pass";
  if (!asker.token) return "forbidden";
  return entrance === "owner" && !asker.session.owner ? "missing" : "pass";
}

type OfComputer = "read" | "load" | "act" | "keep";

function isOfComputer(entrance: Entrance): entrance is OfComputer {
  return entrance === "read" || entrance === "load" || entrance === "act" || entrance === "keep";
}

function judgeComputer(entrance: OfComputer, { site, session, token, desk }: Asker, named: Named | undefined): Verdict {
  if (site.is === "desk") {
    if (desk === undefined || (desk.by === "cookie" && entrance !== "load")) return "sign-in";
    const theirs =
      named !== undefined && named.computer === desk.computer && (site.computer ?? desk.computer) === desk.computer;
    if (!theirs || named.holder !== desk.account) return "missing";
    return entrance === "keep" ? "forbidden" : "pass";
  }
  if (session === undefined) return "sign-in";
  if (named === undefined || named.holder !== session.account) return "missing";
  return token || entrance === "read" || entrance === "load" ? "pass" : "forbidden";
}
