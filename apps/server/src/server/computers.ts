import { type Computer, type OpenedComputer, openComputer } from "@choiros/computer";
import type { UserId } from "@choiros/contract";
import type { Place } from "../access/operation.ts";
import type { Config } from "../config/schema.ts";
import type { Home } from "../home.ts";
import { isUnsafe, openSandboxOf } from "../sandbox-of.ts";

/** Where goes what nobody asked for: errors that no answer can carry, and what the owner of a computer should know. */
export interface Told {
  report(error: unknown): void;
  tell(sentence: string): void;
}

/** The computers that this server has open. It is the one that writes to them, and sees what others do to their folders. */
export class Computers {
  readonly home: Home;
  readonly #config: Config;
  readonly #who: string;
  readonly #told: Told;
  readonly #open = new Map<UserId, Promise<OpenedComputer>>();

  constructor(home: Home, config: Config, who: string, told: Told) {
    this.home = home;
    this.#config = config;
    this.#who = who;
    this.#told = told;
  }

  /** A computer that is open already. */
  async ifOpen(userId: UserId): Promise<Computer | undefined> {
    const opened = await this.#open.get(userId);
    return opened?.ok ? opened.computer : undefined;
  }

  async open(userId: UserId, create: boolean): Promise<OpenedComputer> {
    const known = this.#open.get(userId);
    if (known !== undefined) return known;
    const [root, who] = [this.home.rootOf(userId), this.#who];
    const { report, tell } = this.#told;
    const opening = openComputer({
      root,
      userId,
      create,
      who,
      watch: true,
      sandbox: () => openSandboxOf(this.home, userId, this.#config),
      onTrouble: (trouble) => report(`${userId}: ${trouble}`),
      onNote: (note) => tell(`${userId}: ${note}`),
    });
    this.#open.set(userId, opening);
    try {
      const opened = await opening;
      if (!opened.ok) this.#open.delete(userId); // the next one may try again
      return opened;
    } catch (error) {
      this.#open.delete(userId);
      throw error;
    }
  }

  /** Where operations find a computer: the one that is open here, and stays so when they are done. */
  place(userId: UserId): Place {
    const openComputer = () => this.open(userId, false);
    return {
      userId,
      root: this.home.rootOf(userId),
      store: this.home.storeOf(userId),
      openComputer,
      async takeUp({ looking = false } = {}) {
        if (!looking) return; // it is watched
        const opened = await openComputer();
        if (opened.ok) await opened.computer.capture();
      },
      unsafe: async () => isUnsafe(this.#config),
      async openStore() {
        const opened = await openComputer();
        if (!opened.ok) return opened;
        const { log, contents, notices } = opened.computer;
        return { ok: true, store: { log, contents, notices, close: async () => {} } };
      },
    };
  }

  async close(): Promise<void> {
    const computers: Computer[] = [];
    for (const opening of this.#open.values()) {
      const opened = await opening;
      if (opened.ok) computers.push(opened.computer);
    }
    this.#open.clear();
    await Promise.all(computers.map((computer) => computer.close()));
  }
}
