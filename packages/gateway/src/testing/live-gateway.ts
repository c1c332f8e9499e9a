import { mkdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type Computer, type OpenComputerOptions, type OpenedComputer, openComputer } from "@choiros/computer";
import type { UserId } from "@choiros/contract";
import { localSignals, type Signals } from "@choiros/log";
import type { FastifyInstance } from "fastify";
import type { Accounts } from "../accounts/accounts.ts";
import { openAccounts } from "../accounts/open-accounts.ts";
import { ConsoleTokens } from "../console-token.ts";
import { DeskTokens } from "../desk-tokens.ts";
import { gateway } from "../gateway.ts";
import type { LiveLimits } from "../live/limits.ts";
import type { Place } from "../operations/index.ts";
import { Sites } from "../sites.ts";
import { plainSteward } from "./plain-steward.ts";

/** A gateway on a port of its own, with real accounts and real computers; `ada` is the owner. */
export interface LiveGateway {
  readonly app: FastifyInstance;
  readonly accounts: Accounts;
  readonly sites: Sites;
  readonly port: number;
  readonly accountsFile: string;
  readonly deskTokens: DeskTokens;
  readonly reports: unknown[];
  computer(id: UserId): Promise<Computer>;
  /** How many use it just now. */
  users(id: UserId): number;
  signals(id: UserId): Signals;
  signIn(id: UserId): Promise<SignedIn>;
  close(): Promise<void>;
}

export interface SignedIn {
  readonly cookie: string;
  readonly session: string;
  /** The console's. */
  readonly token: string;
}

/** Makes the sandbox of the computer with this root. */
export type SandboxOf = (root: string) => ReturnType<NonNullable<OpenComputerOptions["sandbox"]>>;

/** In a folder that is there and empty; with the pages that were built, where somebody looks at them. */
export async function openLiveGateway(
  home: string,
  limits: Partial<LiveLimits> = {},
  sandbox?: SandboxOf,
  built?: { readonly console: string; readonly desk: string },
): Promise<LiveGateway> {
  const rooms = new Rooms(join(home, "users"), sandbox);
  let sites: Sites | undefined;
  const reports: unknown[] = [];
  const report = (error: unknown) => void reports.push(error);
  const accountsFile = join(home, "accounts.sqlite");
  const opened = openAccounts({
    file: accountsFile,
    home: { owner: () => "ada", computers: () => [] },
    origins: () => [sites?.console ?? ""],
    report,
  });
  if (!opened.ok) throw new Error(opened.message);
  const { accounts } = opened;
  const [consoleTokens, deskTokens] = [new ConsoleTokens(), new DeskTokens()];
  accounts.onEnd(({ id }) => deskTokens.end(id));
  const pages = built ?? { console: join(home, "console"), desk: join(home, "desk") };
  for (const folder of Object.values(pages)) mkdirSync(folder, { recursive: true });
  const app = await gateway({
    ...{ accounts, consoleTokens, deskTokens, liveLimits: limits, pages, report, scratch: home },
    removeUser: () => Promise.reject(new Error("nobody asks here")),
    limits: { perMinute: 1_000_000 },
    openComputers: () => 0,
    health: async () => HEALTH,
    place: (id) => rooms.place(id),
    signals: (id) => rooms.signals(id),
    sites: () => sites ?? NONE,
    steward: plainSteward(),
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo; // it listens on a port, not on a path
  sites = new Sites({ ...HOSTS, scheme: "http", port, allowedOrigins: [] });
  const { console } = sites;
  return {
    ...{ app, accounts, accountsFile, sites, port, deskTokens, reports },
    computer: (id) => rooms.computer(id),
    users: (id) => rooms.users(id),
    signals: (id) => rooms.signals(id),
    async close() {
      await app.close();
      await rooms.close();
      accounts.close();
    },
    async signIn(id) {
      const { token } = await accounts.link(id);
      const headers = { "content-type": "application/json", origin: console };
      const init = { method: "POST", headers, body: JSON.stringify({ token }) };
      const answer = await accounts.handle(
        new Request(`${console}/api/auth/link`, init),
        `10.0.${++places >> 8}.${places & 255}`,
      );
      const [cookie = ""] = (answer.headers.getSetCookie()[0] ?? "").split(";");
      const session = (await accounts.session(cookie))?.id ?? "";
      return { cookie, session, token: consoleTokens.of(session) };
    },
  };
}

/** Each comes from elsewhere: how often one may try is not what is tested here. */
let places = 0;
const HEALTH = { live: true, log: { engine: "sqlite" }, ready: true, unsafe: true, uptime_s: 1, version: "1" } as const;
const HOSTS = { consoleHost: "choir.localhost", deskHost: "{computer}-desk.localhost" };
const NONE = new Sites({ ...HOSTS, scheme: "http", port: 1, allowedOrigins: [] });

/** The computers of a test: opened when asked for, and counted who uses them. */
class Rooms {
  readonly #folder: string;
  readonly #sandbox: SandboxOf | undefined;
  readonly #open = new Map<UserId, Promise<OpenedComputer>>();
  readonly #users = new Map<UserId, number>();
  readonly #signals = new Map<UserId, Signals>();

  constructor(folder: string, sandbox: SandboxOf | undefined) {
    this.#folder = folder;
    this.#sandbox = sandbox;
  }

  async computer(id: UserId): Promise<Computer> {
    const opened = await this.#opened(id);
    if (!opened.ok) throw new Error(opened.message);
    return opened.computer;
  }

  users(id: UserId): number {
    return this.#users.get(id) ?? 0;
  }

  signals(id: UserId): Signals {
    const signals = this.#signals.get(id) ?? localSignals((error) => Promise.reject(error));
    this.#signals.set(id, signals);
    return signals;
  }

  place(userId: UserId): Place {
    const root = join(this.#folder, userId);
    const openComputer = () => this.#opened(userId);
    return {
      ...{ userId, root, store: join(root, ".choir"), openComputer },
      use: () => {
        this.#users.set(userId, this.users(userId) + 1);
        return () => void this.#users.set(userId, this.users(userId) - 1);
      },
      takeUp: async () => {},
      unsafe: async () => false,
      async openStore() {
        const opened = await openComputer();
        if (!opened.ok) return opened;
        const { log, contents, notices } = opened.computer;
        return { ok: true, store: { log, contents, notices, close: async () => {} } };
      },
    };
  }

  async close(): Promise<void> {
    for (const opening of this.#open.values()) {
      const opened = await opening;
      if (opened.ok) await opened.computer.close();
    }
  }

  #opened(userId: UserId): Promise<OpenedComputer> {
    const opening = this.#open.get(userId) ?? this.#openNow(userId);
    this.#open.set(userId, opening);
    return opening;
  }

  #openNow(userId: UserId): Promise<OpenedComputer> {
    const root = join(this.#folder, userId);
    const make = this.#sandbox;
    const sandbox = make === undefined ? {} : { sandbox: () => make(root) };
    return openComputer({ root, userId, create: true, watch: true, who: "a test", ...sandbox });
  }
}

/** An event of about so many characters. */
export async function grow({ log }: Computer, characters: number): Promise<void> {
  const payload = { changes: [{ after: "x".repeat(characters), before: null, key: "x" }] };
  const appended = await log.append({ source: "system", type: "settings.change", payload });
  if (!appended.ok) throw new Error(appended.message);
}
