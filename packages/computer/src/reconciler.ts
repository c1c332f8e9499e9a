import { type Draft, parentKey } from "@choiros/contract";
import { type Contents, type Log, LogError } from "@choiros/log";
import { type Attributed, Attribution, type Author } from "./attribution.ts";
import { capturesOf, LOOKING, lookAndKeep, type Placed } from "./captures.ts";
import { carry } from "./change-list.ts";
import type { Masks } from "./command/masks.ts";
import type { Folder, Looked } from "./folder/folder.ts";
import { sameEntry } from "./merge/merge-entries.ts";
import type { Blocked, Progress, TreeChange } from "./outcome.ts";
import type { Projector } from "./projector.ts";
import { shownPath } from "./shown-path.ts";
import type { State } from "./state/state.ts";
import { slices } from "./state/state-rows.ts";
import { type Scan, Unkept } from "./unkept.ts";

export interface ReconcilerParts {
  readonly log: Log;
  readonly contents: Contents;
  readonly state: State;
  readonly folder: Folder;
  readonly projector: Projector;
  readonly masks: Masks;
}

export interface Reconciled {
  /** The event that what others did became; `null` where they did nothing. */
  readonly seq: number | null;
  readonly changed: number;
  readonly notes: readonly string[];
}

interface SettleOptions {
  readonly looked?: readonly Looked[];
  readonly pending?: boolean;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface LandingOptions {
  /** Directories that are moved on disk as a whole, before their parts are looked at. */
  readonly moved?: readonly { readonly from: string; readonly to: string }[] | undefined;
  readonly onLanded?: ((landed: number) => void) | undefined;
}

interface ReadyOptions {
  /** Also what is below these paths. */
  readonly below?: boolean;
  readonly pending?: boolean;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

const NOTHING: Scan = { keys: [], notes: [] };

/** How often a path is looked at again that others go on changing. What is left is taken up with the next change. */
const ROUNDS = 4;
/** More paths than this are looked at page by page. */
const FEW = 2000;

/**
 * Keeps the folder and the log alike. Whatever differs at a path is either somebody else's work, and goes into the log, or
 * ours, and goes into the folder; or both, and then both are kept. Everything here is done in the computer's turn.
 */
export class Reconciler {
  readonly #parts: ReconcilerParts;
  readonly #blocked = new Map<string, string>();
  readonly #unkept: Unkept;
  readonly #attribution = new Attribution();
  readonly #touched = new Set<Set<string>>();

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
    this.#unkept = new Unkept(parts.folder);
  }

