import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addToHistory, historyLine } from "../bench/history.ts";
import { format, inTurns, type Measure, median, p99, type Round, summarise, take, verdict } from "../bench/measure.ts";
import { table } from "../bench/table.ts";

const rate: Measure = {
  id: "P1",
  title: "append",
  unit: "events/s",
  peer: "the disk alone",
  better: "higher",
  floor: 0.5,
  aim: 0.8,
  run: async () => ({ ours: 60, peer: 100 }),
};
const delay: Measure = { ...rate, id: "Pause", unit: "ms", better: "lower", judged: "ours", floor: 50, aim: 10 };

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "choir-bench-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("statistics", () => {
  test("a median is the middle one of an odd number, and half way between the two in the middle of an even one", () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([7])).toBe(7);
  });

  test("of a hundred and one, p99 is the one that only one exceeds", () => {
    const values = Array.from({ length: 101 }, (_, i) => 100 - i);
    expect(p99(values)).toBe(99);
  });

  test("one slow moment in a thousand doesn't touch p99, and twenty make it", () => {
    const quick = (count: number) => Array.from({ length: count }, () => 1);
    expect(p99([...quick(999), 500])).toBe(1);
    expect(p99([...quick(980), ...quick(20).map(() => 500)])).toBe(500);
  });

  test("of nothing there is no median, and the values that were given stay in their order", () => {
    expect(median([])).toBeNaN();
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });

  test("figures are shown with three digits that count", () => {
    expect([0.5, 1.234, 12.34, 123.4, 12_345.6, Number.NaN].map(format)).toEqual([
      "0.50",
      "1.23",
      "12.3",
      "123",
      "12,346",
      "?",
    ]);
  });
});

describe("verdict", () => {
  test.each([
    [0.8, "aim met"],
    [0.79, "floor met"],
    [0.5, "floor met"],
    [0.49, "not met"],
    [Number.NaN, "not met"],
  ] as const)("where more is better, %d with a floor of 0.5 and an aim of 0.8 is: %s", (value, expected) => {
    expect(verdict(rate, value)).toBe(expected);
  });

  test.each([
    [10, "aim met"],
    [10.1, "floor met"],
    [50, "floor met"],
    [50.1, "not met"],
    [Number.NaN, "not met"],
  ] as const)("where less is better, %d with a floor of 50 and an aim of 10 is: %s", (value, expected) => {
    expect(verdict(delay, value)).toBe(expected);
  });
});

describe("a result", () => {
  test("its ratio is the median of the rounds' ratios, not the ratio of medians: each round had its own machine", () => {
    const result = summarise(rate, [
      { ours: 60, peer: 100 },
      { ours: 9, peer: 10 }, // all was slow in this round
      { ours: 700, peer: 1000 },
    ]);
    expect(result).toMatchObject({
      ours: 60,
      peer: 100,
      ratio: 0.7,
      range: [0.6, 0.9],
      rounds: 3,
      verdict: "floor met",
    });
  });

  test("it is judged by the figure itself where floor and aim have a unit", () => {
    const result = summarise(delay, [
      { ours: 8, peer: 1 },
      { ours: 70, peer: 1 },
      { ours: 9, peer: 1 },
    ]);
    expect(result).toMatchObject({ ours: 9, ratio: 9, range: [8, 70], verdict: "aim met" });
  });

  test("it has p99 and what else the rounds told, each as a median", () => {
    const round = (ours: number): Round => ({
      ours,
      peer: 1,
      p99: { ours, peer: 2 },
      also: { close: { ours, peer: 3 } },
    });
    const result = summarise(rate, [round(5), round(7), round(6)]);
    expect(result.p99).toEqual({ ours: 6, peer: 2 });
    expect(result.also).toEqual({ close: { ours: 6, peer: 3 } });
    expect(summarise(rate, [{ ours: 1, peer: 1 }]).p99).toBeUndefined();
  });
});

