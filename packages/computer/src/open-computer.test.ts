import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { computerStage } from "./testing/computer-stage.ts";

const stage = computerStage();

test("COMP-3: an undo of what others did that was cut off before it landed lands with the next opening", async () => {
  const desk = await stage();
  const { seq } = await desk.write("notes.md", "ours\n");
  desk.outside("notes.md", "theirs\n");
  await desk.computer.capture();
  await desk.cutOff({ "notes.md": "ours\n" });
  const again = await desk.reopen({
    meanwhile() {
      // Both events were one turn: the folder was last known to be alike before them.
      const seen = new DatabaseSync(join(desk.root, ".choir", "seen.sqlite"));
      seen.prepare("UPDATE meta SET value = ? WHERE name = 'synced'").run(String(seq));
      seen.exec("UPDATE seen SET sure = 1"); // long ago: no look would find out by itself
      seen.close();
    },
  });
  expect(await again.text("notes.md")).toBe("ours\n");
  expect(again.disk()).toEqual(await again.tree());
});

test("COMP-3: what a verification or a rebuild leaves that was cut off is gone after the next opening", async () => {
  const desk = await stage();
  const left = join(desk.root, ".choir", "replay-abc123");
  await desk.reopen({ meanwhile: () => mkdirSync(left) });
  expect(existsSync(left)).toBe(false);
});
