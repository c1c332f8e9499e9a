import { localSignals } from "@choiros/log";
import { expect, test } from "vitest";
import { OutputSignals } from "./output-signals.ts";

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join("");

/** What is signalled of what comes at once, piece by piece. */
function told(...pieces: string[]): string[] {
  const said: string[] = [];
  const signals = localSignals((error) => expect.fail(String(error)));
  signals.listen(({ payload }) => said.push(String(payload.text)));
  const output = new OutputSignals(signals, { call: "c" });
  for (const piece of pieces) {
    if (piece === SENT) output.end();
    else output.take("stdout", Buffer.from(piece));
  }
  output.end();
  return said;
}

const SENT = "";

test("TOOL-9: of what comes too fast the last lines are told, whole, and how many before them aren't", () => {
  const [text = "", ...more] = told(lines(1, 10_000), lines(10_001, 20_000));
  expect(more).toEqual([]);
  const [mark = "", first = "", ...rest] = text.split("\n");
  const left = Number(/^… (\d+) lines left out here: the log has all of it …$/.exec(mark)?.[1]);
  expect(left).toBeGreaterThan(19_000);
  expect(first).toBe(`line ${left + 1}`);
  expect(rest.slice(-2)).toEqual(["line 20000", ""]);
  expect(text.length).toBeLessThanOrEqual(4096);
});

test("TOOL-9: what fits is told as it is; what is left out begins a line, also where what was told ended within one", () => {
  expect(told(lines(1, 100), lines(101, 200))).toEqual([lines(1, 200)]);
  const [, text = ""] = told("begun", SENT, lines(1, 10_000));
  expect(text).toMatch(/^\n… \d+ lines left out here/);
});

test("TOOL-9: of a line that is too long the end is told, and how much isn't", () => {
  const [text = ""] = told("x".repeat(10_000));
  expect(text).toBe(`… 6000 characters left out here: the log has all of it …\n${"x".repeat(4000)}`);
});
