import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Envelope, Id } from "@choiros/contract";
import { LogError } from "@choiros/log";
import { removeTree } from "@choiros/sandbox";
import type { Parts } from "../parts.ts";
import { IN_PLACE } from "./live-ground.ts";
import { CARRIES } from "./overlay-ground.ts";

/**
 * Commands that a server which is gone had started: each is told as interrupted, with what became of it, and what it left
 * in its layer is thrown away. What had landed has landed, and can be undone.
 */
export async function closeInterrupted(parts: Parts, layers: string): Promise<string[]> {
  const notes: string[] = [];
  for (const name of await readdir(layers).catch(none)) {
    const call = Id.safeParse(name);
    const is = (mark: string) => existsSync(join(layers, name, mark));
    const left = is(IN_PLACE) ? "in-place" : is(CARRIES) ? "carries" : "layer";
    if (call.success) notes.push(...(await closeCall(parts, call.data, left)));
    await removeTree(join(layers, name));
  }
  return notes;
}

async function closeCall({ log }: Parts, call: Id, left: keyof typeof KEPT): Promise<string[]> {
  let open: Envelope | undefined; // a call may have had several, one after the other
  let landed = false;
  for await (const event of log.read({ cause: { call } })) {
    const { type } = event;
    if (type === "tool.call" || type === "tool.result")
      [open, landed] = [type === "tool.call" ? event : undefined, false];
    landed ||= type === "files.changed";
  }
  if (open === undefined) return [];
  const reason = `ChoirOS stopped while it ran, ${KEPT[left][landed ? "landed" : "not"]}`;
  const payload = { reason, status: "interrupted" } as const;
  const appended = await log.append({ source: "system", type: "tool.result", cause: { ...open.cause, call }, payload });
  if (!appended.ok) throw new LogError("misuse", appended.message);
  return [`the command of call ${call} was interrupted: ${reason}`];
}

const STANDS = "and what it had done in the folder by then stands";
/** What became of it: by what it left in its place, and by whether the log has its changes. */
const KEPT = {
  "in-place": { landed: STANDS, not: STANDS },
  carries: {
    landed: "after what it did was kept, but perhaps not all that it did to what is ignored",
    not: "and nothing of it was kept, but perhaps some of what it did to what is ignored",
  },
  layer: { landed: "after what it did was kept", not: "and nothing of it was kept" },
} as const;

function none(error: NodeJS.ErrnoException): string[] {
  if (error.code === "ENOENT") return [];
  throw error;
}
