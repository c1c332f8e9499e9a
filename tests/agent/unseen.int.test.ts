import { afterEach, expect, test } from "vitest";
import type { Turn } from "../model/script.ts";
import { answer, finish, plan, write } from "./scripts.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.close());

const read = (path: string) => ({ tool: "read_file", input: { path } });

/** A task that calls these, answer for answer. */
async function does(...turns: Turn[]): Promise<void> {
  stage.scripted.play([[plan({})], ...turns, [finish()], [answer("Done.")]]);
  await stage.over(await stage.say("Go"));
}

test("TOOL-7: what one answer reads and writes at once isn't written, and is with the next", async () => {
  stage = await openStage();
  await stage.computer.write("workspace/a.md", Buffer.from("mine\n"));
  await does([read("a.md"), write("a.md", "blind")]);
  expect(await stage.text("a.md")).toBe("mine\n");
  await does([write("a.md", "blind"), write("a.md", "blind")]);
  expect(await stage.text("a.md")).toBe("mine\n");
  await does([read("a.md")], [write("a.md", "ours\n")]);
  expect(await stage.text("a.md")).toBe("ours\n");
});

test("TOOL-7: of files that were too much for one answer the ones that were cut aren't read", async () => {
  stage = await openStage();
  const text = `${"x".repeat(99)}\n`.repeat(600); // 60 KB, of which four are more than one answer may bring
  const names = ["a", "b", "c", "d"];
  for (const name of names) await stage.computer.write(`workspace/${name}`, Buffer.from(text));
  await does(names.map(read), [write("a", "blind")]);
  expect(await stage.text("a")).toBe(text);
});
