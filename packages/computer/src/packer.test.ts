import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { computerStage, type Desk, done } from "./testing/computer-stage.ts";
import { closedPacked, packed } from "./testing/packed.ts";

const stage = computerStage();

/** A text of some length in which each version differs a little from the last. */
const version = (i: number) =>
  Array.from({ length: 400 }, (_, line) => `line ${line} ${line === i ? "changed" : "as ever"} ${line * 7919}\n`).join(
    "",
  );

function stored({ root }: Desk): number {
  const db = new DatabaseSync(join(root, ".choir/contents.sqlite"), { readOnly: true });
  const sum = db.prepare("SELECT sum(length(bytes)) AS n FROM piece").get()?.n;
  db.close();
  return Number(sum);
}

test("COMP-13: at close history is made smaller, and everything in it can still be read", async () => {
  const desk = await stage();
  for (let i = 0; i < 20; i++) await desk.write("notes.txt", version(i));
  await closedPacked(desk);
  expect(packed(desk)).toBe(21);
  expect(stored(desk)).toBeLessThan(version(0).length * 4);
  const again = await desk.reopen();
  for (let i = 0; i < 20; i++) expect(await again.text("notes.txt", i + 2)).toBe(version(i));
  expect(await again.computer.verify()).toMatchObject({ ok: true });
  done(await again.computer.undo({ since: 2 }));
  expect(await again.text("notes.txt")).toBe(version(0));
});

test("COMP-13: what a stop left undone is done the next time", async () => {
  const desk = await stage();
  for (let i = 0; i < 5; i++) await desk.write("a", version(i));
  const again = await desk.reopen({
    meanwhile: () => {
      const db = new DatabaseSync(join(desk.root, ".choir/seen.sqlite"));
      db.exec("UPDATE meta SET value = '3' WHERE name = 'packed'");
      db.close();
    },
  });
  await closedPacked(again);
  expect(packed(again)).toBe(6);
});
