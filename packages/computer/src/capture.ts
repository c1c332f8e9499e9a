import { messageOf } from "@choiros/log";
import { lookAndKeep } from "./captures.ts";
import type { Captured } from "./computer-port.ts";
import type { Looked } from "./folder/folder.ts";
import { type Watched, Watcher } from "./folder/watcher.ts";
import { Pace } from "./pace.ts";
import type { Parts } from "./parts.ts";
import { shownPath } from "./shown-path.ts";

/** What was blocked is tried again after this long, and then less and less often. */
const RETRY_MS = [1000, 5000, 15_000, 60_000];

/** Who hears of it while nobody asks: what goes wrong, and what whoever owns the computer should know. */
export interface Told {
  onTrouble(trouble: string): void;
  onNote(note: string): void;
}

/** Takes up what others do to the folder: when it is told to, and by itself while it watches. */
export class Capture {
  readonly #parts: Parts;
  readonly #told: Told;
  #watcher: Watcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retries = 0;
  #closed = false;
  readonly #running = new Set<Promise<unknown>>();
  readonly #pace = new Pace((keys) => this.#takeAloud(keys));

  constructor(parts: Parts, told: Told) {
    this.#parts = parts;
    this.#told = told;
  }

  async watch(): Promise<void> {
    const onName = (key: string) => this.#unmask([key]);
    this.#watcher = await Watcher.start(this.#parts.folder, (watched) => this.#heard(watched), { onName });
  }

  /**
   * Looks and stores before the turn, for that may take long; in the turn, what was looked at counts where nobody has
   * landed or captured there since.
   */
  async take(under?: readonly string[], onProgress?: (visited: number) => void): Promise<Captured> {
    const { reconciler, turns } = this.#parts;
    const touched = reconciler.track();
    try {
      const { keys, notes } = await reconciler.scanned(under, onProgress);
      const began = performance.now();
      const looked = await lookAndKeep(this.#parts, keys);
      this.#pace.looked(looked, performance.now() - began);
      const taken = await turns.take(() => this.#settle(looked, touched.keys));
      return { ...taken, notes: [...new Set([...notes, ...taken.notes])] };
    } finally {
      touched.end();
    }
  }

  async #settle(looked: readonly Looked[], touched: ReadonlySet<string>): Promise<Captured> {
    const { reconciler, folder, log, projector } = this.#parts;
    await projector.reached((await log.head()).seq);
    const stale = looked.flatMap(({ key }) => (touched.has(key) ? [key] : []));
    const fresh = stale.length === 0 ? looked : await this.#again(looked, stale);
    const taken = await reconciler.settle(
      looked.map(({ key }) => key),
      { looked: fresh },
    );
    const head = (await log.head()).seq;
    if (reconciler.blocked().length === 0) await folder.setSynced(head);
    return taken;
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
    await this.#pace.close();
    await Promise.all(this.#running);
  }

  #heard(watched: Watched): void {
    if (watched.is === "dirty") this.#unmask(watched.keys);
    if (watched.is === "lost") this.#unmask("anywhere");
    if (watched.is === "dirty") this.#pace.dirty(watched.keys);
    else if (watched.is === "lost") this.#pace.dirty("everything");
    else this.#told.onTrouble(`watching the folder: ${watched.why}`);
  }

  /** Commands that now could see what they aren't to see end. */
  #unmask(keys: readonly string[] | "anywhere"): void {
    this.#parts.masks.happened(keys).catch((error: unknown) => this.#told.onTrouble(messageOf(error)));
  }

  /** What was told before isn't told again as long as it stands. */
  async #takeAloud(keys: readonly string[] | undefined): Promise<void> {
    try {
      await this.#takeAndTell(keys);
    } catch (error) {
      this.#told.onTrouble(messageOf(error));
    } finally {
      this.retryLater();
    }
  }

  async #takeAndTell(keys: readonly string[] | undefined): Promise<void> {
    const known = new Set(this.#parts.reconciler.unkept().map(({ key, why }) => `${shownPath(key)} ${why}`));
    const { notes } = await this.take(keys);
    for (const note of notes) if (!known.has(note)) this.#told.onNote(note);
  }

  #background(work: () => Promise<unknown>): void {
    const running = work()
      .catch((error: unknown) => this.#told.onTrouble(messageOf(error)))
      .finally(() => {
        this.#running.delete(running);
        this.retryLater();
      });
    this.#running.add(running);
  }
}
