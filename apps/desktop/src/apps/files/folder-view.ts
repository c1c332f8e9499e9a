import type { DeskApi, FileDeed } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
import type { FileLine } from "../../desk/shapes.ts";
import { Watched } from "../../watched.ts";
import { MOST_DEEDS } from "./in-parts.ts";
import { asIfDone } from "./placing.ts";

export type Seen =
  | { readonly is: "coming" }
  | { readonly is: "here"; readonly lines: readonly FileLine[] }
  /** There is no such folder; `file`: it is none. */
  | { readonly is: "gone"; readonly file: boolean }
  | { readonly is: "wrong"; readonly why: string };

/** So many are found at most. */
export const MOST_FOUND = 200;

/** What stands in a folder, or what is found by some words, as it changes. */
export class FolderView {
  readonly seen = new Watched<Seen>({ is: "coming" });
  readonly #desk: DeskApi;
  readonly #folder: string;
  readonly #find: string | undefined;
  readonly #ended = new AbortController();
  #busy = false;
  #again = false;
  #failed = false;
  /** What was wanted here and isn't answered yet: what is listed meanwhile would be older than what is shown. */
  #hopes = 0;

  constructor(desk: DeskApi, folder: string, find: string | undefined) {
    this.#desk = desk;
    this.#folder = folder;
    this.#find = find;
  }

  /** Returns how to stop. */
  start(): () => void {
    const look = () => void this.look();
    const unwatch = this.#desk.files.watch(this.#folder, look);
    const unwatchConnection = this.#desk.connection.watch(() => {
      if (this.#desk.connection.get() === "live" && this.#failed) look();
    });
    look();
    return () => {
      unwatch();
      unwatchConnection();
      this.#ended.abort();
    };
  }

  /** One look after the other, and one more where something happened meanwhile. */
  async look(): Promise<void> {
    if (this.#busy || this.#hopes > 0) {
      this.#again = true;
      return;
    }
    this.#busy = true;
    this.#again = false;
    const seen = await this.#look().catch((error: unknown): Seen => ({ is: "wrong", why: sentence(error) }));
    this.#busy = false;
    if (this.#ended.signal.aborted) return;
    this.#failed = seen.is === "wrong";
    const isWorse = this.#failed && this.seen.get().is === "here"; // the connection is away for a moment
    if (this.#hopes === 0 && !isWorse) this.seen.set(seen);
    if (this.#again) void this.look();
  }

  /** Shows it as if it were done, and how it is when it is or isn't. What takes its time is shown as it gets done. */
  async hope(deeds: readonly FileDeed[], doing: Promise<boolean>): Promise<boolean> {
    if (deeds.length > MOST_DEEDS) return doing;
    const seen = this.seen.get();
    if (seen.is === "here") this.seen.set({ is: "here", lines: asIfDone(seen.lines, this.#folder, deeds) });
    this.#hopes++;
    try {
      return await doing;
    } finally {
      this.#hopes--;
      void this.look();
    }
  }

  async #look(): Promise<Seen> {
    const { files } = this.#desk;
    const options = { signal: this.#ended.signal };
    if (this.#find !== undefined) return { is: "here", lines: await files.find(this.#find, MOST_FOUND, options) };
    const lines = await files.list(this.#folder, options);
    const [first] = lines;
    if (first?.key === this.#folder) return { is: "gone", file: true };
    if (lines.length > 0 || !this.#folder.includes("/")) return { is: "here", lines };
    // Nothing is in it, or it isn't: its history knows.
    const [version] = await files.history(this.#folder, options);
    return version?.entry?.kind === "dir" ? { is: "here", lines } : { is: "gone", file: false };
  }
}