describe("a run", () => {
  test("the ground is prepared once, a first round is for nothing, and every round has its own folder", async () => {
    const seen: string[] = [];
    const said: string[] = [];
    const measure: Measure = {
      ...rate,
      prepare: async ({ ground }) => void seen.push(`prepare ${ground}`),
      run: async (round, place) => {
        seen.push(`${round} ${place.folder}`);
        return round === 0 ? { ours: 1, peer: 1000 } : { ours: round, peer: 10 };
      },
    };
    const say = (what: string) => void said.push(what);
    const place = async (round: number) => ({ folder: `folder-${round}`, ground: "ground", quick: true, say });
    const result = await take(measure, 3, place);
    expect(seen).toEqual(["prepare ground", "0 folder-0", "1 folder-1", "2 folder-2", "3 folder-3"]);
    expect(said[3]).toBe("round 3 of 3: 3.00 against 10.0 events/s");
    expect(result).toMatchObject({ ours: 2, ratio: 0.2, rounds: 3, verdict: "not met" });
  });

  test("ours and the peer take turns, and who begins changes with the turn and with the round", async () => {
    const order = async (round: number) => {
      const calls: string[] = [];
      const note = (who: string) => async (turn: number) => {
        calls.push(who + turn);
        return [turn];
      };
      const both = await inTurns(round, 2, note("ours"), note("peer"));
      expect(both).toEqual({ ours: [0, 1], peer: [0, 1] });
      return calls.join(" ");
    };
    expect(await order(0)).toBe("ours0 peer0 peer1 ours1");
    expect(await order(1)).toBe("peer0 ours0 ours1 peer1");
  });
});

describe("history", () => {
  const origin = { date: new Date("2031-02-03T04:05:06Z"), commit: "abc1234", node: "v24.0.0" };
  const good = summarise(rate, [{ ours: 61.4, peer: 100, p99: { ours: 3, peer: 2 } }]);
  const bad = summarise(delay, [{ ours: 51, peer: 1 }]);

  test("a run is one line: when, on which commit and Node, how busy others were, the ratios, and which floor was not met", () => {
    expect(historyLine(origin, 0.26, [good, bad])).toBe(
      "| 2031-02-03 04:05 | abc1234 | v24.0.0 | 0.3 | P1 0.61 (1.50), Pause 51.0 ms ! |",
    );
  });

  test("the file begins with what its columns mean, and each run adds a line at the end", () => {
    const path = join(folder, "results.md");
    addToHistory(path, historyLine(origin, 0, [good]));
    const first = readFileSync(path, "utf8");
    addToHistory(path, historyLine(origin, 0, [bad]));
    const second = readFileSync(path, "utf8");
    expect(first).toMatch(
      /^# What was measured\n.*\*\*commit\*\*.*\| date \| commit \| node \| others \| ratios \|\n/s,
    );
    expect(second).toBe(`${first}| 2031-02-03 04:05 | abc1234 | v24.0.0 | 0.0 | Pause 51.0 ms ! |\n`);
  });
});

describe("the table", () => {
  test("a row has figure, peer, ratio, range, p99, floor, aim and verdict", () => {
    const result = summarise(rate, [{ ours: 6140, peer: 10_000, p99: { ours: 3, peer: 2 } }]);
    const row = table([result], 0).split("\n")[1]?.split(/ {2,}/);
    expect(row).toEqual([
      "P1",
      "append",
      "6,140 events/s",
      "10,000 events/s",
      "0.61",
      "0.61–0.61",
      "3.00 / 2.00",
      "≥ 0.5",
      "≥ 0.8",
      "floor met",
    ]);
  });

  test("floor and aim have a unit where the figure itself is judged", () => {
    const [, row] = table([summarise(delay, [{ ours: 51, peer: 1 }])], 0).split("\n");
    expect(row).toContain("≤ 50 ms  ≤ 10 ms  not met");
  });
});

describe("the command", () => {
  const bench = (...options: string[]) => {
    const main = join(import.meta.dirname, "../bench/main.ts");
    return spawnSync(process.execPath, [main, ...options], {
      encoding: "utf8",
      env: { ...process.env, TMPDIR: folder },
    });
  };

  test("help shows how it is used, by example", () => {
    const { status, stdout } = bench("--help");
    expect(status).toBe(0);
    expect(stdout).toContain("npm run bench -- --only P1,P2");
  });

  test("a measure that doesn't exist is wrong usage, and those that do are named", () => {
    const { status, stdout, stderr } = bench("--only", "P1,P99");
    expect(status).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^there is no measure 'P99': P1, P2, P3/);
  });

  test("a quick run measures, fails where a floor isn't met, writes no history and leaves nothing behind", () => {
    const path = join(import.meta.dirname, "../bench/results.md");
    const history = () => (existsSync(path) ? readFileSync(path, "utf8") : "");
    const before = history();
    const { status, stdout, stderr } = bench("--quick", "--only", "p1", "--json");
    const { results } = JSON.parse(stdout);
    expect(results).toMatchObject([
      { id: "P1", rounds: 2, ratio: expect.any(Number), p99: { ours: expect.any(Number) } },
    ]);
    expect(status).toBe(results[0].verdict === "not met" ? 1 : 0);
    expect(stderr).toContain("P1: round 2 of 2");
    expect(history()).toBe(before);
    expect(readdirSync(folder)).toEqual([]);
  });
});
