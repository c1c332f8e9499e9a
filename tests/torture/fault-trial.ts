import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Id } from "@choiros/contract";
import { LogError, openStore, type Store, verifyContents, verifyStore } from "@choiros/log";
import { type FaultKind, isReadable, orderOf, wordsFor } from "./fault-kinds.ts";
import type { FaultControl, FaultCount } from "./faults.ts";
import { Ledger } from "./ledger.ts";
import { planned } from "./plan.ts";
import type { PowerCut } from "./power-cut.ts";
import { BrokenPromise, hold } from "./promise.ts";

export interface TrialOptions {
  readonly dir: string;
  readonly kind: FaultKind;
  /** The operation that fails, from 1. */
  readonly at: number;
  /** How many events are appended while the fault may strike. */
  readonly events: number;
  /** Whether the log is also verified whole, in the end. */
  readonly verify: boolean;
}

/** What is made to fail, and what is known of it. */
export interface TriedDisk {
  readonly faults: FaultControl;
  readonly power: PowerCut;
}

export interface TrialResult extends FaultCount {
  readonly kind: FaultKind;
  readonly at: number;
  /** How many calls failed. */
  readonly failed: number;
}

/** Two lives of a store, with one fault somewhere in between; then it is held against its promises. */
export async function tryWithFault(disk: TriedDisk, options: TrialOptions): Promise<TrialResult> {
  disk.power.reset();
  const result = await new Trial(disk, options).go();
  rmSync(options.dir, { recursive: true, force: true }); // where it failed, it is left to be looked at
  return result;
}

/** Events are appended alone, and in groups that share a commit. */
const GROUPS = [1, 1, 3, 1, 2, 4];

class Trial {
  readonly #faults: FaultControl;
  readonly #power: PowerCut;
  readonly #options: TrialOptions;
  readonly #ledger = new Ledger();
  /** Files of puts that failed. */
  readonly #left = new Set<string>();
  #failed = 0;

  constructor({ faults, power }: TriedDisk, options: TrialOptions) {
    this.#faults = faults;
    this.#power = power;
    this.#options = options;
  }

  async go(): Promise<TrialResult> {
    const { kind, at, events } = this.#options;
    this.#faults.arm(orderOf(kind, at));
    await this.#live(Array.from({ length: events }, (_, i) => `fault-${i}`));
    if (this.#faults.count().hits === 0) {
      this.#leaveBehind();
      await this.#live(["fault-again-0", "fault-again-1"]);
    }
    this.#faults.disarm();
    await this.#afterwards();
    return { ...this.#faults.count(), kind, at, failed: this.#failed };
  }

  /** Opens the store, makes it where there is none, appends these events, and closes it. */
  async #live(ids: readonly Id[]): Promise<void> {
    const store = (await this.#open()) ?? (await this.#openWithout());
    const rest = await this.#write(store, ids);
    if (this.#faults.count().hits > 0) await this.#goOn(store, rest);
    await store.close().catch((error) => this.#note(error));
  }

  async #open(): Promise<Store | undefined> {
    try {
      const opened = await openStore(this.#where());
      if (opened.ok) for (const notice of opened.store.notices) this.#noteFailure(notice);
      if (opened.ok) return opened.store;
      this.#noteFailure(opened.message);
    } catch (error) {
      this.#note(error);
    }
    return undefined;
  }

  /** Where a fault kept it from opening, it opens once the fault is gone. */
  async #openWithout(): Promise<Store> {
    this.#faults.disarm();
    const opened = await openStore(this.#where());
    hold(opened.ok, () => `it does not open though the fault is gone: ${opened.ok ? "" : opened.message}`);
    return opened.store;
  }

  #where() {
    return { dir: this.#options.dir, userId: "ada", mode: "write", create: true, who: "torture" } as const;
  }

  /** Returns the ids that were not acknowledged. */
  async #write(store: Store, ids: readonly Id[]): Promise<Id[]> {
    const rest: Id[] = [];
    for (let from = 0, group = 0; from < ids.length; group++) {
      const size = GROUPS[group % GROUPS.length] ?? 1;
      const failed = rest.length;
      const together = ids.slice(from, from + size).map((id) =>
        this.#append(store, id).catch((error) => {
          this.#note(error, wordsFor(this.#options.kind));
          rest.push(id);
        }),
      );
      await Promise.all(together);
      this.#checkFiles(rest.length > failed);
      from += size;
    }
    return rest;
  }

