import { Watched } from "../watched.ts";

export interface NewNotice {
  readonly text: string;
  /** More of it, in small. */
  readonly detail?: string;
  /** The same in one line, for a small screen; without it, that has the last line. */
  readonly brief?: string;
  readonly kind?: "said" | "good" | "wrong";
  /** What can be done about it: "Undo". */
  readonly action?: NoticeAction;
  /** Where more of it is to be seen: "Show". */
  readonly show?: NoticeAction;
  /** How much of it is done, from 0 to 1 where that is known: until it says something else, the taskbar has it. */
  readonly progress?: number | "unknown";
  /** It is no news: only the taskbar has it until it is over. */
  readonly aside?: true;
}

export interface NoticeAction {
  readonly label: string;
  run(): void;
}

export interface Notice extends NewNotice {
  readonly id: number;
  readonly kind: "said" | "good" | "wrong";
  readonly at: Date;
  /** In sight; else only in the history, and in the taskbar while it isn't over. */
  readonly fresh: boolean;
  /** From before this page was there. */
  readonly past?: true;
}

/** A notice that was given, for whoever has more to say. */
export interface PostedNotice {
  /** Says this in its place. */
  replace(notice: NewNotice): void;
  dismiss(): void;
  /** Nothing of it is left, in the history either: something else says how it ended. */
  remove(): void;
}

const KEPT = 100;
/** So many are in sight at once. */
const MOST = 4;
/** So long one is in sight from when it came; one that can be answered, longer, unless the taskbar has it then. */
const SHORT_MS = 6000;
const LONG_MS = 12_000;
/** And no shorter than this from when it was let go. */
const LEAVE_MS = 2000;

/** What the desk had to say, the newest last. */
export class Notices {
  readonly list = new Watched<readonly Notice[]>([]);
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();
  readonly #held = new Set<number>();
  #last = 0;

  add(notice: NewNotice): PostedNotice {
    const id = ++this.#last;
    this.#post([...this.list.get(), posted(id, notice)].slice(-KEPT), id);
    return {
      replace: (next) =>
        this.#post(
          this.list.get().map((one) => (one.id === id ? following(one, next) : one)),
          id,
        ),
      dismiss: () => this.dismiss(id),
      remove: () => this.list.set(this.list.get().filter((one) => one.id !== id)),
    };
  }

  /** It stays in sight while somebody is at it, until they let it go. */
  hold(id: number): () => void {
    clearTimeout(this.#timers.get(id));
    this.#held.add(id);
    return () => {
      this.#held.delete(id);
      this.#time(id, LEAVE_MS);
    };
  }

  /** What was said before this page was there, out of sight. */
  restore(notices: readonly Omit<Notice, "fresh" | "id">[]): void {
    this.list.set([
      ...notices.map((one) => ({ ...one, id: ++this.#last, fresh: false, past: true as const })),
      ...this.list.get(),
    ]);
  }

  /** Out of sight; the history has it still. */
  dismiss(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.list.set(this.list.get().map((one) => (one.id === id ? { ...one, fresh: false } : one)));
  }

  /** Whoever looks at the history has seen them. */
  readAll(): void {
    if (this.list.get().some(({ fresh }) => fresh))
      this.list.set(this.list.get().map((one) => (one.fresh ? { ...one, fresh: false } : one)));
  }

  /** What isn't over stays. */
  clear(): void {
    this.list.set(this.list.get().filter(isGoingOn));
  }

  /** The newest are in sight, each for its own time; the others only in the history. */
  #post(list: readonly Notice[], id: number): void {
    const over = list.filter((one) => one.fresh && !this.#held.has(one.id)).slice(0, -MOST);
    this.list.set(list.map((one) => (over.includes(one) ? { ...one, fresh: false } : one)));
    this.#time(id);
  }

  /** Counts from when it came, however often it is looked at. */
  #time(id: number, least = 0): void {
    clearTimeout(this.#timers.get(id));
    const notice = this.list.get().find((one) => one.id === id);
    if (notice?.fresh !== true || this.#held.has(id)) return;
    const isShort = isGoingOn(notice) || (notice.action === undefined && notice.show === undefined);
    const left = notice.at.getTime() + (isShort ? SHORT_MS : LONG_MS) - Date.now();
    this.#timers.set(
      id,
      setTimeout(() => this.dismiss(id), Math.max(left, least)),
    );
  }
}

function posted(id: number, notice: NewNotice): Notice {
  const { aside, kind = "said", text } = notice;
  return { ...notice, kind, text: kind === "wrong" ? capital(text) : text, id, at: new Date(), fresh: aside !== true };
}

/** Other parts say what is wrong as the end of a sentence; here it is one. A path or a command stays as it is written. */
function capital(text: string): string {
  return text.replace(/^[a-z]+(?=[ ,'’])/, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

/** How far it is is no news: it stays out of sight where it was put, and has the time that it had. That it is over is. */
function following(before: Notice, next: NewNotice): Notice {
  const after = posted(before.id, next);
  return isGoingOn(before) && isGoingOn(after) ? { ...after, at: before.at, fresh: before.fresh } : after;
}

/** It isn't over. */
export function isGoingOn({ progress }: Pick<NewNotice, "progress">): boolean {
  return progress !== undefined;
}
