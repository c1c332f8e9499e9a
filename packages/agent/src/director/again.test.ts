import { expect, test } from "vitest";
import { Again } from "./again.ts";

const NO = { failed: true, text: "Call answer by itself.", unfit: true } as const;
const YES = { failed: false, text: "Done." };

test("AGENT-5: what can't be done is counted only one after the other, and the last reason ends with one full stop", async () => {
  const again = new Again("m");
  for (const outcome of [NO, NO, NO, NO, NO, YES, NO, NO, NO, NO, NO])
    expect(await again.within(Promise.resolve(outcome))).toBe(outcome);
  expect(await again.within(Promise.resolve(NO))).toMatchObject({
    end: { detail: expect.stringMatching(/6 times; the last time: Call answer by itself\. Resume/) },
  });
});
