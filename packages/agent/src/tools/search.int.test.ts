import { expect, test } from "vitest";
import { toolStage } from "./testing/tool-stage.ts";

const stage = toolStage();

test("TOOL-6: lines are found by a text, whatever its case, and by a regular expression", async () => {
  const desk = await stage();
  await desk.write("src/a.ts", "const Alpha = 1;\nconst beta = alpha;\n");
  await desk.write("b.md", "nothing (here)\r\n");
  await desk.write("bin", new Uint8Array([0x61, 0x6c, 0x70, 0x68, 0x61, 0]));
  const search = async (input: object) => (await desk.use("search_files", input)).text;
  expect(await search({ text: "ALPHA" })).toBe("src/a.ts:1: const Alpha = 1;\nsrc/a.ts:2: const beta = alpha;");
  expect(await search({ text: "(here)", path: "." })).toBe("b.md:1: nothing (here)");
  expect(await search({ regex: "^const \\w+ = \\d" })).toBe("src/a.ts:1: const Alpha = 1;");
  expect(await search({ regex: "ALPHA", ignore_case: true, path: "src/a.ts" })).toContain("src/a.ts:2:");
  expect(await search({ text: "gamma" })).toBe("nothing was found in 3 files");
  expect(await search({ regex: "(" })).toContain("the regular expression is wrong");
  expect(await search({ text: "a", regex: "a" })).toBe("give either a text or a regex");
});

test("TOOL-6: an expression that takes forever is ended, and holds up nobody", async () => {
  const desk = await stage();
  await desk.write("a.txt", `${"a".repeat(60)}!\n`);
  const stop = new AbortController();
  const searching = desk.use("search_files", { regex: "^(a+)+$" }, { signal: stop.signal });
  await desk.write("meanwhile.md", "x"); // the loop goes on
  const began = performance.now();
  stop.abort();
  expect(await searching).toMatchObject({ status: "stopped" });
  expect(performance.now() - began).toBeLessThan(1000);
});

test("TOOL-6: many hits are cut off, large files are left out, and both are said", async () => {
  const desk = await stage();
  await desk.write("many", "hit\n".repeat(300));
  await desk.write("large", "hit".repeat(500_000));
  const { text } = await desk.use("search_files", { text: "hit" });
  expect(text.split("\n").filter((line) => line.startsWith("many:"))).toHaveLength(100);
  expect(text).toContain("… there are more");
  expect(text).toContain("1 files were too large to be looked into");
});
