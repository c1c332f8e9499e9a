import { existsSync } from "node:fs";
import { cat, files } from "@choiros/gateway/operations";
import { ask } from "./ask.ts";
import type { CommandCall } from "./command.ts";

/** For what makes the first computer of a home where there is none yet: nothing is there then, and nothing is asked. */

export async function keysIn(call: CommandCall, folder: string): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  if (hasComputer(call))
    await ask(call, files, { deep: false, key: folder }, { item: ({ key }) => void keys.add(key) });
  return keys;
}

/** `undefined` where there is no such file. */
export async function textAt(call: CommandCall, key: string): Promise<string | undefined> {
  if (!hasComputer(call)) return undefined;
  const parts: Uint8Array[] = [];
  const output = async (bytes: Uint8Array) => void parts.push(bytes);
  const { found } = await ask(call, cat, { key }, { output });
  return found ? Buffer.concat(parts).toString() : undefined;
}

function hasComputer({ home, user }: CommandCall): boolean {
  return existsSync(home.storeOf(user()));
}
