import { type ContentRef, type Id, type Payload, recognise } from "@choiros/contract";
import { bounded } from "./bounded.ts";
import { changedBy } from "./changed-by.ts";
import { commandText } from "./command-text.ts";
import type { ToolOutcome, Work } from "./dispatch-port.ts";
import { HeldOutput } from "./held-output.ts";
import { TOOLS } from "./tools.ts";

/** What a call of this ask came to, from the log: for whoever goes on after an interruption. `undefined` where it hasn't ended. */
export async function recall(call: Id, work: Work): Promise<ToolOutcome | undefined> {
  const { ask } = work.cause;
  const { log } = work.computer;
  let tool = "";
  for await (const event of log.read({ cause: { ...(ask && { ask }), call }, types: ["tool.call", "tool.result"] })) {
    const known = recognise(event);
    if (!known.ok) continue; // a newer version's: nothing that this one could go on with
    if (known.value.type === "tool.call") tool = known.value.payload.tool;
    if (known.value.type === "tool.result") return outcomeOf(tool, call, known.value.payload, work);
  }
  return undefined;
}

async function outcomeOf(tool: string, call: Id, result: Payload<"tool.result">, work: Work): Promise<ToolOutcome> {
  const { exit, output, reason } = result;
  const status = result.status === "interrupted" ? "stopped" : result.status;
  const kept = { status, ...(exit !== undefined && { exit }), ...(output !== undefined && { output }) };
  if (tool !== "exec") {
    const mostBytes = TOOLS.find(({ name }) => name === tool)?.mostBytes;
    const said = output === undefined ? "" : await textOf(output, work);
    return { ...kept, text: said === "" ? `${result.status}: ${reason ?? ""}` : bounded(said, call, mostBytes) };
  }
  const held = await heldOutput(output, work);
  const did = await changedBy(work.computer, call);
  return { ...kept, ...did, text: commandText({ ...kept, ...did, reason, said: held.text(call) }) };
}

/** A command may have said more than is to be had in memory at once. */
async function heldOutput(output: ContentRef | undefined, { computer }: Work): Promise<HeldOutput> {
  const held = new HeldOutput();
  const bytes = output && (await computer.contents.get(output.hash));
  if (bytes !== undefined) for await (const part of bytes) held.take(part);
  return held;
}

async function textOf({ hash }: ContentRef, { computer }: Work): Promise<string> {
  const bytes = await computer.contents.get(hash);
  return bytes === undefined ? "" : Buffer.concat(await Array.fromAsync(bytes)).toString("utf8");
}
