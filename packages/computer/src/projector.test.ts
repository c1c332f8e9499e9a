import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { computerStage } from "./testing/computer-stage.ts";
import { fileText } from "./testing/trees.ts";

const stage = computerStage();
const WAIT = { timeout: 10_000, interval: 20 };

/** Another connection that writes: nobody else can meanwhile. */
function hold(root: string): DatabaseSync {
  const db = new DatabaseSync(join(root, ".choir/state.sqlite"));
  db.exec("BEGIN IMMEDIATE");
  return db;
}

test("COMP-6: while the state can't be written an action is in the log, says so, and lands by itself afterwards", async () => {
  const desk = await stage();
  await desk.write("a", "1");
  const held = hold(desk.root);
  const written = await desk.write("a", "2");
  expect(written).toMatchObject({ ok: true, seq: 3 });
  expect(written.blocked).toMatchObject([{ key: "workspace/a", why: expect.stringContaining("can't follow the log") }]);
  expect(await desk.head()).toBe(3);
  expect(desk.disk()).toEqual({ "workspace/a": fileText("1") });
  held.exec("ROLLBACK");
  held.close();
  await vi.waitFor(() => expect(desk.computer.blocked()).toEqual([]), WAIT);
  expect(desk.disk()).toEqual({ "workspace/a": fileText("2") });
  expect(await desk.computer.verify()).toMatchObject({ ok: true });
});

test("COMP-6: closed meanwhile, the next opening has it all", async () => {
  const desk = await stage();
  const held = hold(desk.root);
  await desk.write("a", "1");
  await desk.close();
  held.close();
  const again = await desk.reopen();
  expect(again.disk()).toEqual({ "workspace/a": fileText("1") });
  expect(await again.tree()).toEqual(again.disk());
});

test("COMP-6: what others append to the log is in the state as soon as anybody asks", async () => {
  const desk = await stage();
  const payload = { changes: [{ key: "theme", before: null, after: "dark" }] };
  await Promise.all(
    Array.from({ length: 20 }, () => desk.computer.log.append({ source: "user", type: "settings.change", payload })),
  );
  const changes = (await Array.fromAsync(desk.computer.diff(1))).flat();
  expect(changes).toEqual([{ name: "theme", before: null, after: "dark" }]);
});
