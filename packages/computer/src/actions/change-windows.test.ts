import type { WindowValue } from "@choiros/contract";
import { expect, test } from "vitest";
import { computerStage, type Desk, done } from "../testing/computer-stage.ts";
import { expectRefused } from "../testing/expect-refused.ts";

const stage = computerStage();

function windowAt(x: number, more: Partial<WindowValue> = {}): WindowValue {
  return { app: "editor", args: {}, box: { x, y: 0, w: 640, h: 480 }, state: "normal", title: "", z: 1, ...more };
}

async function windowsOf({ computer }: Desk) {
  const { pages, seq } = await computer.rows("window");
  const rows = (await Array.fromAsync(pages)).flat();
  return { seq, windows: Object.fromEntries(rows.map(({ key, value }) => [key, value])) };
}

test("ACT-22: a gesture is one event, with the windows that become another", async () => {
  const desk = await stage();
  const { computer } = desk;
  const two = new Map([
    ["window.a", windowAt(1)],
    ["window.b", windowAt(2)],
  ]);
  done(await computer.changeWindows("open", two));
  const moved = new Map([
    ["window.a", windowAt(1)],
    ["window.b", windowAt(3)],
  ]);
  const { seq } = done(await computer.changeWindows("change", moved));
  expect((await desk.events()).at(-1)).toMatchObject({
    seq,
    type: "window.change",
    payload: { changes: [{ key: "window.b", before: windowAt(2), after: windowAt(3) }] },
  });
  done(await computer.changeWindows("close", new Map([["window.a", null]])));
  expect(await windowsOf(desk)).toEqual({ seq: seq + 1, windows: { "window.b": windowAt(3) } });
});

test("ACT-22: who moves a window that was closed meanwhile doesn't open it again", async () => {
  const desk = await stage();
  const change = (as: "open" | "close" | "change" | "focus", value: WindowValue | null) =>
    desk.computer.changeWindows(as, new Map([["window.a", value]]));
  await expectRefused(desk, () => change("change", windowAt(1)), { reason: "missing" });
  await expectRefused(desk, () => change("focus", windowAt(1)), { reason: "missing" });
  await expectRefused(desk, () => change("close", null), { reason: "nothing" });
  done(await change("open", windowAt(1)));
  await expectRefused(desk, () => change("open", windowAt(1)), { reason: "nothing" });
  await expectRefused(desk, () => change("change", null), { reason: "invalid" });
});

test("ACT-22: what was closed by mistake is there again after an undo, and one id is one gesture", async () => {
  const desk = await stage();
  const { computer } = desk;
  done(await computer.changeWindows("open", new Map([["window.a", windowAt(1)]]), { id: "gesture-1" }));
  const again = done(await computer.changeWindows("open", new Map([["window.a", windowAt(1)]]), { id: "gesture-1" }));
  expect(again.notes).toEqual(["this had been done before, and was not done again"]);
  const { seq } = done(await computer.changeWindows("close", new Map([["window.a", null]])));
  done(await computer.undo({ seq }));
  expect((await windowsOf(desk)).windows).toEqual({ "window.a": windowAt(1) });
});

test("COMP-21: rows come with the last event that was counted in, and those of one key with its beginning", async () => {
  const desk = await stage();
  done(
    await desk.computer.changeWindows(
      "open",
      new Map([
        ["window.a", windowAt(1)],
        ["window.b", windowAt(2)],
      ]),
    ),
  );
  const { seq } = await desk.write("x", "1");
  const rows = await desk.computer.rows("window", { under: "window.b" });
  expect(rows.seq).toBe(seq);
  expect((await Array.fromAsync(rows.pages)).flat()).toEqual([{ key: "window.b", seq: seq - 1, value: windowAt(2) }]);
});