  async #append(store: Store, id: Id): Promise<void> {
    const { draft, content } = planned(id);
    if (content !== undefined) {
      const ref = await store.contents.put(content);
      this.#ledger.acknowledgeContent(ref);
      this.#checkNames("contents.sqlite", "contents.sqlite-wal");
    }
    const appended = await store.log.append(draft);
    hold(appended.ok, () => `${id} was answered ${appended.ok ? "" : appended.message}`);
    this.#ledger.acknowledge(id, appended);
    this.#checkNames("log.sqlite", "log.sqlite-wal");
  }

  /** What was acknowledged lies in these files, and SQLite has synced it; their names have to last, too. */
  #checkNames(...files: readonly string[]): void {
    for (const file of files) {
      const lost = this.#power.losesName(join(this.#options.dir, file));
      hold(lost === undefined, () => `${file} holds what was acknowledged, and a power cut would take ${lost}`);
    }
  }

  /** Nothing is on its way, so the files of large contents last: all but what a put that failed could not remove. */
  #checkFiles(mayLeave: boolean): void {
    const folder = join(this.#options.dir, "contents");
    const found = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
    for (const { parentPath, name } of found.filter((entry) => entry.isFile())) {
      const path = join(parentPath, name);
      const lost = this.#power.losesName(path) ?? (this.#power.losesBytes(path) ? "its bytes" : undefined);
      if (lost !== undefined && mayLeave) this.#left.add(path);
      hold(
        lost === undefined || this.#left.has(path),
        () => `${path} holds what was acknowledged, and a power cut would take ${lost}`,
      );
    }
  }

  /** Once the fault is gone the same store, not opened anew, takes what failed, and more. */
  async #goOn(store: Store, rest: readonly Id[]): Promise<void> {
    if (isReadable(this.#options.kind)) await this.#ledger.check(store);
    this.#faults.disarm();
    for (const id of [...rest, "fault-more-0", "fault-more-1"]) {
      await this.#append(store, id).catch((error) => {
        hold(false, `${id} fails though the fault is gone: ${error}`);
      });
    }
    await this.#ledger.check(store);
  }

  /** As a put leaves it that was cut off: the next opening clears it away. */
  #leaveBehind(): void {
    this.#faults.pause();
    const name = randomUUID();
    const folder = join(this.#options.dir, "contents", name.slice(0, 2));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), "half of a");
    this.#left.add(join(folder, name));
    const list = new DatabaseSync(join(this.#options.dir, "contents.sqlite"));
    list.prepare("INSERT INTO file (name, state) VALUES (?, 1)").run(name);
    list.close();
    this.#faults.resume();
  }

  async #afterwards(): Promise<void> {
    const store = await this.#openWithout();
    await this.#ledger.check(store);
    const contents = await verifyContents(store.log, store.contents);
    hold(contents.ok, () => `verifyContents finds: ${JSON.stringify(contents.problems[0])}`);
    await this.#append(store, "fault-afterwards");
    await store.close();
    if (!this.#options.verify) return;
    const report = await verifyStore(this.#options.dir);
    hold(report.ok, () => `verify finds: ${report.problems[0]?.message}`);
  }

  /** Only a fault lets something fail, and what fails says so in its own words. */
  #note(error: unknown, words: readonly string[] = ["io", "disk-full", "damaged", "read-only"]): void {
    if (error instanceof BrokenPromise) throw error;
    hold(error instanceof LogError, () => `it failed with an error that is not its own: ${error}`);
    hold(words.includes(error.code), () => `${this.#options.kind} is called '${error.code}': ${error.message}`);
    this.#noteFailure(error.message);
  }

  #noteFailure(message: string): void {
    hold(this.#faults.count().hits > 0, () => `it failed without a fault: ${message}`);
    this.#failed++;
  }
}
