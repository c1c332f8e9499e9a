import type { Running } from "@choiros/sandbox";
import { shownPath } from "../shown-path.ts";
import type { Exposed } from "./command.ts";
import type { Kept } from "./ground.ts";
import type { Mask } from "./mask.ts";
import type { Masks } from "./masks.ts";

/** Watches that one command doesn't see what it isn't to see, from the moment when its mask was made until it has ended. */
export class Exposure {
  readonly #mask: Mask;
  readonly #leave: () => void;
  #running: Running | undefined;
  #exposed: Exposed | undefined;
  #lastLook: Promise<void> | undefined;

  constructor(masks: Masks, mask: Mask) {
    this.#mask = mask;
    this.#leave = masks.stand(mask, (key, seen) => this.#end({ key, seen }));
  }

  begun(running: Running): void {
    this.#running = running;
    if (this.#exposed !== undefined) void running.kill();
  }

  async mayTell(): Promise<boolean> {
    const key = this.#exposed === undefined ? await this.#mask.uncovered() : undefined;
    if (key !== undefined) await this.#end({ key, seen: true });
    return this.#exposed?.seen !== true;
  }

  /** Once it has ended: what came, where it was ended for that, or could have seen it. */
  async outcome(): Promise<Exposed | undefined> {
    await this.#look();
    this.#leave();
    return this.#exposed;
  }

  close(): void {
    this.#leave();
  }

  /** Nothing lands before this is over: what is there by then was there while it ran. */
  async #end(exposed: Exposed): Promise<void> {
    this.#note(exposed);
    if (this.#running === undefined) return; // it is ended as soon as it begins, before anything else lands
    await this.#running.kill();
    await this.#look();
  }

  #look(): Promise<void> {
    this.#lastLook ??= this.#mask.uncovered().then((key) => {
      if (key !== undefined) this.#note({ key, seen: true });
    });
    return this.#lastLook;
  }

  #note(exposed: Exposed): void {
    if (this.#exposed?.seen !== true) this.#exposed = exposed;
  }
}

/** How it is told that nothing was kept for that. */
function exposedWords({ key, seen }: Exposed, ground: "live" | "overlay"): string {
  const shown = shownPath(key);
  const own = ground === "live" ? ", by the command itself or by somebody else" : "";
  return seen
    ? `${shown}, which is hidden from it, came while it ran${own}, and it may have seen it: what it said is not told, and nothing of what it did was kept`
    : `${shown}, which is hidden from it, was to come while it ran: it was ended before, and nothing of what it did was kept`;
}

export function afterExposure(exposed: Exposed, ground: "live" | "overlay", rest: Kept): Kept & { exposed: Exposed } {
  return { ...rest, notes: [...rest.notes, exposedWords(exposed, ground)], exposed };
}
