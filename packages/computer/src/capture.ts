import { messageOf } from "@choiros/log";
import { lookAndKeep } from "./captures.ts";
import type { Captured } from "./computer-port.ts";
import type { Looked } from "./folder/folder.ts";
import { type Watched, Watcher } from "./folder/watcher.ts";
import { sameEntry } from "./merge/merge-entries.ts";
import type { Parts } from "./parts.ts";

/** What was blocked is tried again after this long, and then less and less often. */
const RETRY_MS = [1000, 5000, 15_000, 60_000];

/** Takes up what others do to the folder: when it is told to, and by itself while it watches. */
export class Capture {
  readonly #parts: Parts;
  readonly #report: (trouble: string) => void;
  #watcher: Watcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retries = 0;
  #closed = false;
  readonly #running = new Set<Promise<unknown>>();

  /** `report` hears of what goes wrong while nobody asks. */
  constructor(parts: Parts, report: (trouble: string) => void) {
    this.#parts = parts;
    this.#report = report;
  }

  async watch(): Promise<void> {
    this.#watcher = await Watcher.start(this.#parts.folder, (watched) => this.#heard(watched));
  }

  /**
   * Looks and stores before the turn, for that may take long; in the turn, what was looked at counts where nobody has
   * landed or captured there since.
   */
  async take(under?: readonly string[], onProgress?: (visited: number) => void): Promise<Captured> {
    const { reconciler, turns, folder, log, projector } = this.#parts;
    const { keys, notes } = await reconciler.scanned(under, onProgress);
    const looked = await lookAndKeep(this.#parts, keys);
    return turns.take(async () => {
      await projector.reached((await log.head()).seq);
      const seen = await folder.seen(keys);
      const stale = looked.filter((one, i) => !sameEntry(one.was ?? null, seen[i] ?? null)).map(({ key }) => key);
      const fresh = stale.length === 0 ? looked : await this.#again(looked, stale);
      const { seq, changed, notes: more } = await reconciler.settle(keys, { looked: fresh });
      const head = (await log.head()).seq;
      if (reconciler.blocked().length === 0) await folder.setSynced(head);
      return { seq, changed, notes: [...new Set([...notes, ...more])] };
    });
  }

  async #again(looked: readonly Looked[], stale: readonly string[]): Promise<Looked[]> {
    const anew = new Map((await lookAndKeep(this.#parts, stale)).map((one) => [one.key, one]));
    return looked.map((one) => anew.get(one.key) ?? one);
  }

  /** What is blocked is tried again by itself. */
  retryLater(): void {
    if (this.#closed || this.#parts.reconciler.blocked().length === 0) {
      this.#retries = 0;
      return;
    }
    if (this.#timer !== undefined) return;
    const delay = RETRY_MS[Math.min(this.#retries++, RETRY_MS.length - 1)];
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#background(() => this.#parts.turns.take(() => this.#parts.reconciler.retry()));
    }, delay);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#watcher?.close();
    await Promise.all(this.#running);
  }

  #heard(watched: Watched): void {
    if (watched.is === "dirty") this.#background(() => this.#takeAloud(watched.keys));
    else if (watched.is === "lost") this.#background(() => this.#takeAloud());
    else this.#report(`watching the folder: ${watched.why}`);
  }

  /** Nobody asked, so what is to be told goes to whoever hears of trouble. */
  async #takeAloud(keys?: readonly string[]): Promise<void> {
    const { notes } = await this.take(keys);
    for (const note of notes) this.#report(note);
  }

  #background(work: () => Promise<unknown>): void {
    const running = work()
      .catch((error: unknown) => this.#report(messageOf(error)))
      .finally(() => {
        this.#running.delete(running);
        this.retryLater();
      });
    this.#running.add(running);
  }
}
