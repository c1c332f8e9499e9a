import { existsSync, mkdirSync } from "node:fs";
import { chmod } from "node:fs/promises";
import type { Exported } from "@choiros/computer";
import type { UserId } from "@choiros/contract";
import type { Account, Accounts } from "@choiros/gateway";
import { CommandError } from "../command-error.ts";
import type { Home } from "../home.ts";
import { discardComputer } from "./discard-computer.ts";
import type { Parted, RemovedUser, Role, SignInLink, User, Users } from "./users.ts";

export interface HomeUsersParts {
  readonly accounts: Accounts;
  readonly home: Home;
  /** Whether a server is there to sign in at. */
  readonly running: boolean;
  /** Where that is, or will be. */
  address(): string;
  make(computer: UserId): Promise<void>;
  exportTo(computer: UserId, file: string): Promise<Exported>;
  /** Nobody here has it open afterwards. */
  release(computer: UserId): Promise<void>;
}

/** The users of a home whose accounts are open here. */
export class HomeUsers implements Users {
  readonly #parts: HomeUsersParts;

  constructor(parts: HomeUsersParts) {
    this.#parts = parts;
  }

  async add(name: string, role: Role): Promise<User> {
    const { accounts, make } = this.#parts;
    const added = await accounts.add(name, role);
    if (!added.ok) throw new CommandError(added.message);
    await make(added.account.id);
    return this.#user(added.account);
  }

  async list(): Promise<User[]> {
    return Promise.all((await this.#parts.accounts.list()).map((account) => this.#user(account)));
  }

  async remove(id: UserId, { keepFiles }: { readonly keepFiles: boolean }): Promise<RemovedUser> {
    const { accounts, home } = this.#parts;
    await this.#find(id);
    if (home.owner() === id) throw new CommandError(`'${id}' can't be removed: ${home.path} is theirs`);
    const computers = await accounts.computers(id);
    const removed = await accounts.remove(id);
    if (!removed.ok) throw new CommandError(removed.message);
    const parted: Parted[] = [];
    for (const computer of computers) parted.push(await this.#part(computer.id, keepFiles));
    return { computers: parted, id };
  }

  async link(id: UserId): Promise<SignInLink> {
    const { accounts, address, running } = this.#parts;
    await this.#find(id);
    const at = address(); // before there is a new link, and the former one is void
    const { expires, token } = await accounts.link(id);
    return { address: `${at}/#link=${token}`, expires: expires.toISOString(), id, running };
  }

  async #user(account: Account): Promise<User> {
    const computers = await this.#parts.accounts.computers(account.id);
    return { ...account, computers: computers.map(({ id }) => id) };
  }

  async #find(id: UserId): Promise<Account> {
    const account = await this.#parts.accounts.find(id);
    if (account !== undefined) return account;
    throw new CommandError(`there is no user '${id}': 'choir user list' shows who there is`);
  }

  async #part(id: UserId, keepFiles: boolean): Promise<Parted> {
    const { home, release } = this.#parts;
    const folder = home.rootOf(id);
    if (!existsSync(home.storeOf(id))) return { export: null, folder: null, id, problem: null }; // nobody ever used it
    let file: string | null = null;
    try {
      const { missing, file: made } = await this.#export(id);
      file = made;
      if (missing.count > 0) {
        const problem = `${missing.count} of its contents are damaged or missing, and not in the export`;
        return { export: file, folder, id, problem };
      }
      await release(id);
      if (!keepFiles) discardComputer(home, id);
      return { export: file, folder: keepFiles ? folder : null, id, problem: null };
    } catch (error) {
      return { export: file, folder, id, problem: error instanceof Error ? error.message : String(error) };
    }
  }

  async #export(id: UserId): Promise<Exported> {
    const { exportTo, home } = this.#parts;
    mkdirSync(home.exports, { recursive: true, mode: 0o700 });
    const done = await exportTo(id, home.exportFile(id, new Date()));
    await chmod(done.file, 0o600);
    return done;
  }
}
