import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

test("DESK-44: what takes back waits for all that was begun before it, also for what failed; what only begins waits for nobody", async () => {
  const turns = new Turns();
  const heard: string[] = [];
  const first = Promise.withResolvers<void>();
  const begun = turns.begin(() => first.promise).catch(() => heard.push("refused"));
  const undo = turns.inTurn(async () => {
    heard.push("undo");
    await turns.begin(async () => heard.push("within it"));
  });
  const redo = turns.inTurn(async () => heard.push("redo"));
  await turns.begin(async () => heard.push("beside"));
  expect(heard).toEqual(["beside"]);
  first.reject(new Error("no"));
  await Promise.all([begun, undo, redo]);
  expect(heard).toEqual(["beside", "refused", "undo", "within it", "redo"]);
});
