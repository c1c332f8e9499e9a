import { recognise, type Sha256 } from "@choiros/contract";
import { type Contents, type Log, messageOf } from "@choiros/log";
import { changesOf, hasChanges } from "./change-list.ts";
import type { Folder } from "./folder/folder.ts";
import type { Turns } from "./turns.ts";

/** Quiet for this long, and the contents are made smaller. */
const QUIET_MS = 2000;
/** At close, nobody waits longer than this for it; the rest is done the next time. */
const LAST_MS = 250;

interface PackerParts {
  readonly log: Log;
  readonly contents: Contents;
  readonly folder: Folder;
  readonly turns: Turns;
}

interface Version {
  readonly hash: Sha256;
  readonly former?: Sha256;
}

/**
 * Makes history smaller when nothing else is to be done: each content that replaced another is stored as what differs. How
 * far it got is noted, so that what a crash or a stop left undone is done later.
 */
export class Packer {
  readonly #log: Log;
  readonly #contents: Contents;
  readonly #folder: Folder;
  readonly #turns: Turns;
  readonly #report: (trouble: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #deadline = Number.POSITIVE_INFINITY;
  #closed = false;

  /** `report` hears of what goes wrong: nothing is lost by it. */
  constructor(parts: PackerParts, report: (trouble: string) => void) {
    const { log, contents, folder, turns } = parts;
    this.#turns = turns;
    this.#log = log;
    this.#contents = contents;
    this.#folder = folder;
    this.#report = report;
  }

  /** Something was stored. */
  wake(): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#start(), QUIET_MS);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#deadline = performance.now() + LAST_MS;
    this.#start();
    await this.#running;
  }

  #start(): void {
    this.#running = this.#running.then(() => this.#pack()).catch((error: unknown) => this.#report(messageOf(error)));
  }

  async #pack(): Promise<void> {
    const from = this.#folder.packed + 1;
    const { seq: to } = await this.#log.head();
    if (from > to) return;
    let versions: Version[] = [];
    let upTo = from - 1;
    for await (const event of this.#log.read({ from, to })) {
      const known = recognise(event);
      if (known.ok && hasChanges(known.value)) {
        for await (const slice of changesOf(this.#contents, known.value)) {
          versions.push(...slice.flatMap(versionOf));
          if (versions.length < SLICE) continue;
          if (!(await this.#packAll(versions)) || this.#isLate()) return; // an event with many is noted once all of it is done
          versions = [];
        }
      }
      upTo = event.seq;
      if (versions.length < SLICE && upTo < to && !this.#closed) continue;
      if (!(await this.#packAll(versions))) return;
      versions = [];
      await this.#folder.setPacked(upTo);
      if (this.#isLate()) return;
    }
  }

  #isLate(): boolean {
    return performance.now() > this.#deadline;
  }

  /** `false` where there was no time left for all. */
  async #packAll(versions: readonly Version[]): Promise<boolean> {
    for (let at = 0; at < versions.length; ) {
      while (this.#turns.busy) await this.#turns.idle(); // it shares the disk with whoever acts
      const { done } = await this.#contents.pack(versions.slice(at));
      at += done;
      if (at < versions.length && this.#isLate()) return false;
    }
    return true;
  }
}

/** So many are packed before it is noted how far it got. At a close it is noted after each event, so that each gets further. */
const SLICE = 20;

function versionOf(change: object): Version[] {
  const { before, after } = change as { before: { hash?: Sha256 } | null; after: { hash?: Sha256 } | null };
  if ("name" in change || after?.hash === undefined || after.hash === before?.hash) return [];
  return before?.hash === undefined ? [{ hash: after.hash }] : [{ hash: after.hash, former: before.hash }];
}
