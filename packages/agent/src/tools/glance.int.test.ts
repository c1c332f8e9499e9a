import type { Computer } from "@choiros/computer";
import { expect, test } from "vitest";
import { openDispatch } from "./dispatch.ts";
import { toolStage } from "./testing/tool-stage.ts";

const stage = toolStage();

test("AGENT-18: of a large file no more is read than is shown", async () => {
  const desk = await stage();
  await desk.write("AGENTS.md", "é".repeat(4_000_000));
  let read = 0;
  const computer: Pick<Computer, "read"> = {
    async read(...asked) {
      const found = await desk.computer.read(...asked);
      if (found === undefined) return found;
      async function* counted() {
        for await (const chunk of found?.bytes() ?? []) {
          read += chunk.length;
          yield chunk;
        }
      }
      return { ...found, bytes: counted };
    },
  };
  const work = { ...desk.work, computer: computer as Computer }; // nothing else of it is used
  const glance = await openDispatch({ policy: desk.policy }).glance("workspace/AGENTS.md", work, 1000);
  expect(glance).toEqual({ text: "é".repeat(1000), isWhole: false });
  expect(read).toBeLessThan(2_000_000);
});
