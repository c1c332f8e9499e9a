import type { DraftAnswer, DraftRequest, KeptDraft } from "@choiros/contract/frame";

type Put = Extract<DraftRequest, { do: "put" }>;

/** As it is stored: what was typed apart from what it started from, which may be large and seldom changes. */
type Row = Omit<KeptDraft, "base">;

/** What is known of a draft without reading it. */
interface Size extends Pick<KeptDraft, "id" | "key"> {
  /** The page that keeps it up to date, as long as it lives. */
  readonly page: string;
  /** When, by this clock: what a desk says of times is its own. */
  readonly put: number;
  /** In letters. */
  readonly base: number;
  readonly edits: number;
}

/** Of one computer, for one account. */
const MOST_DRAFTS = 200;
const MOST_LETTERS = 64 * 1024 * 1024;
const DONE: DraftAnswer = { drafts: [], ok: true };

/**
 * What was typed on one computer's desk by one account, and isn't saved: it outlives the page and the browser. Each pair has
 * a database of its own, so nothing that a desk says leads to what another one keeps.
 */
export class DraftStore {
  readonly #name: string;
  #opening: Promise<IDBDatabase> | undefined;

  /** `name`: by `draftsName`. */
  constructor(name: string) {
    this.#name = name;
  }

  /** Kept when it is answered. Rejects where this browser keeps nothing. */
  async put({ do: _, base, ...draft }: Put, page: string): Promise<DraftAnswer> {
    const change = await this.#change("readwrite");
    const all: Size[] = await answered(change.objectStore("sizes").getAll());
    const former = all.find(({ id }) => id === draft.id);
    const others = all.filter((one) => one !== former);
    if (base === undefined && former === undefined) return refused("what it started from isn't known");
    const edits = (draft.typed?.insert.length ?? 0) + (draft.sent?.insert.length ?? 0);
    const size: Size = {
      base: base?.length ?? former?.base ?? 0,
      edits,
      id: draft.id,
      key: draft.key,
      page,
      put: Date.now(),
    };
    const letters = [...others, size].reduce((sum, one) => sum + one.base + one.edits, 0);
    if (others.length >= MOST_DRAFTS || letters > MOST_LETTERS) return refused("too much is kept here already");
    change.objectStore("rows").put(draft satisfies Row);
    change.objectStore("sizes").put(size);
    if (base !== undefined) change.objectStore("bases").put(base, draft.id);
    await ended(change);
    return DONE;
  }

  async remove(id: string): Promise<DraftAnswer> {
    const change = await this.#change("readwrite");
    for (const name of STORES) change.objectStore(name).delete(id);
    await ended(change);
    return DONE;
  }

  /** Those of one file that no page holds, but for the one that asks: it knows which are its own. */
  async left(key: string, page: string, held: ReadonlySet<string>): Promise<DraftAnswer> {
    const change = await this.#change("readonly");
    const all: Size[] = await answered(change.objectStore("sizes").getAll());
    const free = all.filter((one) => one.page === page || !held.has(one.page));
    const others = new Set(free.filter((one) => one.key !== key).map((one) => one.key));
    const drafts = free
      .filter((one) => one.key === key)
      .map(async ({ id }): Promise<KeptDraft> => {
        const row: Row = await answered(change.objectStore("rows").get(id));
        return { ...row, base: await answered(change.objectStore("bases").get(id)) };
      });
    return { drafts: await Promise.all(drafts), ok: true, ...(others.size > 0 && { others: [...others] }) };
  }

  /** Those that were put before this time; the database is let go. */
  async forget(before: number): Promise<void> {
    const change = await this.#change("readwrite");
    const sizes: Size[] = await answered(change.objectStore("sizes").getAll());
    for (const { id } of sizes.filter(({ put }) => put < before))
      for (const name of STORES) change.objectStore(name).delete(id);
    await ended(change);
    change.db.close();
    this.#opening = undefined;
  }

  async #change(mode: IDBTransactionMode): Promise<IDBTransaction> {
    this.#opening ??= openDatabase(this.#name);
    try {
      return (await this.#opening).transaction(STORES, mode);
    } catch (error) {
      this.#opening = undefined; // it may have been cleared, or go another time
      throw error;
    }
  }
}

const PREFIX = "choir drafts of ";

/** The name of the database in which they are. */
export function draftsName({ account, computer }: { readonly account: string; readonly computer: string }): string {
  return `${PREFIX}${account} on ${computer}`;
}

export function isDraftsName(name: string): boolean {
  return name.startsWith(PREFIX);
}

const STORES = ["rows", "bases", "sizes"] as const;

function refused(why: string): DraftAnswer {
  return { ok: false, why };
}

async function openDatabase(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("rows", { keyPath: "id" });
    request.result.createObjectStore("bases");
    request.result.createObjectStore("sizes", { keyPath: "id" });
  };
  const database = await answered(request);
  database.onversionchange = () => database.close(); // another tab wants to remove it
  return database;
}

function answered<Value>(request: IDBRequest<Value>): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
  return promise;
}

function ended(change: IDBTransaction): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  change.oncomplete = () => resolve();
  change.onabort = () => reject(change.error);
  return promise;
}
