import { existsSync } from "node:fs";
import type { Envelope, UserId } from "@choiros/contract";
import { type Opened, openStore, type Store } from "@choiros/log";
import { CommandError } from "../command-error.ts";
import type { Home } from "../home.ts";
import { VERSION } from "../version.ts";
import type { Access, EventQuery, Head, Progress, Status, Verification } from "./access.ts";
import { readEvents } from "./read-events.ts";
import { verifyComputer } from "./verify-computer.ts";

/** Straight to the folder, for reading, where no server runs. */
export class FolderAccess implements Access {
  readonly #home: Home;
  readonly #open = new Map<UserId, Store>();

  constructor(home: Home) {
    this.#home = home;
  }

  async status(): Promise<Status> {
    const computers = await Promise.all(this.#home.computers().map((id) => describeComputer(this.#home, id)));
    return { computers, home: this.#home.path, server: null, version: VERSION };
  }

  async *events(userId: UserId, query: EventQuery, signal: AbortSignal): AsyncIterable<Envelope> {
    const { log } = await this.#store(userId);
    yield* readEvents(log, query, signal);
  }

  async verify(
    userId: UserId,
    expect: Head | undefined,
    onProgress: Progress,
    signal: AbortSignal,
  ): Promise<Verification> {
    this.#assertThere(userId);
    const dir = this.#home.storeOf(userId);
    return verifyComputer(dir, () => this.#tryStore(userId), { expect, onProgress, signal });
  }

  async #store(userId: UserId): Promise<Store> {
    this.#assertThere(userId);
    const opened = await this.#tryStore(userId);
    if (!opened.ok) throw new CommandError(opened.message);
    return opened.store;
  }

  async #tryStore(userId: UserId): Promise<Opened> {
    const known = this.#open.get(userId);
    if (known !== undefined) return { ok: true, store: known };
    const opened = await openStore({ dir: this.#home.storeOf(userId), userId, mode: "read" });
    if (opened.ok) this.#open.set(userId, opened.store);
    return opened;
  }

  #assertThere(userId: UserId): void {
    if (!existsSync(this.#home.storeOf(userId))) throw new CommandError(noComputer(this.#home, userId));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((store) => store.close()));
  }
}

export function noComputer(home: Home, userId: UserId): string {
  const others = home.computers();
  const hint = others.length === 0 ? "'choir start' makes the first one" : `there are: ${others.join(", ")}`;
  return `there is no computer '${userId}' in ${home.path}; ${hint}`;
}

/** What the outside of a computer shows. Opened for reading only, and closed again. */
export async function describeComputer(home: Home, id: UserId): Promise<Status["computers"][number]> {
  const opened = await openStore({ dir: home.storeOf(id), userId: id, mode: "read" });
  if (!opened.ok) return { id, events: null, problem: opened.message };
  try {
    return { id, events: (await opened.store.log.head()).seq, problem: null };
  } finally {
    await opened.store.close();
  }
}