  /** What the log has and the folder can't have for now. */
  blocked(): Blocked[] {
    return [...this.#blocked].map(([key, why]) => ({ key, why }));
  }

  /** What the folder has and the log can't have, as the last look at each place found it. */
  unkept(): Blocked[] {
    return this.#unkept.list();
  }

  /** Until its end, what others change is this author's work. */
  attribute(author: Author): Attributed {
    return this.#attribution.begin(author);
  }

  /** From now on every path that is noted or landed is among `keys`: what was looked at there before doesn't count. */
  track(): { readonly keys: ReadonlySet<string>; end(): void } {
    const keys = new Set<string>();
    this.#touched.add(keys);
    return { keys, end: () => void this.#touched.delete(keys) };
  }

  /**
   * The state is as far as the log, and what others did at these paths and to the directories above them is in it: from
   * here on one can decide.
   */
  async ready(
    keys: readonly string[],
    { below = false, pending = false, onProgress }: ReadyOptions = {},
  ): Promise<Reconciled> {
    const { log, projector } = this.#parts;
    await projector.reached((await log.head()).seq);
    const { keys: found, notes } = below ? await this.scanned(keys) : NOTHING;
    const all = [...new Set([...keys.flatMap(above), ...keys, ...found])];
    const suspects = pending ? all : await this.#suspects(all, onProgress);
    const settled = await this.settle(suspects, { pending, onProgress });
    return { ...settled, notes: [...new Set([...notes, ...settled.notes])] };
  }

  /** Of many paths, those that aren't simply as they were seen and as the state has them: few, as a rule. */
  async #suspects(keys: readonly string[], onProgress?: (progress: Progress) => void): Promise<readonly string[]> {
    if (keys.length <= FEW || this.#blocked.size > 0) return keys;
    const { state, folder } = this.#parts;
    const suspects: string[] = [];
    let done = 0;
    for (const page of slices(keys, FEW)) {
      const wanted = await state.entries(page);
      for (const one of await folder.look(page)) {
        const there = one.is === "entry" && one.same ? one.entry : null;
        const known = there !== null || (one.is === "nothing" && one.was === undefined);
        if (!known || !sameEntry(there, wanted.get(one.key) ?? null)) suspects.push(one.key);
      }
      done += page.length;
      onProgress?.({ what: LOOKING, done, total: keys.length });
    }
    return suspects;
  }

  /** The same for the whole folder. */
  async readyAll(onProgress?: (progress: Progress) => void): Promise<Reconciled> {
    const { keys, notes } = await this.scanned(undefined, (done) => onProgress?.({ what: LOOKING, done }));
    const reconciled = await this.ready(keys, { onProgress });
    return { ...reconciled, notes: [...new Set([...notes, ...reconciled.notes])] };
  }

  /** The paths that aren't as they were seen, everywhere or below some, and what can't be kept there. */
  scanned(under?: readonly string[], onProgress?: (visited: number) => void): Promise<Scan> {
    return this.#unkept.scan(under, onProgress);
  }

  /**
   * Holds the folder against the log at these paths, and makes them alike. Where the folder is as we left it, and the state
   * says otherwise, that is a landing that is `pending`, as the caller knows; else the state is not to be trusted, and
   * nothing is taken from anybody's folder on its word.
   */
  async settle(keys: readonly string[], options: SettleOptions = {}): Promise<Reconciled> {
    const { onProgress } = options;
    const notes: string[] = [];
    let seq: number | null = null;
    let changed = 0;
    let look = options.looked;
    let left = keys;
    for (let round = 0; left.length > 0 && round < ROUNDS; round++) {
      const found = look ?? (await lookAndKeep(this.#parts, left, onProgress));
      look = undefined;
      const captures = await capturesOf(this.#parts, found);
      notes.push(...captures.notes, ...this.#unkept.noteBusy(captures.busy));
      this.#unblock(found, captures.landings);
      await this.#blockUnknown(found);
      if (captures.changes.length > 0) {
        seq = await this.#append(captures.changes);
        changed += captures.changes.length;
      }
      this.#touch(captures.seen);
      if (captures.seen.length > 0) await this.#parts.folder.note(captures.seen);
      const known = ({ key, pending }: Placed) => options.pending === true || !pending || this.#blocked.has(key);
      const doubtful = captures.landings.filter((item) => !known(item));
      notes.push(
        ...doubtful.map(
          ({ key }) => `${shownPath(key)} is not as the state says, and nobody changed it: 'choir verify'`,
        ),
      );
      left = await this.#land(captures.landings.filter(known));
    }
    this.block(left, "something else is in its place, or others go on changing it");
    return { seq, changed, notes: [...new Set(notes)] };
  }

  /** Brings the folder to what the state says at these paths, now that an event has changed it. */
  async land(keys: readonly string[], { moved = [], onLanded }: LandingOptions = {}): Promise<Reconciled> {
    const { folder } = this.#parts;
    const ours = new Set(moved.length === 0 ? [] : keys);
    for (const { from, to } of moved) {
      await this.#land(await this.#placed(above(to).filter((key) => ours.has(key)))); // where it goes to is there first
      await this.#parts.masks.moving(from, to);
      await folder.moveDirectory(from, to); // what it can't move is landed piece by piece
    }
    const items = await this.#placed(keys);
    this.#touch(items); // also what a moved directory brought along
    const differing = await this.#land(items, onLanded);
    return this.settle(differing, { pending: true });
  }

  async #placed(keys: readonly string[]): Promise<Placed[]> {
    const seen = await this.#parts.folder.seen(keys);
    return keys.map((key, i) => ({ key, from: seen[i] ?? null }));
  }

  /** Tries again what was blocked. A state that is behind the log would say that all is well. */
  async retry(): Promise<void> {
    if (this.#blocked.size > 0) await this.ready([...this.#blocked.keys()], { pending: true });
  }

  /** What is as it should be is blocked no more, whoever brought it there. */
  #unblock(found: readonly Looked[], landings: readonly Placed[]): void {
    if (this.#blocked.size === 0) return;
    const left = new Set(landings.map(({ key }) => key));
    for (const { key, is } of found)
      if ((is === "nothing" || is === "entry") && !left.has(key)) this.#blocked.delete(key);
  }

  /** What can't be looked at for now, and isn't to stay as it was seen, waits. */
  async #blockUnknown(found: readonly Looked[]): Promise<void> {
    const unknown = found.filter(({ is }) => is === "busy" || is === "unreadable" || is === "refused");
    if (unknown.length === 0) return;
    const wanted = await this.#parts.state.entries(unknown.map(({ key }) => key));
    for (const one of unknown) {
      if (sameEntry(wanted.get(one.key) ?? null, one.was ?? null)) continue;
      this.#blocked.set(one.key, "why" in one ? one.why : "somebody else is writing it");
    }
  }

  #touch(items: readonly { readonly key: string }[]): void {
    for (const keys of this.#touched) for (const { key } of items) keys.add(key);
  }

  block(keys: readonly string[], why: string): void {
    for (const key of keys) this.#blocked.set(key, why);
  }

  async #append(changes: readonly TreeChange[]): Promise<number> {
    const { log, contents, projector } = this.#parts;
    const author = this.#attribution.authorOf(changes.length);
    const payload = { ...(await carry(contents, changes)), by: author === undefined ? "outside" : "command" };
    const draft = { source: "system", ...author, type: "files.changed", payload };
    const appended = await log.append(draft as Draft); // the changes are all of paths
    if (!appended.ok)
      throw new LogError("misuse", `what others changed in the folder can't be logged: ${appended.message}`);
    await projector.reached(appended.seq);
    return appended.seq;
  }

  /** Those that somebody else changed meanwhile, to be looked at again. */
  async #land(items: readonly Placed[], onLanded?: (landed: number) => void): Promise<string[]> {
    if (items.length === 0) return [];
    this.#touch(items);
    const { state, folder, contents, masks } = this.#parts;
    const wanted = await state.entries(items.map(({ key }) => key));
    const all = items.map(({ key, from }) => ({ key, from, to: wanted.get(key) ?? null }));
    for (const { key, from, to } of all) if (sameEntry(from, to)) this.#blocked.delete(key);
    const landings = all.filter(({ from, to }) => !sameEntry(from, to)); // a directory that was moved is in its place
    await masks.landing(landings);
    const outcomes = await folder.land(landings, {
      read: (hash) => contents.get(hash),
      readSmall: (hashes) => contents.getSmall(hashes),
      ...(onLanded && { onProgress: onLanded }),
    });
    const again: string[] = [];
    for (const [i, outcome] of outcomes.entries()) {
      const key = landings[i]?.key;
      if (key === undefined) continue;
      if (outcome.is === "blocked") this.#blocked.set(key, outcome.why);
      else this.#blocked.delete(key);
      if (outcome.is === "differs") again.push(key);
    }
    return again;
  }
}

/** The directories that a path stands in, up to its area. */
function above(key: string): string[] {
  const keys: string[] = [];
  for (let up = parentKey(key); up?.includes("/"); up = parentKey(up)) keys.push(up);
  return keys;
}
