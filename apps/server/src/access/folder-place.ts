import { setTimeout as delay } from "node:timers/promises";
import { type Computer, type OpenedComputer, openComputer } from "@choiros/computer";
import type { UserId } from "@choiros/contract";
import type { Place, Readiness, Work } from "@choiros/gateway/operations";
import { localSignals, messageOf, type Opened, openStore, type Signals } from "@choiros/log";
import type { Config } from "../config/schema.ts";
import type { Home } from "../home.ts";
import { isUnsafe, openSandboxOf } from "../sandbox-of.ts";
import { serverRuns } from "./server-runs.ts";

interface Parts {
  /** Asked for only where a command is to run. */
  readonly config: () => Promise<Config>;
  /** Where keys may be. */
  readonly env: NodeJS.ProcessEnv;
  readonly create: boolean;
  /** Names this process to others who want to write meanwhile. */
  readonly who: string;
  readonly work: Pick<Work<never>, "progress" | "signal">;
  /** Whether it is told for whom it waits. */
  readonly tellsWait?: boolean;
  /** How long to wait for somebody else to be done. */
  readonly patienceMs?: number;
  onNotice(notice: string): void;
}

/** For one and the same holder: where others take their turns, it goes on. */
const PATIENCE_MS = 15_000;
const STEP_MS = 100;
/** Most are done sooner, and nobody need know of them. */
const QUIET_MS = 1000;

/** As long as this process holds the folder no console can speak to it. */
const NO_LEAVE =
  "It needs your leave, and no console runs that you could give it in: start the server with 'choir start', resume this in the desktop, under Asks, and answer in the console.";

/** A server has the computer open by now: it is the one to ask. Nothing was read or told before. */
export class ServerCame extends Error {
  override name = "ServerCame";
}

/** One computer in its folder, opened as an operation needs it. */
export class FolderPlace implements Place {
  readonly userId: UserId;
  readonly root: string;
  readonly store: string;
  readonly #home: Home;
  readonly #parts: Parts;
  readonly #closers: (() => Promise<void>)[] = [];
  readonly #signals: Signals;
  #computer: Computer | undefined;

  constructor(home: Home, userId: UserId, parts: Parts) {
    this.#home = home;
    this.userId = userId;
    this.root = home.rootOf(userId);
    this.store = home.storeOf(userId);
    this.#parts = parts;
    this.#signals = localSignals((error) => parts.onNotice(messageOf(error)));
  }

  /** It is closed by whoever made this place. */
  use(): () => void {
    return () => {};
  }

  async takeUp(): Promise<void> {
    const { work, onNotice } = this.#parts;
    try {
      const opened = await this.#tryComputer();
      if (!opened.ok) return; // somebody else sees to it; or it is damaged, and whoever reads it is told
      for (const notice of opened.computer.notices) onNotice(notice);
      await opened.computer.close();
    } catch (error) {
      work.signal.throwIfAborted();
      onNotice(`What others did to the folder couldn't be taken up: ${messageOf(error)}`);
    }
  }

  async openStore(): Promise<Opened> {
    const opened = await openStore({ dir: this.store, userId: this.userId, mode: "read" });
    if (opened.ok) this.#closers.push(() => opened.store.close());
    return opened;
  }

  async openComputer(): Promise<OpenedComputer> {
    const { work, onNotice, tellsWait = false, patienceMs = PATIENCE_MS } = this.#parts;
    let holder = "";
    let [tellFrom, until] = [0, 0];
    for (;;) {
      work.signal.throwIfAborted();
      const opened = await this.#tryComputer();
      if (opened.ok) {
        this.#closers.push(() => opened.computer.close());
        this.#computer = opened.computer;
        for (const notice of opened.computer.notices) onNotice(notice);
        return opened;
      }
      if (opened.reason !== "held") return opened;
      if (await serverRuns(this.#home)) throw new ServerCame();
      const now = performance.now();
      if (opened.message !== holder) [holder, tellFrom, until] = [opened.message, now + QUIET_MS, now + patienceMs];
      else if (now > until) return opened;
      if (tellsWait && now > tellFrom) {
        onNotice(`It waits: ${holder}`);
        tellFrom = Number.POSITIVE_INFINITY; // once
      }
      await delay(STEP_MS, undefined, { signal: work.signal });
    }
  }

  async unsafe(): Promise<boolean> {
    return isUnsafe(await this.#parts.config());
  }

  signals(): Signals {
    return this.#signals;
  }

  /** They work as long as this place is there: nobody else would. */
  async agents(demo = false): Promise<Readiness> {
    const { env, onNotice } = this.#parts;
    const [{ Agents }, { AgentsHouse }] = [await import("@choiros/agent"), await import("../agents/house.ts")]; // seldom needed
    const house = new AgentsHouse(this.#home, env);
    if (this.#computer === undefined) return house.readiness(demo);
    const agents = new Agents({
      computer: this.#computer,
      signals: this.#signals,
      means: (one) => house.means(one),
      noLeave: NO_LEAVE,
      report: (error) => onNotice(messageOf(error)),
    });
    this.#closers.push(() => agents.close());
    await agents.start();
    return house.readiness(demo);
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
  }

  #tryComputer(): Promise<OpenedComputer> {
    const { config, create, who, work, onNotice } = this.#parts;
    const { root, userId } = this;
    const sandbox = async () => openSandboxOf(this.#home, userId, await config());
    const onProgress = work.progress.bind(work);
    const { signal } = work;
    const told = { onTrouble: onNotice, onNote: onNotice };
    return openComputer({ root, userId, create, who, onProgress, signal, sandbox, ...told });
  }
}
