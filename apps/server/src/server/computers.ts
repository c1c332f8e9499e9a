import { Agents } from "@choiros/agent";
import { type Computer, type OpenedComputer, openComputer } from "@choiros/computer";
import type { UserId } from "@choiros/contract";
import type { Place } from "@choiros/gateway/operations";
import { localSignals, type Signals } from "@choiros/log";
import type { AgentsHouse } from "../agents/house.ts";
import type { Config } from "../config/schema.ts";
import type { Home } from "../home.ts";
import { isUnsafe, openSandboxOf } from "../sandbox-of.ts";

/** Where goes what nobody asked for: errors that no answer can carry, and what the owner of a computer should know. */
export interface Told {
  report(error: unknown): void;
  tell(sentence: string): void;
}

/** So long after its last use a computer is closed: opening it again costs less than keeping it. */
const IDLE_MS = 5 * 60_000;

export interface ComputersParts {
  readonly home: Home;
  readonly config: Config;
  /** Names this process to others who want to write meanwhile. */
  readonly who: string;
  readonly told: Told;
  readonly house: AgentsHouse;
  readonly idleMs?: number;
}

/**
 * The computers that this server has open. It is the one that writes to them, and sees what others do to their folders.
 * Each is opened when it is needed, and closed when nobody has used it for a while.
 */
export class Computers {
  readonly home: Home;
  readonly #config: Config;
  readonly #who: string;
  readonly #told: Told;
  readonly #house: AgentsHouse;
  readonly #idleMs: number;
  readonly #agents = new Map<UserId, { readonly agents: Agents; readonly started: Promise<void> }>();
  readonly #open = new Map<UserId, Promise<OpenedComputer>>();
  readonly #closing = new Map<UserId, Promise<void>>();
  readonly #users = new Map<UserId, number>();
  readonly #idle = new Map<UserId, NodeJS.Timeout>();
  readonly #signals = new Map<UserId, Signals>();

  constructor({ home, config, who, told, house, idleMs = IDLE_MS }: ComputersParts) {
    this.home = home;
    this.#config = config;
    this.#who = who;
    this.#told = told;
    this.#house = house;
    this.#idleMs = idleMs;
    house.onChange(() => {
      for (const { agents } of this.#agents.values()) agents.wake();
    });
  }

  /** The ids of those that are open. */
  get awake(): readonly UserId[] {
    return [...this.#open.keys()];
  }

  /** It isn't closed for being idle until the answer is called. */
  use(userId: UserId): () => void {
    this.#users.set(userId, (this.#users.get(userId) ?? 0) + 1);
    let over = false;
    return () => {
      if (over) return;
      over = true;
      const left = (this.#users.get(userId) ?? 1) - 1;
      if (left > 0) return void this.#users.set(userId, left);
      this.#users.delete(userId);
      this.#rest(userId);
    };
  }

  /** For whoever uses it; else it may be closed again soon. One that is just being closed is waited for, and opened anew. */
  async open(userId: UserId, create: boolean): Promise<OpenedComputer> {
    const known = this.#open.get(userId);
    if (known !== undefined) return known;
    const opening = this.#openAnew(userId, create);
    this.#open.set(userId, opening);
    try {
      const opened = await opening;
      if (!opened.ok) this.#open.delete(userId); // the next one may try again
      this.#rest(userId);
      return opened;
    } catch (error) {
      this.#open.delete(userId);
      throw error;
    }
  }

  /** One that was closed before is closed again right afterwards, unless somebody uses it by then. */
  async look<T>(userId: UserId, work: (computer: Computer | undefined) => Promise<T>): Promise<T> {
    const wasOpen = this.#open.has(userId);
    const release = this.use(userId);
    try {
      const opened = await this.open(userId, false);
      return await work(opened.ok ? opened.computer : undefined);
    } finally {
      release();
      if (!wasOpen && !this.#users.has(userId)) await this.#close(userId);
    }
  }

  /** What is said to whoever uses this computer now. */
  signals(userId: UserId): Signals {
    const signals = this.#signals.get(userId) ?? localSignals(this.#told.report);
    this.#signals.set(userId, signals);
    return signals;
  }

  /** Where operations find a computer: the one that is open here, and stays so as long as they use it. */
  place(userId: UserId, create = false): Place {
    const openComputer = () => this.open(userId, create);
    return {
      userId,
      root: this.home.rootOf(userId),
      store: this.home.storeOf(userId),
      use: () => this.use(userId),
      openComputer,
      async takeUp({ looking = false } = {}) {
        if (!looking) return; // it is watched
        const opened = await openComputer();
        if (opened.ok) await opened.computer.capture();
      },
      unsafe: async () => isUnsafe(this.#config),
      signals: () => this.signals(userId),
      agents: async (demo = false) => {
        await this.#agents.get(userId)?.started;
        return this.#house.readiness(demo);
      },
      async openStore() {
        const opened = await openComputer();
        if (!opened.ok) return opened;
        const { log, contents, notices } = opened.computer;
        return { ok: true, store: { log, contents, notices, close: async () => {} } };
      },
    };
  }

  /** Ends what runs in one of them, and lets go of it. */
  release(userId: UserId): Promise<void> {
    return this.#close(userId);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((userId) => this.#close(userId)));
    await Promise.all(this.#closing.values());
  }

  async #openAnew(userId: UserId, create: boolean): Promise<OpenedComputer> {
    await this.#closing.get(userId);
    const { report, tell } = this.#told;
    const opened = await openComputer({
      root: this.home.rootOf(userId),
      userId,
      create,
      who: this.#who,
      watch: true,
      sandbox: () => openSandboxOf(this.home, userId, this.#config),
      onTrouble: (trouble) => report(`${userId}: ${trouble}`),
      onNote: (note) => tell(`${userId}: ${note}`),
    });
    if (opened.ok) this.#beginAgents(userId, opened.computer);
    return opened;
  }

  /** Nobody waits for them: what was begun before and isn't over is told by and by. */
  #beginAgents(userId: UserId, computer: Computer): void {
    const { report } = this.#told;
    const means = (demo: boolean) => this.#house.means(demo);
    const agents = new Agents({ computer, signals: this.signals(userId), means, report });
    this.#agents.set(userId, { agents, started: agents.start().catch(report) });
  }

  /** Closes it after a while, unless somebody uses it then. */
  #rest(userId: UserId): void {
    clearTimeout(this.#idle.get(userId));
    this.#idle.delete(userId);
    if (this.#users.has(userId) || !this.#open.has(userId)) return;
    const closeIdle = () => {
      this.#idle.delete(userId);
      if (this.#agents.get(userId)?.agents.busy) return this.#rest(userId);
      if (!this.#users.has(userId)) this.#close(userId).catch(this.#told.report);
    };
    this.#idle.set(userId, setTimeout(closeIdle, this.#idleMs).unref());
  }

  #close(userId: UserId): Promise<void> {
    const closing = Promise.all([this.#closing.get(userId), this.#closeNow(userId)])
      .then(() => {})
      .finally(() => {
        if (this.#closing.get(userId) === closing) this.#closing.delete(userId);
      });
    this.#closing.set(userId, closing);
    return closing;
  }

  async #closeNow(userId: UserId): Promise<void> {
    const opening = this.#open.get(userId);
    this.#open.delete(userId);
    this.#signals.delete(userId);
    clearTimeout(this.#idle.get(userId));
    this.#idle.delete(userId);
    const opened = await opening;
    const own = this.#agents.get(userId);
    this.#agents.delete(userId);
    await own?.started;
    await own?.agents.close();
    if (opened?.ok) await opened.computer.close();
  }
}
