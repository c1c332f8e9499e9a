import { newId } from "@choiros/contract";
import type { DraftAnswer, DraftRequest, KeptDraft } from "@choiros/contract/frame";
import type { Doc } from "./document.ts";
import { type Edit, edited, trimmed } from "./edit.ts";

/** What was typed and isn't saved, of one life of one editor. */
export interface Draft extends Pick<Doc, "base" | "local" | "sent"> {
  readonly id: string;
  readonly key: string;
  /** When something was typed last. */
  readonly at: number;
}

/** Whoever keeps them, and outlives this page. */
export type Keeper = (request: DraftRequest) => Promise<DraftAnswer>;

/**
 * Drafts of this browser. Each is held by the life that writes it; those that nobody holds any more are of one that ended
 * without saving. What can't be kept rejects.
 */
export class Drafts {
  readonly #keeper: Keeper;
  /** Those of this page, and what each that is kept started from; `undefined` where nobody knows what is kept. */
  readonly #held = new Set<string>();
  readonly #kept = new Map<string, string | undefined>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(keeper: Keeper) {
    this.#keeper = keeper;
  }

  /** A new name for a draft, and how to let it go. */
  hold(): { readonly id: string; release(): void } {
    const id = newId();
    this.#held.add(id);
    const release = () => {
      this.#held.delete(id);
      this.#kept.delete(id);
    };
    return { id, release };
  }

  /** Kept when it is fulfilled, whatever becomes of this page. */
  async put({ id, key, at, base, local, sent }: Draft): Promise<void> {
    const typed = span(base, local);
    const onItsWay = sent === undefined ? {} : { sent: span(base, sent) };
    await this.#inTurn(async () => {
      const isKept = this.#kept.get(id) === base;
      this.#kept.set(id, undefined);
      await this.#ask({ at, do: "put", id, key, typed, ...onItsWay, ...(!isKept && { base }) });
      this.#kept.set(id, base);
    });
  }

  /** Nothing is asked where none was kept: most of what is typed is saved, and nothing is left to keep. */
  async settle(id: string): Promise<void> {
    if (this.#kept.has(id)) await this.remove(id);
  }

  async remove(id: string): Promise<void> {
    await this.#inTurn(() => this.#ask({ do: "remove", id }));
    this.#kept.delete(id);
  }

  /**
   * What was typed into this file by whoever isn't there any more, the newest first; `isNow` is asked of every other path
   * with drafts whether it was this file's.
   */
  async left(key: string, isNow: (former: string) => Promise<boolean> = async () => false): Promise<Draft[]> {
    const { drafts, others = [] } = await this.#inTurn(() => this.#ask({ do: "left", key }));
    const all = [...drafts];
    for (const other of others)
      if (await isNow(other)) all.push(...(await this.#inTurn(() => this.#ask({ do: "left", key: other }))).drafts);
    return all
      .filter(({ id }) => !this.#held.has(id))
      .map(draftOf)
      .sort((one, two) => two.at - one.at);
  }

  /** One after the other, as they were asked for: the next one may build on what this one left. */
  #inTurn<Value>(what: () => Promise<Value>): Promise<Value> {
    const turn = this.#turn.then(what);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #ask(request: DraftRequest): Promise<Extract<DraftAnswer, { ok: true }>> {
    const answer = await this.#keeper(request);
    if (!answer.ok) throw new Error(answer.why);
    return answer;
  }
}

function draftOf({ id, key, at, base, typed, sent }: KeptDraft): Draft {
  const after = (edit: Edit | null) => edited(base, edit === null ? [] : [edit]);
  return { id, key, at, base, local: after(typed), ...(sent !== undefined && { sent: after(sent) }) };
}

function span(base: string, text: string): Edit | null {
  return trimmed(base, { from: 0, to: base.length, insert: text }) ?? null;
}
