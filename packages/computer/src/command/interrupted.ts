import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Id } from "@choiros/contract";
import { LogError } from "@choiros/log";
import { removeTree } from "../folder/remove-tree.ts";
import type { Parts } from "../parts.ts";

/**
 * Commands that a server which is gone had started: each is told as interrupted, with what became of it, and what it left
 * in its layer is thrown away. What had landed has landed, and can be undone.
 */
export async function closeInterrupted(parts: Parts, layers: string): Promise<string[]> {
  const notes: string[] = [];
  for (const name of await readdir(layers).catch(none)) {
    const call = Id.safeParse(name);
    if (call.success) notes.push(...(await closeCall(parts, call.data)));
    await removeTree(join(layers, name));
  }
  return notes;
}

async function closeCall({ log }: Parts, call: Id): Promise<string[]> {
  let [called, ended, landed] = [false, false, false];
  for await (const { type } of log.read({ cause: { call } })) {
    called ||= type === "tool.call";
    ended ||= type === "tool.result";
    landed ||= type === "files.changed";
  }
  if (!called || ended) return [];
  const what = landed ? "after what it did was kept" : "and nothing of it was kept";
  const reason = `ChoirOS stopped while it ran, ${what}`;
  const payload = { reason, status: "interrupted" } as const;
  const appended = await log.append({ source: "system", type: "tool.result", cause: { call }, payload });
  if (!appended.ok) throw new LogError("misuse", appended.message);
  return [`the command of call ${call} was interrupted: ${reason}`];
}

function none(error: NodeJS.ErrnoException): string[] {
  if (error.code === "ENOENT") return [];
  throw error;
}
