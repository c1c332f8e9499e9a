import { keepThreads } from "@choiros/computer/testing/keep-threads";
import { expect, test } from "vitest";
import type { Home } from "../home.ts";
import { choir, tempHome } from "../testing/temp-home.ts";

keepThreads();

/** A file that was each of these texts in turn, from event 2 on. */
async function homeWithVersions(...texts: string[]): Promise<Home> {
  const home = tempHome();
  for (const text of texts) {
    expect((await choir(home, ["write", "a.txt", "--user", "ada"], { input: text })).exit).toBe(0);
  }
  return home;
}

test("UNDO-4: each of the three versions is named with the event it came by, also where the same stood more than once", async () => {
  const home = await homeWithVersions("A", "B", "A", "B", "C");
  for (const words of [
    ["undo", "3"],
    ["undo", "3", "--preview"],
  ]) {
    const { exit, out } = await choir(home, [...words, "--json"]);
    expect(exit).toBe(3);
    const [conflict] = JSON.parse(out).conflicts;
    expect(conflict.known).toMatchObject({ left: { seq: 3 }, now: { seq: 6 }, back: { seq: 2 } });
  }
  const first = await choir(home, ["undo", "2", "--json"]);
  const { known } = JSON.parse(first.out).conflicts[0];
  expect(known).toEqual({ left: expect.objectContaining({ seq: 2 }), now: expect.objectContaining({ seq: 6 }) });
});

test("ACT-12: a choice for a path that isn't in conflict is wrong usage, and the conflicts are listed", async () => {
  const home = await homeWithVersions("one", "two");
  for (const words of [
    ["undo", "2", "--take-theirs=b.txt"],
    ["undo", "2", "--keep-mine=b.txt", "--take-theirs"],
    ["undo", "2", "--take-theirs=a.txt", "--keep-mine=b.txt", "--preview"],
    ["undo", "2", "--keep-mine=name:theme"],
  ]) {
    const { exit, out, aside } = await choir(home, words);
    expect({ words, exit, out }).toEqual({ words, exit: 2, out: expect.stringMatching(/^a\.txt: .*\n {2}left there/) });
    expect(aside).toMatch(/^choir: there is no conflict at (?:b\.txt|name:theme), and so nothing to choose/);
  }
  expect(await choir(home, ["undo", "3", "--keep-mine=a.txt"])).toMatchObject({ exit: 2, out: "" });
  expect((await choir(home, ["cat", "a.txt"])).out).toBe("two");
  expect((await choir(home, ["undo", "2", "--take-theirs=a.txt"])).exit).toBe(0);
});
