import type { IncomingHttpHeaders } from "node:http";
import type { UserId } from "@choiros/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Accounts } from "./accounts/accounts.ts";
import { askerOf, type Credentials } from "./asker.ts";
import { type Asker, type Entrance, judge, type Named, type Verdict } from "./entrance.ts";
import type { Rate } from "./limits.ts";
import { OperationError } from "./operations/index.ts";
import { sendMissing, sendProblem } from "./problem.ts";
import { guestHeaders, headersOf } from "./safe-headers.ts";
import type { Site, Sites } from "./sites.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Who may pass here. */
    entrance?: Entrance;
  }
  interface FastifyInstance {
    /** Every route there is. */
    entrances: readonly RouteLine[];
  }
  interface FastifyRequest {
    /** Set before any handler runs, and before anything is refused but a wrong host or origin. */
    asker: Asker;
    /** Aborts when whoever asks goes away or is signed out: from before they are recognised, so that no end is missed. */
    over: AbortSignal;
  }
}

export interface RouteLine {
  readonly method: string;
  readonly url: string;
  readonly entrance: Entrance;
}

export interface GuardParts extends Credentials {
  /** Asked when a request is there: the port may be known only then. */
  sites(): Sites;
}

/** Stands before every route, the upgrade included: Host, then Origin, then who asks, then whether they may. */
export function guard(app: FastifyInstance, parts: GuardParts, rate: Rate = async () => undefined): void {
  const lines: RouteLine[] = [];
  app.decorate("entrances", lines);
  app.addHook("onRoute", ({ config, method, url }) => {
    const entrance = config?.entrance;
    if (entrance === undefined) throw new Error(`${method} ${url} doesn't say who may pass`);
    lines.push(...[method].flat().map((one) => ({ method: one, url, entrance })));
  });
  app.addHook("onRequest", async (request, reply) => {
    const site = siteFor(request, reply, parts);
    if (site === undefined) return sendProblem(reply, 421, "Wrong host", "This server doesn't answer to that name.");
    if (!request.url.startsWith("/")) return sendUnread(reply); // it names a host of its own, as only proxies are asked
    if (!isOwnPage(request, site, parts.sites()))
      return sendProblem(reply, 403, "Wrong origin", "Pages of other sites may not ask here.");
    if (welcomeGuest(request, reply, site, parts.sites())) return reply.code(204).send();
    const { entrance = "anyone" } = request.routeOptions.config;
    if (site.is === "door" && entrance !== "anywhere" && isNavigation(request))
      return reply.redirect(`${parts.sites().consoleFor(request.headers["user-agent"])}/`, 302); // what stood in the address may be nobody else's
    if (isUpgrade(request) && entrance !== "live") return sendMissing(reply);
    const isOver = heedEnd(request, reply, parts.accounts);
    request.asker = await askerOf(site, request.headers, parts);
    const wait = await rate(request);
    if (wait !== undefined) return refuseFor(wait, reply);
    const named = await namedIn(request, parts);
    if (isOver()) request.asker = { site, token: false };
    return refuse(judge(entrance, request.asker, named), reply);
  });
  app.addHook("preHandler", async ({ over }, reply) => {
    if (over?.reason === SIGNED_OUT) return refuse("sign-in", reply); // while what they sent was on its way
  });
}

/** Whether it asks for a socket. */
export function isUpgrade({ headers }: { readonly headers: IncomingHttpHeaders }): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

/** Returns whether the session has ended since. A socket looks after itself. */
function heedEnd(request: FastifyRequest, { raw }: FastifyReply, accounts: Accounts): () => boolean {
  if (isUpgrade(request)) return () => false;
  const over = new AbortController();
  const ended = new Set<string | undefined>();
  const deaf = accounts.onEnd(({ id }) => {
    ended.add(id);
    if (id === request.asker?.behind) over.abort(SIGNED_OUT);
  });
  raw.once("close", () => {
    deaf();
    over.abort(GONE);
  });
  request.over = over.signal;
  return () => ended.has(request.asker.behind);
}

const SIGNED_OUT = new OperationError("whoever asked was signed out meanwhile");
const GONE = new OperationError("whoever asked has gone away");

/** An address that no route could take comes by no hook; whoever asks by a wrong name hears of that alone, here too. */
export function refuseUnread(request: FastifyRequest, reply: FastifyReply, parts: GuardParts): FastifyReply {
  if (siteFor(request, reply, parts) === undefined)
    return sendProblem(reply, 421, "Wrong host", "This server doesn't answer to that name.");
  return sendUnread(reply);
}

function sendUnread(reply: FastifyReply): FastifyReply {
  return sendProblem(reply, 400, "Bad request", "The address can't be read.");
}

/** Which site is asked, with what every answer has to have. */
function siteFor({ headers }: FastifyRequest, reply: FastifyReply, { sites }: GuardParts): Site | undefined {
  const site = sites().siteOf(headers.host, headers["user-agent"]);
  reply.headers(headersOf(site, sites()));
  return site;
}

/** A page of another site may ask by a form, an image or a script, without an Origin; then a browser says so otherwise. */
function isOwnPage({ headers }: FastifyRequest, site: Site, sites: Sites): boolean {
  if (headers.origin !== undefined) return sites.isOurs(headers.origin, site);
  if (isUpgrade({ headers })) return false; // every browser sends one, and nothing else has to come in that way
  const from = headers["sec-fetch-site"];
  return from === undefined || from === "same-origin" || from === "none" || headers["sec-fetch-mode"] === "navigate";
}

/** A browser lets another site's page hear our answers only where each says so. True where it asks for no more than that. */
function welcomeGuest({ headers, method }: FastifyRequest, reply: FastifyReply, site: Site, sites: Sites): boolean {
  if (headers.origin === undefined || !sites.isGuest(headers.origin, site)) return false;
  reply.headers(guestHeaders(headers.origin));
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

function isNavigation({ method, url }: FastifyRequest): boolean {
  return (method === "GET" || method === "HEAD") && !url.startsWith("/api/");
}

async function namedIn(request: FastifyRequest, { accounts }: Credentials): Promise<Named | undefined> {
  const { computer } = (request.params ?? {}) as { computer?: UserId }; // what a route calls so is an id, or nobody's
  return computer === undefined ? undefined : { computer, holder: await accounts.holder(computer) };
}

function refuseFor(seconds: number, reply: FastifyReply): FastifyReply {
  reply.header("retry-after", seconds);
  return sendProblem(reply, 429, "Too often", `Wait ${seconds} seconds, and try again.`);
}

function refuse(verdict: Verdict, reply: FastifyReply): FastifyReply | undefined {
  switch (verdict) {
    case "pass":
      return undefined;
    case "sign-in":
      return sendProblem(reply, 401, "Not signed in", "Sign in at the console, and try again.");
    case "forbidden":
      return sendProblem(reply, 403, "Not allowed", "Only the console's own page may do this.");
    case "missing":
      return sendMissing(reply);
  }
}
