import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Query } from "./log.ts";
import type { Engine, OpenPlace, Place } from "./testing/engine.ts";
import { Follower } from "./testing/follower.ts";
import { Model, type Tried } from "./testing/model.ts";
import { draftOf, type Plan, type QueryPlan, type Step, steps, type Who } from "./testing/plans.ts";

/** Whatever is done to a log, in whatever order, it is what a list in memory would be. */
export function modelSuite(engine: Engine): void {
  describe(engine.name, () => {
    test("LOG-1, LOG-2, LOG-3, LOG-4, LOG-11, LOG-14: appends, reads, followers, crashes and reopenings in any order leave a log as a list in memory would be", async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (list) => {
          const world = await World.begin(engine);
          try {
            for (const step of list) await world.take(step);
            await world.settle();
          } finally {
            await world.end();
          }
        }),
        { numRuns: 100 },
      );
    }, 120_000);
  });
}

class World {
  #place: Place;
  #writer: OpenPlace;
  #reader: OpenPlace | undefined;
  #model: Model;
  #followers: { who: Who; follower: Follower }[] = [];
  readonly #places: Place[];

  static async begin(engine: Engine): Promise<World> {
    const place = await engine.place();
    const writer = await opened(place, "write");
    return new World(place, writer, new Model(await Array.fromAsync(writer.log.read())));
  }

  private constructor(place: Place, writer: OpenPlace, model: Model) {
    this.#place = place;
    this.#places = [place];
    this.#writer = writer;
    this.#model = model;
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case "append":
        this.#model.take(await Promise.all(this.#burst(step.burst)));
        return expect(await this.#writer.log.head()).toEqual(this.#model.head);
      case "read":
        return this.#read(step.by, step.query);
      case "follow": {
        const { log } = await this.#store(step.by);
        const follower = new Follower(log, Math.max(1, this.#seqAt(step.from)), step.pace);
        this.#followers.push({ who: step.by, follower });
        return;
      }
      case "leave": {
        const [left] = this.#followers.splice(step.which, 1);
        await left?.follower.leave();
        return left && this.#model.expectFollowed(left.follower.from, left.follower.given);
      }
      case "reopen":
        await this.#close("writer");
        this.#writer = await opened(this.#place, "write");
        return this.#model.expectSame(await Array.fromAsync(this.#writer.log.read()));
      case "crash":
        return this.#crash(step.burst);
    }
  }

  #burst(plans: readonly Plan[]): Promise<Tried>[] {
    return plans.map(async (plan) => {
      const draft = draftOf(plan);
      const expectedSeq = plan.expected === undefined ? undefined : this.#model.head.seq + plan.expected;
      const answer = await this.#writer.log.append(draft, expectedSeq === undefined ? {} : { expectedSeq });
      return { plan, draft, expectedSeq, answer };
    });
  }

  async #read(by: Who, { from, to, types, ask, limit }: QueryPlan): Promise<void> {
    const query: Query = {
      ...(from !== undefined && { from: this.#seqAt(from) }),
      ...(to !== undefined && { to: this.#seqAt(to) }),
      ...(types !== undefined && { types }),
      ...(ask !== undefined && { cause: { ask } }),
      ...(limit !== undefined && { limit }),
    };
    const { log } = await this.#store(by);
    expect(await Array.fromAsync(log.read(query))).toEqual(this.#model.answerTo(query));
  }

  /** In the middle of a burst everything dies. What was acknowledged by then is there when it is opened again. */
  async #crash(plans: readonly Plan[]): Promise<void> {
    let durable = this.#model.head.seq;
    const burst = this.#burst(plans);
    for (const tried of burst) {
      tried.then(({ answer }) => {
        if (answer.ok) durable = Math.max(durable, answer.seq);
      });
    }
    await Promise.race(burst);
    const acknowledged = durable;
    const left = await this.#place.crash();
    this.#places.push(left);
    this.#model.take(await Promise.all(burst)); // what the followers of the old one may have seen
    await this.#close("reader");
    await this.#close("writer");
    this.#place = left;
    this.#writer = await opened(left, "write");
    this.#model.expectLeft(await Array.fromAsync(this.#writer.log.read()), acknowledged);
  }

  /** Whoever still follows is given everything, and the log is as it should be. */
  async settle(): Promise<void> {
    const { seq } = this.#model.head;
    await Promise.all(this.#followers.map(({ follower }) => follower.reaches(seq)));
    for (const { follower } of this.#followers) {
      await follower.leave();
      expect(follower.from + follower.given.length).toBeGreaterThan(seq);
      this.#model.expectFollowed(follower.from, follower.given);
    }
    this.#followers = [];
    this.#model.expectSame(await Array.fromAsync(this.#writer.log.read()));
  }

  async end(): Promise<void> {
    await this.#reader?.close();
    await this.#writer.close();
    await Promise.all(this.#places.map((place) => place.remove()));
  }

  async #store(who: Who): Promise<OpenPlace> {
    if (who === "writer") return this.#writer;
    this.#reader ??= await opened(this.#place, "read");
    return this.#reader;
  }

  /** Ends whoever followed there: what they were given is right as far as it goes. */
  async #close(who: Who): Promise<void> {
    await (who === "writer" ? this.#writer : this.#reader)?.close();
    if (who === "reader") this.#reader = undefined;
    for (const { follower } of this.#followers.filter((one) => one.who === who)) {
      await follower.ended;
      this.#model.expectFollowed(follower.from, follower.given);
    }
    this.#followers = this.#followers.filter((one) => one.who !== who);
  }

  /** The seq at this share of the log, in percent; also a little before its beginning and after its end. */
  #seqAt(share: number): number {
    return Math.round((this.#model.head.seq * share) / 100);
  }
}

async function opened(place: Place, mode: "write" | "read"): Promise<OpenPlace> {
  const opening = await place.open({ mode });
  if (!opening.ok) throw new Error(opening.message);
  return opening.store;
}
