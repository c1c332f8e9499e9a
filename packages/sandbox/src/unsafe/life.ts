import { signalOf } from "../command.ts";
import type { LimitName, Limits } from "../limits.ts";
import type { Ended } from "../sandbox.ts";
import { kill, killTree, type Tree } from "./tree.ts";

/** One command from its start to its end. */
export class Life {
  readonly ended: Promise<Ended>;
  readonly #tree: Tree;
  #over = false;
  #why: "killed" | LimitName | undefined;

  constructor({ timeMs }: Limits, tree: Tree, exit: Promise<number | null>) {
    this.#tree = tree;
    const timer = timeMs < 2 ** 31 ? setTimeout(() => this.stop("time"), timeMs).unref() : undefined;
    this.ended = exit.then((code) => {
      this.#over = true;
      clearTimeout(timer);
      killTree(this.#tree); // what it left running
      if (this.#why === undefined) return { how: "exited", exit: code, ...signalOf(code), engine: "unsafe" };
      if (this.#why === "killed") return { how: "killed", exit: null, engine: "unsafe" };
      return { how: "limit", exit: null, limit: this.#why, engine: "unsafe" };
    });
  }

  async kill(): Promise<void> {
    this.stop("killed");
    await this.ended;
  }

  /** Nothing where it has ended. */
  stop(why: "killed" | LimitName): void {
    if (this.#over) return;
    this.#why ??= why;
    // It may not have a session yet, by which it would be found.
    if (this.#tree.session !== undefined) kill(this.#tree.session);
    killTree(this.#tree);
  }
}
