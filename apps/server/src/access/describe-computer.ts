import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Computer, openComputer } from "@choiros/computer";
import type { UserId } from "@choiros/contract";
import { openStore } from "@choiros/log";
import type { Home } from "../home.ts";
import type { Status } from "./access.ts";

type Described = Status["computers"][number];

/** What the outside of a computer shows: one that is open already, or one that is opened for a look, and closed again. */
export async function describeComputer(home: Home, id: UserId, open?: Computer): Promise<Described> {
  const facts = { id, history: await bytesBelow(home.storeOf(id)) };
  if (open !== undefined) return { ...facts, ...(await describeOpen(open)) };
  const opened = await openComputer({ root: home.rootOf(id), userId: id, who: "choir status" });
  if (!opened.ok) return { ...facts, ...(await describeClosed(home, id)) };
  try {
    return { ...facts, ...(await describeOpen(opened.computer)) };
  } finally {
    await opened.computer.close();
  }
}

type Inside = Omit<Described, "id" | "history">;

async function describeOpen(computer: Computer): Promise<Inside> {
  const { seq } = await computer.log.head();
  return { blocked: [...computer.blocked()], unkept: [...computer.unkept()], events: seq, problem: null };
}

/** What can be read all the same: where another command has it open just now, only that one knows what is blocked, or not kept. */
async function describeClosed(home: Home, id: UserId): Promise<Inside> {
  const opened = await openStore({ dir: home.storeOf(id), userId: id, mode: "read" });
  const unknown = { blocked: null, unkept: null };
  if (!opened.ok) return { ...unknown, events: null, problem: opened.message };
  try {
    return { ...unknown, events: (await opened.store.log.head()).seq, problem: null };
  } finally {
    await opened.store.close();
  }
}

/** Of all files in a folder. What goes away meanwhile counts for nothing. */
async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for (const item of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!item.isFile()) continue;
    const found = await lstat(join(item.parentPath, item.name)).catch(() => undefined);
    bytes += found?.size ?? 0;
  }
  return bytes;
}
