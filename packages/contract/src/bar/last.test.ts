import fc from "fast-check";
import { expect, test } from "vitest";
import type { KeptChange } from "../change.ts";
import { type Envelope, type KnownEvent, recognise } from "../envelope.ts";
import { PAYLOADS, type Target } from "../payloads.ts";
import { ACTION_TYPES, type LookedBack, lastDone, lastUndone, lookBack } from "./last.ts";

/** Events as a log has them, one more with each call. */
class Story {
  readonly events: KnownEvent[] = [];

  get newestFirst(): KnownEvent[] {
    return this.events.toReversed();
  }

  act(type: "settings.change" | "window.change" = "settings.change", source = "user"): number {
    const key = type === "window.change" ? "window.a" : "a";
    return this.#add(type, source, { changes: [{ after: this.events.length, before: null, key }] });
  }

  undo(target: Target, kept?: KeptChange[]): number {
    const changes = [{ after: null, before: 1, key: "a" }];
    return this.#add("undo", "user", { changes, target, ...(kept !== undefined && { kept }) });
  }

  #add(type: string, source: string, payload: KnownEvent["payload"]): number {
    const seq = this.events.length + 1;
    const envelope = { v: 1, id: `e${seq}`, seq, ts: "2026-11-16T12:00:00.000Z", user_id: "ada", hash: "0".repeat(64) };
    const known = recognise({ ...envelope, source, type, cause: { call: `c${seq}` }, payload: { ...payload } });
    if (!known.ok) throw new Error(known.why);
    this.events.push(known.value);
    return seq;
  }
}

test("undo goes back action by action, past what is taken back already", () => {
  const story = new Story();
  story.act();
  story.act();
  expect(lastDone(story.newestFirst)).toEqual({ call: "c2" });
  story.undo({ call: "c2" });
  expect(lastDone(story.newestFirst)).toEqual({ call: "c1" });
  story.undo({ seq: 1 });
  expect(lastDone(story.newestFirst)).toBeUndefined();
});

test("ACT-10: undo means what an undo kept, too, where nothing newer is left", () => {
  const story = new Story();
  story.act();
  story.undo({ call: "c1" }, [{ key: "a", seq: 1 }]);
  expect(lastDone(story.newestFirst)).toEqual({ call: "c1" });
  story.undo({ call: "c1" });
  expect(lastDone(story.newestFirst)).toBeUndefined();
});

test("ACT-10: a folder that stays isn't left to undo: undo goes on to what was done before", () => {
  const story = new Story();
  story.act();
  story.act();
  story.undo({ call: "c2" }, [{ key: "a", seq: 2, dir: true }]);
  expect(lastDone(story.newestFirst)).toEqual({ call: "c1" });
});

test("undo leaves windows alone, and what nobody here did", () => {
  const story = new Story();
  story.act();
  story.act("window.change");
  story.act("settings.change", "system");
  expect(lastDone(story.newestFirst)).toEqual({ call: "c1" });
});

test("going back to a moment is what was done last: undo takes it back, and redo does it again", () => {
  const story = new Story();
  story.act();
  story.act();
  const goBack = story.undo({ since: 1 });
  expect(lastDone(story.newestFirst)).toEqual({ seq: goBack });
  expect(lastUndone(story.newestFirst)).toBe("nothing");
  const undone = story.undo({ seq: goBack });
  expect(lastDone(story.newestFirst)).toEqual({ call: "c2" });
  expect(lastUndone(story.newestFirst)).toEqual({ seq: undone });
  story.undo({ seq: undone });
  expect(lastDone(story.newestFirst)).toEqual({ seq: goBack });
  expect(lastUndone(story.newestFirst)).toBe("nothing");
});

test("redo is there as long as nothing else was done", () => {
  const story = new Story();
  story.act();
  expect(lastUndone(story.newestFirst)).toBe("nothing");
  const undone = story.undo({ call: "c1" });
  expect(lastUndone(story.newestFirst)).toEqual({ seq: undone });
  story.act("window.change");
  expect(lastUndone(story.newestFirst)).toEqual({ seq: undone });
  story.act();
  expect(lastUndone(story.newestFirst)).toBe("nothing");
});

test("undo looks as far back as it takes, past any number of windows that moved and of what is taken back", async () => {
  const story = new Story();
  const first = story.act();
  for (let at = 0; at < 500; at++) story.act("window.change");
  for (let at = 0; at < 500; at++) story.act("settings.change", "system");
  const asked: number[] = [];
  expect(await lookBack(readOf(story, asked), lastDone)).toEqual({ call: `c${first}` });
  expect(asked).toEqual([200, 301]); // the second page has all that is left
  story.undo({ call: `c${first}` });
  expect(await lookBack(readOf(story), lastDone)).toBeUndefined();
  expect(await lookBack(readOf(story), lastUndone)).toEqual({ seq: story.events.length });
  story.act();
  asked.length = 0;
  expect(await lookBack(readOf(story, asked), lastUndone)).toBeUndefined();
  expect(asked).toEqual([200]); // what was done since is the answer: nobody looks further
});

