import { shownPath } from "@choiros/computer";
import { documentName, freeName, parentKey } from "@choiros/contract";
import { arrange } from "@choiros/gateway/operations";
import { act } from "./act.ts";
import type { CommandCall, ExitCode } from "./command.ts";
import { pathArgument } from "./path-argument.ts";
import { keysIn } from "./what-is-there.ts";

/** As the bar does it: an empty document, under a name that is free. */
export async function makeDocument(call: CommandCall, name: string | undefined): Promise<ExitCode> {
  const key = await freeKey(call, documentName(name));
  return act(call, {
    operation: arrange,
    request: { deeds: [{ file: { key } }] },
    did: () => `Made ${shownPath(key)}`,
  });
}

export async function makeFolder(call: CommandCall, name: string): Promise<ExitCode> {
  const key = await freeKey(call, name);
  return act(call, { operation: arrange, request: { deeds: [{ folder: { key } }] }, did: () => `Made ${shownPath(key)}` }); // biome-ignore format: in one line
}

async function freeKey(call: CommandCall, name: string): Promise<string> {
  const key = pathArgument(name);
  return freeName(key, await keysIn(call, parentKey(key) ?? key));
}
