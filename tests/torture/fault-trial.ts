import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Id, MAX_SMALL_CONTENT_BYTES } from "@choiros/contract";
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
      const together = ids.slice(from, from + size).map((id) =>
        this.#append(store, id).catch((error) => {
          this.#note(error, wordsFor(this.#options.kind));
          rest.push(id);
        }),
      );
      await Promise.all(together);
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
      if (ref.size > MAX_SMALL_CONTENT_BYTES) this.#checkFile(`contents/${ref.hash.slice(0, 2)}/${ref.hash}`);
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

  #checkFile(file: string): void {
    this.#checkNames(file);
    const lost = this.#power.losesBytes(join(this.#options.dir, file));
    hold(!lost, () => `${file} was acknowledged, and a power cut would take its bytes`);
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
    const incoming = join(this.#options.dir, "contents", "incoming");
    mkdirSync(incoming, { recursive: true });
    writeFileSync(join(incoming, "left-behind"), "half of a");
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
