import { describe, expect, test } from "vitest";
import type { Head, ProblemKind } from "./log.ts";
import { acknowledged, appendAll, message, messages, range } from "./testing/drafts.ts";
import type { Engine, Place, Tamper } from "./testing/engine.ts";
import { stage } from "./testing/stage.ts";

export function verifySuite(engine: Engine): void {
  describe("verify", () => {
    findings(engine);
    shortness(engine);
    manners(engine);
  });
}

/** A closed log of 9 events, and the head at each of them. */
async function logOfNine(stage_: ReturnType<typeof stage>): Promise<{ home: Place; heads: Head[] }> {
  const home = await stage_.place();
  const { log, close } = await stage_.writer(home);
  await appendAll(log, messages(8));
  const heads = (await Array.fromAsync(log.read())).map(({ seq, hash }) => ({ seq, hash }));
  await close();
  return { home, heads };
}

function findings(engine: Engine): void {
  const scene = stage(engine);

  test("LOG-22: a log that is whole verifies, with the head and the number of its events", async () => {
    const { home, heads } = await logOfNine(scene);
    for (const open of [scene.reader, scene.writer]) {
      const { log } = await open(home);
      expect(await log.verify()).toEqual({ ok: true, events: 9, good: heads[8], problems: [] });
    }
  });

  const cases: [what: string, how: (tamper: Tamper) => void, firstBad: number, kind: ProblemKind][] = [
    ["an altered event", (tamper) => tamper.alter(5), 5, "hash"],
    ["an altered last event", (tamper) => tamper.alter(9), 9, "hash"],
    ["a missing event", (tamper) => tamper.lose(5), 5, "gap"],
    ["several missing events", (tamper) => [4, 5, 6].map(tamper.lose), 4, "gap"],
    ["a doubled event", (tamper) => tamper.double(5), 10, "hash"],
    ["the last event, doubled", (tamper) => tamper.double(9), 10, "hash"],
    ["two neighbours that changed places", (tamper) => tamper.swap(4, 5), 4, "hash"],
    ["two others that changed places", (tamper) => tamper.swap(3, 9), 3, "hash"],
    ["the first of several altered ones", (tamper) => [7, 3, 5].map(tamper.alter), 3, "hash"],
  ];

  test.each(cases)("LOG-22: verify finds %s, and says up to where the log is good", async (_, how, firstBad, kind) => {
    const { home, heads } = await logOfNine(scene);
    how(home.tamper);
    const report = await (await scene.reader(home)).log.verify();
    expect(report).toMatchObject({ ok: false, firstBad, good: heads[firstBad - 2] });
    expect(report.problems[0]).toMatchObject({ seq: firstBad, kind, message: expect.stringContaining(`${firstBad}`) });
  });

  test("LOG-22: of very many problems the first twenty are told", async () => {
    const home = await scene.place();
    const { log } = await scene.writer(home);
    await appendAll(log, messages(60));
    for (const seq of range(30, 60)) home.tamper.alter(seq);
    const report = await log.verify();
    expect(report.problems.map((problem) => problem.seq)).toEqual(range(30, 49));
    expect(report).toMatchObject({ ok: false, firstBad: 30, good: { seq: 29 }, events: 61 });
  });
}

function shortness(engine: Engine): void {
  const scene = stage(engine);

  test("LOG-23: a lost tail is found by an event that is known to have been there", async () => {
    const { home, heads } = await logOfNine(scene);
    home.tamper.loseAfter(6);
    const { log } = await scene.reader(home);
    expect(await log.verify()).toMatchObject({ ok: true, events: 6 });
    for (const expected of [heads[6], heads[8]].filter((head) => head !== undefined)) {
      const report = await log.verify({ expect: expected });
      expect(report).toMatchObject({ ok: false, firstBad: 7, good: heads[5] });
      expect(report.problems).toMatchObject([{ kind: "short", seq: 7 }]);
    }
  });

  test("LOG-23: a log that has the event, at the end or before, is whole", async () => {
    const { home, heads } = await logOfNine(scene);
    const { log } = await scene.reader(home);
    for (const expected of [heads[0], heads[4], heads[8]]) {
      if (expected !== undefined) expect(await log.verify({ expect: expected })).toMatchObject({ ok: true, events: 9 });
    }
  });

  test("LOG-23: a log that was rewritten with right hashes is found by the hash of one event", async () => {
    const { home, heads } = await logOfNine(scene);
    home.tamper.loseAfter(6);
    const { log } = await scene.writer(home);
    await appendAll(log, messages(5));
    expect(await log.verify()).toMatchObject({ ok: true, events: 11 });
    for (const expected of [heads[6], heads[8]].filter((head) => head !== undefined)) {
      const report = await log.verify({ expect: expected });
      expect(report).toMatchObject({ ok: false, firstBad: expected.seq, good: { seq: expected.seq - 1 } });
    }
  });
}

function manners(engine: Engine): void {
  const scene = stage(engine);

  test("LOG-24: appends go on while it verifies, and it tells of one moment of the log", async () => {
    const { log } = await scene.writer();
    await appendAll(log, messages(500));
    let verified = false;
    const verification = log.verify().then((report) => {
      verified = true;
      return report;
    });
    let appended = 501;
    while (!verified) appended = acknowledged(await log.append(message("meanwhile"))).seq;
    const report = await verification;
    expect(report).toMatchObject({ ok: true, good: { seq: report.events } });
    expect(report.events).toBeGreaterThanOrEqual(501);
    expect(report.events).toBeLessThanOrEqual(appended);
    expect(appended).toBeGreaterThan(501);
  });

  test("LOG-24: verify changes nothing of a damaged log: asked again it says the same", async () => {
    const { home } = await logOfNine(scene);
    home.tamper.alter(3);
    home.tamper.lose(7);
    const { log } = await scene.writer(home);
    const report = await log.verify();
    expect(await log.verify()).toEqual(report);
    await expect(Array.fromAsync(log.read())).rejects.toMatchObject({ code: "damaged" });
  });

  test("LOG-24: a verification can be called off, before it and during it", async () => {
    const { log } = await scene.writer();
    await expect(log.verify({ signal: AbortSignal.abort(new Error("not now")) })).rejects.toThrow("not now");
    const stop = new AbortController();
    const verification = log.verify({ signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(verification).rejects.toThrow("enough");
    expect(await log.verify()).toMatchObject({ ok: true });
  });
}
