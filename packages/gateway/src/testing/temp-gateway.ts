import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Computer, type OpenComputerOptions, openComputer } from "@choiros/computer";
import type { UserId } from "@choiros/contract";
import { localSignals } from "@choiros/log";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import type { Accounts } from "../accounts/accounts.ts";
import { openAccounts } from "../accounts/open-accounts.ts";
import { ConsoleTokens } from "../console-token.ts";
import { DeskTokens } from "../desk-tokens.ts";
import { type GatewayParts, gateway } from "../gateway.ts";
import type { Place } from "../operations/index.ts";
import { Sites } from "../sites.ts";
import { plainSteward } from "./plain-steward.ts";
import { cookieOf } from "./temp-accounts.ts";

/** A site besides the console's own whose pages may ask there. */
export const GUEST = "https://tools.example";

/** Somebody who is signed in, and has a computer by the same name. */
export interface Person {
  readonly id: UserId;
  /** The headers of a request from the console's own page. */
  readonly console: { readonly cookie: string; readonly host: string; readonly "x-choir-token": string };
  /** The headers of a request from the desk's own page. */
  readonly desk: { readonly authorization: string; readonly host: string };
  readonly session: string;
}

/** A gateway that listens, over real accounts and real computers. The first user is the owner. */
export interface TempGateway {
  readonly app: FastifyInstance;
  readonly accounts: Accounts;
  readonly sites: Sites;
  readonly port: number;
  /** What went wrong in the server. */
  readonly reports: unknown[];
  readonly folder: string;
  ask(request: InjectOptions): Promise<LightMyRequestResponse>;
  signIn(id: UserId): Promise<Person>;
  computer(id: UserId): Promise<Computer>;
  close(): Promise<void>;
}

type OpenSandbox = (root: string) => ReturnType<NonNullable<OpenComputerOptions["sandbox"]>>;
type Change = (app: FastifyInstance) => void;

export async function tempGateway(
  users: readonly [UserId, ...UserId[]],
  {
    sandbox,
    most,
    ...parts
  }: Partial<GatewayParts> & { readonly sandbox?: OpenSandbox; readonly most?: Place["most"] } = {},
  change: Change = () => {},
): Promise<TempGateway> {
  const folder = mkdtempSync(join(tmpdir(), "choir-gateway-"));
  const computers = new Map<UserId, Promise<Computer>>();
  const computer = (id: UserId) => {
    const known = computers.get(id) ?? opened(join(folder, "users", id), id, sandbox);
    computers.set(id, known);
    return known;
  };
  let sites = sitesAt(0);
  const accounts = accountsIn(folder, users[0], () => sites.console);
  for (const user of users.slice(1)) await accounts.add(user, "member");
  const deskTokens = new DeskTokens();
  accounts.onEnd(({ id }) => deskTokens.end(id));
  const reports: unknown[] = [];
  const signals = localSignals((error) => reports.push(error));
  const app = await gateway({
    ...{ accounts, deskTokens, consoleTokens: new ConsoleTokens(), pages: pagesIn(folder), scratch: folder },
    health: async () => ({
      live: true,
      log: { engine: "sqlite" },
      ready: true,
      unsafe: true,
      uptime_s: 1,
      version: "1",
    }),
    place: (id) => ({ ...placeOf(join(folder, "users", id), id, computer), ...(most && { most }) }),
    removeUser: async (id) => ({ exported: [`${id}.choir`], problems: [], ...(await accounts.remove(id)) }),
    openComputers: () => computers.size,
    report: (error) => reports.push(error),
    signals: () => signals,
    steward: plainSteward(),
    sites: () => sites,
    ...parts,
    limits: { perMinute: 1_000_000, ...parts.limits },
  });
  change(app);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const address = app.server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  sites = sitesAt(port);
  const ask = (request: InjectOptions) => app.inject(request);
  return {
    ...{ app, accounts, sites, port, reports, folder, ask, computer },
    signIn: (id) => signIn(id, ask, accounts, port),
    async close() {
      await app.close();
      accounts.close();
      for (const one of computers.values()) await (await one).close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function sitesAt(port: number): Sites {
  const hosts = { consoleHost: "choir.localhost", deskHost: "{computer}-desk.localhost" };
  return new Sites({ ...hosts, scheme: "http", port, allowedOrigins: [GUEST] });
}

function accountsIn(folder: string, owner: UserId, origin: () => string): Accounts {
  const opened = openAccounts({
    file: join(folder, "accounts.sqlite"),
    home: { owner: () => owner, computers: () => [] },
    origins: () => [origin()],
    report: () => {},
  });
  if (!opened.ok) throw new Error(opened.message);
  return opened.accounts;
}

function pagesIn(folder: string): GatewayParts["pages"] {
  const pages = { console: join(folder, "console"), desk: join(folder, "desk") };
  for (const [name, page] of Object.entries(pages)) {
    mkdirSync(page);
    writeFileSync(join(page, "index.html"), `<p>${name}</p>`);
  }
  return pages;
}

async function opened(root: string, userId: UserId, open: OpenSandbox | undefined): Promise<Computer> {
  const sandbox = open === undefined ? {} : { sandbox: () => open(root) };
  const made = await openComputer({ root, userId, create: true, ...sandbox });
  if (!made.ok) throw new Error(made.message);
  return made.computer;
}

function placeOf(root: string, userId: UserId, computer: (id: UserId) => Promise<Computer>): Place {
  return {
    ...{ root, userId, store: join(root, ".choir") },
    openComputer: async () => ({ ok: true, computer: await computer(userId) }),
    takeUp: async () => {},
    use: () => () => {},
    unsafe: async () => true,
    async openStore() {
      const { log, contents, notices } = await computer(userId);
      return { ok: true, store: { log, contents, notices, close: async () => {} } };
    },
  };
}

async function signIn(id: UserId, ask: TempGateway["ask"], accounts: Accounts, port: number): Promise<Person> {
  const host = `choir.localhost:${port}`;
  const { token } = await accounts.link(id);
  const headers = { host, origin: `http://${host}` };
  const entered = await ask({ method: "POST", url: "/api/auth/link", headers, payload: { token } });
  const cookie = cookieOf(new Response(null, { headers: { "set-cookie": String(entered.headers["set-cookie"]) } }));
  const me = (await ask({ url: "/api/me", headers: { host, cookie } })).json();
  const console = { cookie, host, "x-choir-token": String(me.token) };
  const given = await ask({ method: "POST", url: `/api/computers/${id}/desk-token`, headers: console });
  const desk = { authorization: `Bearer ${given.json().token}`, host: `${id}-desk.localhost:${port}` };
  return { id, console, desk, session: String(me.session) };
}
