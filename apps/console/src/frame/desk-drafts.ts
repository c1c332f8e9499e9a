import type { DraftAnswer, DraftRequest } from "@choiros/contract/frame";
import { DraftStore, draftsName } from "./draft-store.ts";

/** A desk asks one thing after another; a page that came in place of another may have to wait for what that one asked. */
const MOST_WAITING = 2;
/** So long each answer takes at least, and so much longer for each million letters: no desk has more done in that time. */
const PACE_MS = 50;
const LETTERS_MS = 20;
const MILLION = 2 ** 20;

/**
 * Keeps the drafts of a desk, which gets no storage of its own from most browsers: it is a frame of another site. They are
 * the desk's words and nothing else here reads them.
 */
export class DeskDrafts {
  readonly #store: DraftStore;
  #page: { readonly id: string; release(): void } | undefined;
  #waiting = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(whose: { readonly account: string; readonly computer: string }) {
    this.#store = new DraftStore(draftsName(whose));
  }

  /** `page`: whose draft it is as long as it lives. */
  async answer(page: string, request: DraftRequest): Promise<DraftAnswer> {
    if (this.#waiting > MOST_WAITING) return { ok: false, why: "too much was asked at once" };
    this.#waiting++;
    this.#hold(page); // and not when it is its turn: by then the page may be gone
    const turn = this.#turn.then(() => this.#paced(page, request));
    this.#turn = turn;
    return turn.finally(() => this.#waiting--);
  }

  /** No page is there any more. */
  end(): void {
    this.#page?.release();
    this.#page = undefined;
  }

  async #paced(page: string, request: DraftRequest): Promise<DraftAnswer> {
    const answer = await this.#do(page, request).catch((error: unknown) => ({
      ok: false as const,
      why: String(error),
    }));
    const pause = PACE_MS + ((lettersOf(request) + lettersOf(answer)) / MILLION) * LETTERS_MS;
    await new Promise((resolve) => setTimeout(resolve, pause));
    return answer;
  }

  async #do(page: string, request: DraftRequest): Promise<DraftAnswer> {
    if (request.do === "put") return this.#store.put(request, page);
    if (request.do === "remove") return this.#store.remove(request.id);
    const locks = await navigator.locks?.query(); // where there are none, all are nobody's, and merged
    const held = locks?.held?.map(({ name = "" }) => name.slice(LOCK.length));
    return this.#store.left(request.key, page, new Set(held));
  }

  /** Whoever looks in another tab sees by its lock that the page is alive; it goes with this one, however that ends. */
  #hold(id: string): void {
    if (this.#page?.id === id) return;
    this.end();
    const { promise, resolve } = Promise.withResolvers<void>();
    navigator.locks?.request(LOCK + id, () => promise).catch(() => {});
    this.#page = { id, release: resolve };
  }
}

const LOCK = "choir desk ";

function lettersOf(words: DraftRequest | DraftAnswer): number {
  if ("drafts" in words) return words.drafts.reduce((sum, draft) => sum + lettersIn(draft), 0);
  return "typed" in words ? lettersIn(words) : 0;
}

function lettersIn({ base, typed, sent }: Pick<Extract<DraftRequest, { do: "put" }>, "base" | "typed" | "sent">) {
  return (base?.length ?? 0) + (typed?.insert.length ?? 0) + (sent?.insert.length ?? 0);
}
