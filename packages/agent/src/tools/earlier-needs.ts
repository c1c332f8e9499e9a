import { type ContentRef, Id, recognise } from "@choiros/contract";
import type { Need } from "../lease/lease.ts";
import { toolNeed } from "../lease/need.ts";
import type { Work } from "./dispatch-port.ts";
import type { Tool } from "./tool.ts";
import { TOOLS } from "./tools.ts";

/** What an earlier call of this task needed, and what the one needed that it told of in its turn. */
export async function earlierNeeds(call: Id, work: Work): Promise<readonly Need[]> {
  const needs: Need[] = [];
  const seen = new Set<Id>(); // a model may name a call within itself
  for (let next: Id | undefined = call; next !== undefined && !seen.has(next); ) {
    seen.add(next);
    const made = await callMade(next, work);
    if (made === undefined) break;
    needs.push(toolNeed(made.tool.name), ...needsOf(made, work));
    next = made.input === undefined ? undefined : made.tool.tells?.(made.input);
  }
  return needs;
}

interface Made {
  readonly tool: Tool;
  /** `undefined` where it didn't fit, and of a command: it has what the computer was given. */
  readonly input: unknown;
}

async function callMade(call: Id, work: Work): Promise<Made | undefined> {
  const { ask, task } = work.cause;
  if (ask === undefined || !Id.safeParse(call).success) return undefined;
  for await (const event of work.computer.log.read({ cause: { ask, call }, types: ["tool.call"] })) {
    const known = recognise(event);
    if (!known.ok || known.value.type !== "tool.call" || known.value.cause?.task !== task) continue;
    const { tool: name, input } = known.value.payload;
    const tool = TOOLS.find((one) => (name === "exec" ? one.isCommand === true : one.name === name));
    if (tool === undefined) continue;
    return { tool, input: name === "exec" ? undefined : await inputOf(tool, input, work) };
  }
  return undefined;
}

async function inputOf({ input }: Tool, { hash }: ContentRef, { computer }: Work): Promise<unknown> {
  const bytes = await computer.contents.get(hash);
  if (bytes === undefined) return undefined;
  try {
    return input.safeParse(JSON.parse(Buffer.concat(await Array.fromAsync(bytes)).toString("utf8"))).data;
  } catch {
    return undefined; // it was no JSON, and was told so
  }
}

function needsOf({ tool, input }: Made, work: Work): readonly Need[] {
  const needs = input === undefined ? [] : tool.needs(input, work);
  return "why" in needs ? [] : needs;
}
