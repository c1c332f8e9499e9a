import { type Json, newId, type WindowState } from "@choiros/contract";
import type { Manifest } from "../apps/app.ts";
import type { Desk } from "../desk/desk.ts";
import { Watched } from "../watched.ts";
import type { Box, Screen } from "./box.ts";
import * as deeds from "./deeds.ts";
import { type Arrow, snapped } from "./snap.ts";

const SIZE = { w: 720, h: 480 };
/** As many as the contract takes. */
const TITLE_CHARACTERS = 300;

type Guard = () => boolean | Promise<boolean>;
type Parts = Pick<Desk, "change" | "keep" | "notices" | "windows">;

/** What people do to windows: each wish becomes one deed, on this screen. */
export class Windowing {
  readonly screen = new Watched<Screen>({ w: 1280, h: 720 });
  readonly #desk: Parts;
  readonly #guards = new Map<string, Guard>();
  readonly #holds = new Map<string, () => boolean>();
  /** As they were last. */
  #former: deeds.Windows = new Map();
  /** Those that go by a wish of this page. */
  readonly #leaving = new Set<string>();
  /** Those whose app is asked whether they may go. */
  readonly #closing = new Map<string, Promise<void>>();
  /** Those that went away so that the desktop is seen, and not each by itself. */
  readonly #aside = new Set<string>();
  /** What an app wants said of its window, until the end of this turn: title and args are one event. */
  readonly #news = new Map<string, { title?: string; args?: deeds.Args }>();
  /** The one that somebody here wanted in front; told again where it was there already. */
  readonly wished = new Watched<{ readonly id?: string }>({});

  constructor(desk: Parts) {
    this.#desk = desk;
    desk.windows.watch(() => this.#changed());
  }

  get #windows(): deeds.Windows {
    return this.#desk.windows.get();
  }

  /** Another window, unless the app has one alone, or one that shows the same. */
  open({ id: app, of = "key", single, size = SIZE, title }: Manifest, args?: deeds.Args, takesKeys = true): string {
    const own = [...this.#windows].filter(([, window]) => window.app === app);
    const [there] = own.find(([, window]) => single === true || isOf(window.args[of], args?.[of])) ?? [];
    if (there !== undefined) {
      if (args !== undefined && Object.keys(args).some((name) => name !== of)) this.amend(there, { args });
      this.wished.set(takesKeys ? { id: there } : {});
      void this.#desk.change(deeds.bringToFront(this.#windows, there));
      return there;
    }
    const id = newId();
    this.wished.set(takesKeys ? { id } : {});
    void this.#desk.change(deeds.open(this.#windows, { id, app, title, args: args ?? {}, size }, this.screen.get()));
    return id;
  }

  /** Its app is asked once, however long it takes: asked twice, it would do twice what it does then. */
  close(id: string): Promise<void> {
    const closing = this.#closing.get(id) ?? this.#close(id).finally(() => this.#closing.delete(id));
    this.#closing.set(id, closing);
    return closing;
  }

  /** Its app may want it to stay; one that is broken has no say. */
  async #close(id: string): Promise<void> {
    const may = await Promise.try(() => this.#guards.get(id)?.() ?? true).catch(() => true);
    if (!may || !this.#windows.has(id)) return;
    this.#leaving.add(id);
    void this.#desk.change(deeds.close([id]));
  }

  /** Or the nearest behind it, where that is closing already. */
  closeFront(): void {
    const others = [...this.#windows].filter(([id]) => !this.#closing.has(id));
    const id = deeds.frontOf(new Map(others));
    if (id !== undefined) void this.close(id);
  }

  /** To the front window, where they were in it. */
  giveKeys(): void {
    const id = deeds.frontOf(this.#windows);
    if (id !== undefined) this.wished.set({ id });
  }

  /** The file that the front window shows. */
  frontKey(): string | undefined {
    const key = this.#windows.get(deeds.frontOf(this.#windows) ?? "")?.args.key;
    return typeof key === "string" ? key : undefined;
  }

  guard(id: string, guard: Guard): () => void {
    this.#guards.set(id, guard);
    return () => {
      if (this.#guards.get(id) === guard) this.#guards.delete(id);
    };
  }

  /** While `holds` says so, the window goes from this page by nobody's wish but its own. */
  hold(id: string, holds: () => boolean): () => void {
    this.#holds.set(id, holds);
    return () => {
      if (this.#holds.get(id) === holds) this.#holds.delete(id);
    };
  }

  /** Whether it came to the front by a wish of this page; another browser's windows don't take its keys. */
  wishes(id: string): boolean {
    return this.wished.get().id === id;
  }

  /** By somebody's hand: what they type next is for it. */
  front(id: string): void {
    this.wished.set({ id });
    void this.#desk.change(deeds.bringToFront(this.#windows, id));
  }

  place(id: string, box: Box): void {
    this.wished.set({ id });
    void this.#desk.change(deeds.place(this.#windows, id, box, this.screen.get()));
  }

  put(id: string, state: WindowState): void {
    this.wished.set(state === "minimised" ? {} : { id });
    this.#aside.delete(id);
    void this.#desk.change(deeds.put(this.#windows, id, state));
  }

  toggleMaximised(id: string): void {
    void this.#desk.change(deeds.toggleMaximised(this.#windows, id));
  }

  snap(id: string, arrow: Arrow): void {
    const state = this.#windows.get(id)?.state;
    if (state === "maximised" && arrow === "down") this.toggleMaximised(id);
    else if (state !== undefined) this.put(id, snapped(state, arrow));
  }

  /** As a click on it in the taskbar does: away where it is in front, else to the front. */
  toggle(id: string): void {
    if (deeds.frontOf(this.#windows) === id) this.put(id, "minimised");
    else this.front(id);
  }

  showDesktop(): void {
    const deed = deeds.showDesktop(this.#windows, this.#aside);
    for (const { id, after } of deed?.changes ?? [])
      if (after?.state === "minimised") this.#aside.add(id);
      else this.#aside.delete(id);
    void this.#desk.change(deed);
  }

  /** Keeps on this page what went and must not; before anybody draws, so that its app doesn't notice. */
  #changed(): void {
    const [former, now] = [this.#former, this.#windows];
    this.#former = now;
    const { id: wished } = this.wished.get();
    if (wished !== undefined && deeds.frontOf(now) !== wished) this.wished.set({}); // that one was, and another came since
    for (const [id, window] of former) {
      if (now.has(id) || this.#leaving.delete(id) || this.#holds.get(id)?.() !== true) continue;
      this.#desk.keep(id, window);
      const detail = "It was closed elsewhere, or by going back, and isn't saved yet.";
      this.#desk.notices.add({ text: `“${window.title}” stays open here`, detail });
    }
  }

  amend(id: string, news: { title?: string; args?: deeds.Args }): void {
    const waiting = this.#news.get(id);
    const title = news.title === undefined ? {} : { title: news.title.slice(0, TITLE_CHARACTERS) };
    this.#news.set(id, { ...waiting, ...news, ...title });
    if (waiting !== undefined) return;
    queueMicrotask(() => {
      const all = this.#news.get(id) ?? {};
      this.#news.delete(id);
      void this.#desk.change(deeds.amend(this.#windows, id, all));
    });
  }
}

function isOf(shown: Json | undefined, wanted: Json | undefined): boolean {
  return wanted !== undefined && shown === wanted;
}
