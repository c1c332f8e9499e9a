import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Id } from "@choiros/contract";
import { LogError, openStore, type Store, verifyContents } from "@choiros/log";
import { Ledger } from "./ledger.ts";
import { planned } from "./plan.ts";
import { hold } from "./promise.ts";
import { type Random, randomFrom } from "./random.ts";

export interface FullDiskReport {
  /** How often there was no room. */
  readonly refused: number;
  readonly acknowledged: number;
}

/** So many refusals are enough. */
const ENOUGH = 20;

/** One store, from its making to its last opening, on a disk that is full again and again. */
export class FullDiskTrial {
  readonly #disk: string;
  readonly #dir: string;
  readonly #random: Random;
  readonly #ledger = new Ledger();
  readonly #tag: string;
  readonly #refused: Id[] = [];
  #next = 0;

  constructor(disk: string, tag: string) {
    this.#disk = disk;
    this.#dir = join(disk, tag);
    this.#tag = tag;
    this.#random = randomFrom(tag);
  }

  async go(): Promise<FullDiskReport> {
    this.#takeRoom(1);
    await this.#openFull();
    this.#makeRoom();
    const store = await this.#open();
    this.#takeRoom(0.4);
    await this.#fill(store);
    await this.#ledger.check(store); // what is there can be read on a full disk
    this.#makeRoom();
    await this.#goOn(store);
    this.#takeRoom(1);
    await store.close();
    await this.#openFull();
    this.#makeRoom();
    await this.#check(await this.#open());
    rmSync(this.#dir, { recursive: true });
    return { refused: this.#refused.length, acknowledged: this.#ledger.acknowledged };
  }

  /** A file in the way, for so much of what is free. */
  #takeRoom(part: number): void {
    const { bavail, bsize } = statfsSync(this.#disk);
    try {
      writeFileSync(
        join(this.#disk, "ballast"),
        new Uint8Array(Math.ceil(bavail * part) * bsize + (part === 1 ? 1 : 0)),
      );
    } catch {
      // As much as there was.
    }
  }

  #makeRoom(): void {
    rmSync(join(this.#disk, "ballast"), { force: true });
  }

  /** Appends until there is no room, and a while longer: what fails is called what it is. */
  async #fill(store: Store): Promise<void> {
    while (this.#refused.length < ENOUGH) {
      const ids = Array.from({ length: 1 + this.#random.below(4) }, () => this.#nextId());
      await Promise.all(ids.map((id) => this.#append(store, id).catch((error) => this.#note(id, error))));
    }
  }

  #nextId(): Id {
    return `${this.#tag}-${this.#next++}`;
  }

  #note(id: Id, error: unknown): void {
    hold(error instanceof LogError, () => `it failed with an error that is not its own: ${error}`);
    hold(error.code === "disk-full", () => `a full disk is called '${error.code}': ${error.message}`);
    this.#refused.push(id);
  }

  async #append(store: Store, id: Id): Promise<void> {
    const { draft, content } = planned(id);
    if (content !== undefined) this.#ledger.acknowledgeContent(await store.contents.put(content));
    const appended = await store.log.append(draft);
    hold(appended.ok, () => `${id} was answered ${appended.ok ? "" : appended.message}`);
    this.#ledger.acknowledge(id, appended);
  }

  /** With room again, the same store takes what it refused. */
  async #goOn(store: Store): Promise<void> {
    for (const id of this.#refused) {
      await this.#append(store, id).catch((error) => hold(false, `${id} fails though there is room: ${error}`));
    }
    await this.#ledger.check(store);
  }

  /** On a disk that is full it opens, or says why not. */
  async #openFull(): Promise<void> {
    const opened = await openStore(this.#where());
    if (opened.ok) return opened.store.close();
    hold(opened.reason === "denied", () => `a full disk is a reason to be '${opened.reason}': ${opened.message}`);
    hold(/full/.test(opened.message), () => `it is not said that the disk is full: ${opened.message}`);
  }

  async #open(): Promise<Store> {
    const opened = await openStore(this.#where());
    hold(opened.ok, () => `it can't be opened: ${opened.ok ? "" : opened.message}`);
    return opened.store;
  }

  #where() {
    return { dir: this.#dir, userId: "ada", mode: "write", create: true, who: "torture" } as const;
  }

  async #check(store: Store): Promise<void> {
    await this.#ledger.check(store);
    const report = await store.log.verify();
    hold(report.ok, () => `verify finds: ${report.problems[0]?.message}`);
    const contents = await verifyContents(store.log, store.contents);
    hold(contents.ok, () => `verifyContents finds: ${JSON.stringify(contents.problems[0])}`);
    await store.close();
  }
}
