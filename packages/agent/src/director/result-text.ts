import { type AssociateResult, type Id, pathKey } from "@choiros/contract";
import { setOff } from "../lease/quoted.ts";
import { shownWord } from "../lease/written-path.ts";
import type { Chapter } from "../loop/chapter.ts";
import { cutToFit } from "../loop/cut-to-fit.ts";

const MAX_OUTPUT = 3000;

/** A task's result as the Director reads it. What a check said is told where it failed. */
export async function resultText(chapter: Chapter, task: Id, result: AssociateResult): Promise<string> {
  const {
    commands_run,
    files_changed,
    files_count = files_changed.length,
    questions,
    status,
    summary,
    verify,
  } = result;
  const more = files_count > files_changed.length ? ` and ${files_count - files_changed.length} more` : "";
  const lines = [
    `Task ${task}: ${status}`,
    `Its summary: ${setOff(cutToFit(await chapter.get(summary)))}`,
    `Files changed: ${files_changed.map((path) => shownWord(pathKey(path))).join(", ") || "none"}${more}`,
    ...commands_run.slice(-20).map((run) => `Ran (${endOf(run)}): ${setOff(run.command.slice(0, 200))}`),
    ...verify.map(
      ({ command, exit }) => `Check (${exit === 0 ? "passed" : `failed, exit ${exit}`}): ${setOff(command)}`,
    ),
    ...questions.map((question) => `It asks: ${setOff(question)}`),
  ];
  for await (const event of chapter.read({ types: ["receipt.check"], cause: { task } })) {
    if (event.type !== "receipt.check" || event.payload.exit === 0) continue;
    const { command, output, reason } = event.payload;
    if (reason !== undefined) lines.push(`Why the check failed (${setOff(command)}): ${setOff(reason)}`);
    if (output === undefined) continue;
    const said = cutToFit(await chapter.get(output), MAX_OUTPUT);
    lines.push(`What the check said (${setOff(command)}):\n  ${setOff(said)}`);
  }
  return lines.join("\n");
}

function endOf({ denied, exit }: AssociateResult["commands_run"][number]): string {
  return denied === true ? "it wasn't allowed: nothing that it did was kept" : `exit ${exit}`;
}
