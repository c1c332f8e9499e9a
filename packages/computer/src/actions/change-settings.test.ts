import type { Json } from "@choiros/contract";
import { expect, test } from "vitest";
import { computerStage, done } from "../testing/computer-stage.ts";
import { expectRefused } from "../testing/expect-refused.ts";

const stage = computerStage();

test("ACT-18: settings are changed in one event, which has what stood before, and only what becomes another value", async () => {
  const { computer, events } = await stage();
  done(
    await computer.changeSettings(
      new Map<string, string | null>([
        ["a", "1"],
        ["b", "2"],
        ["none", null],
      ]),
    ),
  );
  const { seq } = done(
    await computer.changeSettings(
      new Map<string, string | null>([
        ["a", "1"],
        ["b", null],
      ]),
    ),
  );
  expect((await events()).at(-1)).toMatchObject({
    seq,
    type: "settings.change",
    payload: { changes: [{ key: "b", before: "2", after: null }] },
  });
  expect([...(await computer.settings())]).toEqual([["a", "1"]]);
  expect([...(await computer.settings(seq - 1))]).toEqual([
    ["a", "1"],
    ["b", "2"],
  ]);
});

test("ACT-18: what is so already, and what is no setting, changes nothing", async () => {
  const desk = await stage();
  const change = (name: string, value: Json) => desk.computer.changeSettings(new Map([[name, value]]));
  done(await change("a", { b: 1, c: 2 }));
  await expectRefused(desk, () => change("a", { c: 2, b: 1 }), { reason: "nothing" });
  await expectRefused(desk, () => change("window.1", 1), { reason: "invalid" });
});
