import type { Id } from "@choiros/contract";
import type { Need } from "./lease.ts";

/**
 * What the user allowed, by task, as long as the computer is open here. It is in memory and nowhere else: an approval that
 * the log tells of is history, perhaps another computer's, and gives no leave.
 */
export class Grants {
  readonly #tasks = new Map<Id, Set<Need>>();

  /** Of one task: what is added to it holds from then on. */
  of(task: Id): Set<Need> {
    const known = this.#tasks.get(task);
    if (known !== undefined) return known;
    const none = new Set<Need>();
    this.#tasks.set(task, none);
    return none;
  }
}
