import type { ContentRef, Draft } from "@choiros/contract";
import { LogError } from "@choiros/log";
import type { ToolUse } from "../models/model.ts";
import type { Context, Told } from "./tool.ts";
import { TOOLS } from "./tools.ts";

type Calling = Pick<Context, "work" | "cause">;

/** Durable before anything happens. */
export async function recordCall(use: ToolUse, calling: Calling): Promise<void> {
  const said = use.input === undefined ? (use.raw ?? "") : JSON.stringify(use.input);
  const input = await calling.work.computer.contents.put(Buffer.from(said));
  await append({ type: "tool.call", payload: { input, tool: recordedName(use.tool) } }, calling);
}

/** What isn't a tool stands in quotes: whatever a model calls it, nobody takes it for a tool, nor for the computer's own `exec`. */
function recordedName(tool: string): string {
  return TOOLS.some(({ name }) => name === tool) ? tool : `'${tool.slice(0, MOST_QUOTED).toWellFormed()}'`;
}

/** What an event has room for, without the quotes. */
const MOST_QUOTED = 62;

/** The whole of what the tool said is a content. */
export async function recordResult({ status, text, exit }: Told, calling: Calling): Promise<ContentRef> {
  const output = await calling.work.computer.contents.put(Buffer.from(text));
  const reason = status === "ok" ? {} : { reason: text.slice(0, 1000).toWellFormed() };
  const payload = { status, output, ...reason, ...(exit !== undefined && { exit }) };
  await append({ type: "tool.result", payload }, calling);
  return output;
}

export async function wasCalled({ work, cause }: Calling): Promise<boolean> {
  const { call } = cause;
  for await (const _ of work.computer.log.read({ cause: { call }, types: ["tool.call"], limit: 1 })) return true;
  return false;
}

async function append(
  draft:
    | Pick<Extract<Draft, { type: "tool.call" }>, "type" | "payload">
    | Pick<Extract<Draft, { type: "tool.result" }>, "type" | "payload">,
  { work, cause }: Calling,
): Promise<void> {
  // Each type has its own payload in the parameter above.
  const appended = await work.computer.log.append({ ...draft, source: "agent", cause } as Draft);
  if (!appended.ok) throw new LogError("misuse", appended.message);
}