test("what undo looks for is every type that changes something, but windows", () => {
  const isChange = (type: string) => PAYLOADS[type as keyof typeof PAYLOADS].safeParse({}).error?.message ?? ""; // a key of it
  const changing = Object.keys(PAYLOADS).filter((type) => isChange(type).includes('"changes"'));
  expect(ACTION_TYPES).toEqual(changing.filter((type) => !type.startsWith("window.")));
});

/** A log as far as it is asked; `asked` gets how many came of each question. */
function readOf(story: Story, asked: number[] = []) {
  return async ({ limit, to = Number.POSITIVE_INFINITY, type }: LookedBack): Promise<readonly Envelope[]> => {
    const page = story.newestFirst.filter((event) => event.seq <= to && type.includes(event.type)).slice(0, limit);
    asked.push(page.length);
    return page;
  };
}

const STEPS = fc.array(fc.constantFrom("act", "undo", "redo", "go back"), { maxLength: 30 });

test("undo and redo go to and fro over the same actions and ways back, as two stacks do", () => {
  fc.assert(
    fc.property(STEPS, fc.infiniteStream(fc.nat()), (steps, moments) => {
      const story = new Story();
      const past: number[] = [];
      let future: number[] = [];
      for (const step of steps) {
        if (step === "act" || step === "go back") {
          past.push(step === "act" ? story.act() : story.undo({ since: momentIn(story, moments) }));
          future = [];
          continue;
        }
        const target = found(story, step === "undo" ? lastDone : lastUndone);
        const [from, to] = step === "undo" ? [past, future] : [future, past];
        const moved = from.pop();
        expect(target === undefined).toBe(moved === undefined);
        if (target === undefined || moved === undefined) continue;
        if (step === "undo") expect([{ call: `c${moved}` }, { seq: moved }]).toContainEqual(target);
        story.undo(target);
        to.push(moved);
      }
    }),
  );
});

test("undo and then redo leaves standing what stood, and undo never reaches behind a way back that stands", () => {
  fc.assert(
    fc.property(STEPS, fc.infiniteStream(fc.nat()), (steps, moments) => {
      const story = new Story();
      for (const step of steps) {
        if (step === "act") story.act();
        else if (step === "go back") story.undo({ since: momentIn(story, moments) });
        else undoOnce(story, step === "undo" ? lastDone : lastUndone);
      }
      const before = standing(story);
      const target = lastDone(story.newestFirst);
      if (target === undefined) return;
      const ways = story.events.filter((event) => event.type === "undo" && "since" in event.payload.target);
      const newest = ways.findLast((event) => before.includes(event.seq))?.seq ?? 0;
      expect("seq" in target ? target.seq : Number("call" in target && target.call.slice(1))).toBeGreaterThanOrEqual(
        newest,
      );
      undoOnce(story, lastDone);
      undoOnce(story, lastUndone);
      expect(standing(story)).toEqual(before);
      expect(lastDone(story.newestFirst)).toEqual(target);
    }),
  );
});

function momentIn({ events }: Story, moments: Iterator<number>): number {
  return Number(moments.next().value) % (events.length + 1);
}

function found(story: Story, find: typeof lastUndone): Target | undefined {
  const target = find(story.newestFirst);
  return target === "nothing" ? undefined : target;
}

function undoOnce(story: Story, find: typeof lastUndone): void {
  const target = found(story, find);
  if (target !== undefined) story.undo(target);
}

/** The actions and ways back that stand, by the rule alone: the newest word on an event holds. */
function standing({ events, newestFirst }: Story): number[] {
  const gone = new Set<number>();
  for (const event of newestFirst) {
    if (event.type !== "undo" || gone.has(event.seq)) continue;
    const { target } = event.payload;
    for (const { seq } of events) {
      if (
        "since" in target
          ? seq > target.since && seq < event.seq
          : "seq" in target
            ? target.seq === seq
            : "call" in target && target.call === `c${seq}`
      )
        gone.add(seq);
    }
  }
  const isPlain = (event: KnownEvent) => event.type === "undo" && !("since" in event.payload.target);
  return events.filter((event) => !isPlain(event) && !gone.has(event.seq)).map(({ seq }) => seq);
}
