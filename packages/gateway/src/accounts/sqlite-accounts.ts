import type { DatabaseSync } from "node:sqlite";
import type { UserId } from "@choiros/contract";
import { failureOf } from "@choiros/log/failure";
import { addAccount, findAccount, listAccounts, removeAccount } from "./account-table.ts";
import type {
  Account,
  Accounts,
  AccountsOptions,
  Added,
  EndedSession,
  Link,
  OwnedComputer,
  Removed,
  Role,
  Session,
  SessionLine,
} from "./accounts.ts";
import { AccountsError } from "./accounts-error.ts";
import { ADDRESS, type Authority, ROUTES } from "./authority-port.ts";
import {
  addComputer,
  computersOf,
  dropComputer,
  type FindHolder,
  holderFinder,
  renameComputer,
} from "./computer-table.ts";
import { cookieName, signedCookie } from "./cookie.ts";
import { linkedAccount, makeLink, spendLink } from "./link-table.ts";
import { Name } from "./name.ts";
import { endSession, endSessions, type FindSession, listSessions, sessionFinder } from "./session-table.ts";

/** How many cookies are remembered as good. */
const MAX_KNOWN = 10_000;
/** What was made longer within a day still has so long, or more. */
const DUE_MS = 29 * 24 * 60 * 60_000;

/** The code of it, which only a server needs, and takes a while. */
export const loadSignIn = () => import("./authority.ts");

export class SqliteAccounts implements Accounts {
  readonly #db: DatabaseSync;
  readonly #options: AccountsOptions;
  readonly #find: FindSession;
  readonly #holder: FindHolder;
  readonly #listeners = new Set<(session: EndedSession) => void>();
  /** Cookies that better-auth found good: it is asked once for each. Whether their session stands is asked of the file. */
  readonly #known = new Map<string, EndedSession>();
  #authority: Promise<Authority> | undefined;

  constructor(db: DatabaseSync, options: AccountsOptions) {
    this.#db = db;
    this.#options = options;
    this.#find = sessionFinder(db);
    this.#holder = holderFinder(db, options.home);
  }

  add(name: string, role: Role): Promise<Added> {
    return this.#do("add an account", () => addAccount(this.#db, this.#options.home, name, role));
  }

  list(): Promise<Account[]> {
    return this.#do("list the accounts", () => listAccounts(this.#db));
  }

  find(id: UserId): Promise<Account | undefined> {
    return this.#do("find an account", () => findAccount(this.#db, id));
  }

  remove(id: UserId): Promise<Removed> {
    return this.#do("remove an account", () => {
      let ended: EndedSession[] = [];
      const removed = removeAccount(this.#db, id, () => {
        ended = endSessions(this.#db, id);
      });
      this.#tell(ended);
      return removed;
    });
  }

  link(id: UserId): Promise<Link> {
    return this.#do("make a link", () => makeLink(this.#db, this.#existing(id)));
  }

  linkOf(token: string): Promise<Account | undefined> {
    return this.#do("look at a link", () => {
      const id = linkedAccount(this.#db, token);
      return id === undefined ? undefined : findAccount(this.#db, id);
    });
  }

  computers(account: UserId): Promise<OwnedComputer[]> {
    return this.#do("list computers", () => computersOf(this.#db, this.#options.home, account));
  }

  addComputer(account: UserId, name: string): Promise<OwnedComputer> {
    return this.#do("add a computer", () =>
      addComputer(this.#db, this.#options.home, this.#existing(account), Name.parse(name)),
    );
  }

  renameComputer(id: UserId, name: string): Promise<boolean> {
    return this.#do("rename a computer", () => renameComputer(this.#db, this.#options.home, id, Name.parse(name)));
  }

  dropComputer(id: UserId): Promise<boolean> {
    return this.#do("take out a computer", () => dropComputer(this.#db, this.#options.home, id));
  }

  holder(computer: UserId): Promise<UserId | undefined> {
    return this.#do("find whose computer it is", () => this.#holder(computer));
  }

  session(cookie: string | undefined): Promise<Session | undefined> {
    return this.#do("look at a session", async () => {
      const signed = signedCookie(cookie, cookieName(this.#options.origins()[0]));
      if (signed === undefined) return undefined;
      const known = this.#known.get(signed);
      if (known === undefined) return this.#recognise(signed);
      const session = this.#find(known.id);
      if (session !== undefined) return session;
      endSession(this.#db, known.id); // it expired; or another process ended it, and there is none
      this.#tell([known]);
      return undefined;
    });
  }

  prolong(cookie: string): Promise<readonly string[]> {
    return this.#do("make a session last longer", async () => {
      const session = await this.session(cookie);
      const isDue = session !== undefined && session.expires.getTime() - Date.now() < DUE_MS;
      return isDue ? (await this.#load()).prolong(cookie) : [];
    });
  }

  sessions(account: UserId): Promise<SessionLine[]> {
    return this.#do("list sessions", () => listSessions(this.#db, account));
  }

  revoke(sessionId: string): Promise<void> {
    return this.#do("end a session", () => this.#tell(endSession(this.#db, sessionId)));
  }

  revokeAll(account: UserId): Promise<void> {
    return this.#do("end all sessions", () => this.#tell(endSessions(this.#db, account)));
  }

  onEnd(listener: (session: EndedSession) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  handle(request: Request, address: string): Promise<Response> {
    return this.#do("answer a request to sign in or out", async () => {
      const method = ROUTES.get(new URL(request.url).pathname);
      if (method === undefined) return new Response(null, { status: 404 });
      if (method !== request.method) return new Response(null, { status: 405, headers: { allow: method } });
      const asked = new Request(request);
      asked.headers.set(ADDRESS, address);
      return (await this.#load()).handle(asked);
    });
  }

  async warm(): Promise<void> {
    await this.#do("load what signs people in", () => this.#load());
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }

  #load(): Promise<Authority> {
    this.#authority ??= this.#open();
    return this.#authority;
  }

  async #open(): Promise<Authority> {
    const { openAuthority } = await loadSignIn();
    return openAuthority({
      db: this.#db,
      origins: this.#options.origins(),
      report: this.#options.report,
      ended: (session) => this.#tell([session]),
      spend: (token) => spendLink(this.#db, token),
      endOthers: (account, current) => this.#tell(endSessions(this.#db, account, current)),
    });
  }

  async #recognise(signed: string): Promise<Session | undefined> {
    const found = await (await this.#load()).sessionOf(signed);
    const session = found === undefined ? undefined : this.#find(found.id);
    if (session === undefined) return undefined;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(signed, { id: session.id, account: session.account.id });
    return session;
  }

  #existing(id: UserId): UserId {
    if (findAccount(this.#db, id) === undefined) throw new AccountsError(`there is no account '${id}'`);
    return id;
  }

  #tell(ended: readonly EndedSession[]): void {
    for (const session of ended) {
      for (const [signed, { id }] of this.#known) if (id === session.id) this.#known.delete(signed);
      for (const listener of this.#listeners) {
        try {
          listener(session);
        } catch (error) {
          this.#options.report("a listener for the end of sessions failed", error);
        }
      }
    }
  }

  async #do<T>(what: string, work: () => T | Promise<T>): Promise<T> {
    if (!this.#db.isOpen) throw new AccountsError(`can't ${what}: the accounts are closed`);
    try {
      return await work();
    } catch (error) {
      if (error instanceof AccountsError) throw error;
      throw new AccountsError(`can't ${what}: ${failureOf(error).message}`, error);
    }
  }
}
