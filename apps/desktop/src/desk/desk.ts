import { canonicalise, type Json, newId, recognise, type Signal, WindowValue } from "@choiros/contract";
import type { Grant } from "../console.ts";
import { Watched } from "../watched.ts";
import type { Deed, Windows } from "../windows/deeds.ts";
import { Doing } from "./doing.ts";
import { Notices } from "./notices.ts";
import type { Wish } from "./pending.ts";
import { sentence } from "./problem.ts";
import { CountedIn, Outcome, Row } from "./shapes.ts";
import { type Connection, DeskSocket, type Moment } from "./socket.ts";
import { FOLLOWED, type Followed, isLong, Tables } from "./tables.ts";
import { Web } from "./web.ts";

const PREFIX = "window.";

/** One computer as this page knows it: what the log said so far, and what was done here and isn't in the log yet. */
export class Desk {
  readonly connection = new Watched<Connection>("connecting");
  /** Whether the server owes an answer: what was done last may not be kept yet. */
  readonly owed = new Watched(false);
  /** Whether what was there at the beginning has come. */
  readonly ready = new Watched(false);
  readonly windows = new Watched<Windows>(new Map());
  readonly settings = new Watched<ReadonlyMap<string, Json>>(new Map());
  /** What runs: by call, its tool and since when. */
  readonly calls = new Watched<ReadonlyMap<string, Json>>(new Map());
  /** What was said, by whomever. */
  readonly messages = new Watched<ReadonlyMap<string, Json>>(new Map());
  /** What agents were told to do, by task. */
  readonly tasks = new Watched<ReadonlyMap<string, Json>>(new Map());
  /** What was asked of agents, by its first message. */
  readonly asks = new Watched<ReadonlyMap<string, Json>>(new Map());
  /** What was taken back, in order. */
  readonly undos = new Watched<ReadonlyMap<string, Json>>(new Map());
  readonly notices = new Notices();
  readonly web: Web;
  readonly #socket: DeskSocket;
  readonly #followers = new Set<(moments: readonly Moment[]) => void>();
  readonly #restarts = new Set<() => void>();
  readonly #hearers = new Set<(signal: Signal) => void>();
  readonly #doing = new Doing();
  readonly #shown = {
    ...{ ask: this.asks, call: this.calls, message: this.messages, setting: this.settings, task: this.tasks },
    undo: this.undos,
  } as const;
  /** Whether the socket owes an answer. */
  #isLate = false;
  #tables = new Tables();
  /** Tables that are being read: those before stay in sight until these are complete. */
  #coming: Tables | undefined;
  #head = 0;

  constructor({ onRefused }: { onRefused(): void }) {
    this.web = new Web(onRefused);
    this.web.unheard.late.watch(() => this.#owe(this.#isLate));
    this.#socket = new DeskSocket({
      began: (head) => {
        this.#head = head;
        void this.#read();
        for (const restart of this.#restarts) restart();
      },
      came: (moments) => this.#take(moments),
      signalled: (signal) => {
        for (const hearer of [...this.#hearers]) hearer(signal);
      },
      changed: (now) => this.connection.set(now),
      owes: (isLate) => this.#owe(isLate),
      dead: () => this.web.giveUp(),
      refused: onRefused,
      head: () => this.web.head(),
    });
  }

  get unheard(): DeskSocket["unheard"] {
    return this.#socket.unheard;
  }

  get head(): number {
    return this.#head;
  }

  give(grant: Grant): void {
    this.web.grant = grant;
    this.#socket.give(grant);
  }

  do(name: string, request: { readonly [key: string]: Json }, wish?: Wish): Promise<Json> {
    return this.#socket.do(name, request, wish);
  }

  /** Ends what a call runs, whichever page asked for it. */
  stop(call: string): void {
    this.#socket.stop(call);
  }

  /** Hears what happens from now on. `restarted`: what was known may be of another log. */
  follow(follower: (moments: readonly Moment[]) => void, restarted?: () => void): () => void {
    this.#followers.add(follower);
    if (restarted !== undefined) this.#restarts.add(restarted);
    return () => {
      this.#followers.delete(follower);
      if (restarted !== undefined) this.#restarts.delete(restarted);
    };
  }

  /** Hears what is said and not kept. Some of it may never come. */
  hear(hearer: (signal: Signal) => void): () => void {
    this.#hearers.add(hearer);
    return () => void this.#hearers.delete(hearer);
  }

  /** Whether somebody could hear it. */
  send(signal: Signal): boolean {
    return this.#socket.send(signal);
  }

  #owe(isLate: boolean): void {
    this.#isLate = isLate;
    this.owed.set(isLate || this.web.unheard.late.get());
  }

  /** Shown at once; where the server refuses it, it is gone again, and that is said. */
  async change(wanted: Deed | undefined): Promise<void> {
    if (wanted === undefined) return;
    const deed = this.#doing.shared(wanted);
    if (deed === undefined) return this.#show("window");
    const id = newId();
    this.#doing.begin(id, deed);
    this.#show("window");
    const changes = deed.changes.map((change) => ({ key: PREFIX + change.id, after: change.after }));
    try {
      const outcome = Outcome.parse(await this.do("change-windows", { as: deed.as, changes }, { id }));
      if (outcome.ok && outcome.changed > 0 && outcome.seq > this.#head) return this.#doing.became(id, outcome.seq);
      // That they stand so already, as after two gestures at once, is nothing that anybody has to know.
      if (!outcome.ok && outcome.reason !== "nothing") this.notices.add({ text: outcome.message, kind: "wrong" });
    } catch (error) {
      this.notices.add({ text: sentence(error), kind: "wrong" });
    }
    this.#doing.drop(id);
    this.#show("window");
  }

  /** Stays open on this page alone, whatever the log says, until it is closed here. */
  keep(id: string, window: WindowValue): void {
    this.#doing.keep(id, window);
    this.#show("window");
  }

  async #read(): Promise<void> {
    const tables = new Tables();
    this.#coming = tables;
    const read = async (table: Followed) => {
      const rows: Row[] = [];
      const answer = await this.do("rows", { table }, { reads: true, onItem: (item) => rows.push(Row.parse(item)) });
      tables.start(table, rows, CountedIn.parse(answer).seq);
    };
    try {
      await Promise.all(FOLLOWED.map(read));
    } catch (error) {
      if (this.connection.get() !== "live") this.#socket.startAnew();
      else this.notices.add({ text: sentence(error), kind: "wrong" });
      return;
    }
    if (this.#coming !== tables) return; // they are being read again
    this.#coming = undefined;
    this.#tables = tables;
    for (const table of FOLLOWED) this.#show(table);
    this.ready.set(true);
  }

  #take(moments: readonly Moment[]): void {
    const changed = new Set<Followed>();
    for (const { event } of moments) {
      this.#head = Math.max(this.#head, event.seq);
      const known = recognise(event);
      if (!known.ok) continue;
      this.#coming?.take(known.value);
      for (const table of this.#tables.take(known.value)) changed.add(table);
      if (isLong(known.value)) void this.#read();
      if (this.#doing.heard(event)) changed.add("window");
    }
    for (const table of changed) this.#show(table);
    for (const follower of [...this.#followers]) follower(moments);
  }

  #show(table: Followed): void {
    if (table === "window") this.windows.set(this.#doing.onTopOf(this.#kept()));
    else this.#shown[table].set(new Map(this.#tables.rows(table)));
  }

  /** As the log has them. One that stayed the same is the same object, so that nobody draws it again. */
  #kept(): Windows {
    const former = this.windows.get();
    const windows = new Map<string, WindowValue>();
    for (const [key, value] of this.#tables.rows("window")) {
      const parsed = WindowValue.safeParse(value);
      if (!parsed.success) continue; // of a newer desk, or nobody's
      const id = key.slice(PREFIX.length);
      const before = former.get(id);
      windows.set(id, before !== undefined && isSame(before, parsed.data) ? before : parsed.data);
    }
    return windows;
  }
}

function isSame(one: WindowValue, two: WindowValue): boolean {
  return canonicalise(one) === canonicalise(two);
}
