import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { computerStage } from "../testing/computer-stage.ts";
import { recordOutput } from "./record-output.ts";

const stage = computerStage();

async function* said(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

test("CMD-2: whoever could have stopped a command holds nothing of what it said once it has ended", async () => {
  const { computer } = await stage();
  const { signal } = new AbortController();
  const heard: string[] = [];
  const onOutput = async ({ bytes }: { bytes: Uint8Array }) => void heard.push(Buffer.from(bytes).toString());
  await recordOutput(computer.contents, { stdout: said("a", "b"), stderr: said() }, onOutput, signal);
  expect(heard).toEqual(["a", "b"]);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
