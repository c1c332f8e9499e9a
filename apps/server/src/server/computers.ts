import { existsSync } from "node:fs";
import type { UserId } from "@choiros/contract";
import { type Opened, openStore, type Store } from "@choiros/log";
import type { Home } from "../home.ts";

/** The computers that this server has open. It is the one that writes to them. */
export class Computers {
  readonly home: Home;
  readonly #who: string;
  readonly #open = new Map<UserId, Promise<Opened>>();

  constructor(home: Home, who: string) {
    this.home = home;
    this.#who = who;
  }

  has(userId: UserId): boolean {
    return this.#open.has(userId) || existsSync(this.home.storeOf(userId));
  }

  /** A computer that is open already. */
  async ifOpen(userId: UserId): Promise<Store | undefined> {
    const opened = await this.#open.get(userId);
    return opened?.ok ? opened.store : undefined;
  }

  async open(userId: UserId, create: boolean): Promise<Opened> {
    const known = this.#open.get(userId);
    if (known !== undefined) return known;
    const opening = openStore({ dir: this.home.storeOf(userId), userId, mode: "write", create, who: this.#who });
    this.#open.set(userId, opening);
    const opened = await opening;
    if (!opened.ok) this.#open.delete(userId); // the next one may try again
    return opened;
  }

  async close(): Promise<void> {
    const stores: Store[] = [];
    for (const opening of this.#open.values()) {
      const opened = await opening;
      if (opened.ok) stores.push(opened.store);
    }
    this.#open.clear();
    await Promise.all(stores.map((store) => store.close()));
  }
}
