import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

/** What is over once it is told so. */
function held(heard: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = async () => {
    heard.push(`${name} begins`);
    await promise;
    heard.push(name);
  };
  return { work, resolve };
}

test("DESK-44: what takes back waits for all that was begun before it, also for what failed; what begins after it waits for that", async () => {
  const turns = new Turns();
  const heard: string[] = [];
  const first = Promise.withResolvers<void>();
  const begun = turns.begin(() => first.promise).catch(() => heard.push("refused"));
  const undo = turns.takeBack(async () => {
    heard.push("undo");
    throw new Error("there is nothing");
  });
  const failed = undo.catch(() => heard.push("undo failed"));
  const redo = turns.takeBack(async () => heard.push("redo"));
  const after = turns.begin(async () => heard.push("after"));
  const last = turns.takeBack(async () => heard.push("last"));
  await Promise.resolve();
  expect(heard).toEqual([]);
  expect(turns.busy.get()).toBe(true);
  first.reject(new Error("no"));
  await Promise.all([begun, failed, redo, after, last]);
  expect(heard).toEqual(["refused", "undo", "undo failed", "redo", "after", "last"]);
  expect(turns.busy.get()).toBe(false);
});

test("DESK-44: what only begins waits for nobody, also where something else is done in turn", async () => {
  const turns = new Turns();
  const heard: string[] = [];
  const [long, copy] = [held(heard, "long"), held(heard, "copy")];
  const all = [turns.begin(long.work), turns.inTurn(copy.work)];
  await turns.begin(async () => heard.push("beside"));
  expect(heard).toEqual(["long begins", "beside"]);
  long.resolve();
  copy.resolve();
  await Promise.all(all);
  expect(heard).toEqual(["long begins", "beside", "long", "copy begins", "copy"]);
});

test("DESK-44: what runs already isn't waited for by what is said from then on, but by what was said before", async () => {
  const turns = new Turns();
  const heard: string[] = [];
  const run = held(heard, "run");
  const runs = Promise.withResolvers<void>();
  const running = turns.begin(run.work, runs.promise);
  const early = turns.takeBack(async () => heard.push("early"));
  runs.resolve();
  await runs.promise;
  const other = new Turns();
  const beside = other.begin(run.work, runs.promise);
  await Promise.resolve();
  await other.takeBack(async () => heard.push("late"));
  expect(heard).toEqual(["run begins", "run begins", "late"]);
  run.resolve();
  await Promise.all([running, beside, early]);
  expect(heard.at(-1)).toBe("early");
});
