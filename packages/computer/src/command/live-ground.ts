import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { recognise } from "@choiros/contract";
import { undoTarget } from "../actions/undo-target.ts";
import type { Attributed } from "../attribution.ts";
import { changesOf } from "../change-list.ts";
import { type Became, beyondBounds, beyondLimit, outsideOf } from "./bounds.ts";
import type { Caller, CommandParts, Ground, Kept } from "./ground.ts";
import type { Hidden } from "./hidden-files.ts";

/** In a command's place: that it runs in the folder itself. */
export const IN_PLACE = "in-place";

/**
 * The folder itself, where there are no overlays. What changes while the command runs is taken for its work, as far as
 * nobody else's command runs too; what is not to be kept is captured and then undone.
 */
export class LiveGround implements Ground {
  readonly folder = "live";
  readonly #parts: CommandParts;
  readonly #caller: Caller;
  readonly #place: string;
  #attributed: Attributed | undefined;
  #called = 0;
  #hidden: ReadonlySet<string> = new Set();
  /** What could not be kept already when it began. */
  #unkept = new Set<string>();

  constructor(parts: CommandParts, caller: Caller, place: string) {
    this.#parts = parts;
    this.#caller = caller;
    this.#place = place;
  }

  async prepare(): Promise<void> {
    await mkdir(join(this.#place, IN_PLACE));
    await this.#parts.capture.take();
    this.#unkept = new Set(this.#parts.reconciler.unkept().map(({ key }) => key));
  }

  begin(called: number, { files, dirs }: Hidden): void {
    this.#called = called;
    this.#hidden = new Set([...files, ...dirs]);
    this.#attributed = this.#parts.reconciler.attribute(this.#caller);
  }

  async keep(): Promise<Kept> {
    const { notes } = await this.#parts.capture.take();
    const bounded = this.#caller.mayChange !== undefined || this.#hidden.size > 0;
    const outside = bounded ? await this.#outside() : [];
    if (outside.length > 0) return beyondBounds(outside, await this.discard());
    // The log has it by now, and whoever counts has counted it: there is nothing more to come.
    const tooMuch = this.#changed > 0 ? await this.#caller.mayLand?.([]) : undefined;
    if (tooMuch !== undefined) return beyondLimit(tooMuch, await this.discard());
    return { changed: this.#end(), ignored: null, blocked: [], notes };
  }

  /** What is in the log as its work and may not be: also what was hidden from it and went along with its directory. */
  async #outside(): Promise<string[]> {
    const { mayChange, cause } = this.#caller;
    const changes = new Map<string, Became>();
    const query = { from: this.#called, types: ["files.changed"], cause: { call: cause.call } };
    for await (const event of this.#parts.log.read(query)) {
      const known = recognise(event);
      if (!known.ok) continue; // this version wrote it, so it knows it
      for await (const slice of changesOf(this.#parts.contents, known.value))
        for (const one of slice) if ("key" in one) changes.set(one.key, { base: one.before, after: one.after });
    }
    const may = (await mayChange?.()) ?? (() => true);
    return outsideOf(changes, (key) => !this.#hidden.has(key) && may(key));
  }

  async discard(): Promise<Kept> {
    const { notes } = await this.#parts.capture.take();
    const unkept = this.#parts.reconciler.unkept().filter(({ key }) => !this.#unkept.has(key));
    if (this.#end() === 0) return { changed: 0, ignored: null, blocked: [], notes };
    const { source, cause } = this.#caller;
    const from = this.#called; // its call may have had other commands before
    const undone = await undoTarget(this.#parts, { call: cause.call }, { source, cause, from });
    if (undone.ok) {
      const { blocked } = undone;
      const isWhole = blocked.length === 0 && unkept.length === 0;
      const end = isWhole
        ? "what it did was taken back, but for what is ignored"
        : "not all that it did was taken back";
      return { changed: 0, ignored: null, blocked, notes: [...notes, ...undone.notes, end] };
    }
    return {
      changed: 0,
      ignored: null,
      blocked: [],
      notes: [...notes, `what it did could not be taken back: ${undone.message}`],
    };
  }

  close(): void {
    this.#end();
  }

  #end(): number {
    this.#attributed?.end();
    return this.#changed;
  }

  get #changed(): number {
    return this.#attributed?.changed ?? 0;
  }
}
