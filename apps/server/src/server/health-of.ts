import { statfs } from "node:fs/promises";
import type { Health } from "@choiros/gateway";
import type { Log } from "@choiros/log";
import { type Config, MB } from "../config/schema.ts";
import type { Home } from "../home.ts";
import { isUnsafe } from "../sandbox-of.ts";
import { VERSION } from "../version.ts";

/** With less than this many bytes left, what people write may be refused. */
const LEAST_ROOM = MB;

/** Whether the log can be read, and the disk has room for more. */
export async function healthOf(config: Config, since: Date, log: Log, home: Home): Promise<Health> {
  const uptime_s = Math.floor((Date.now() - since.getTime()) / 1000);
  const facts = { live: true, version: VERSION, uptime_s, unsafe: isUnsafe(config) } as const;
  try {
    const { seq } = await log.head();
    for await (const _ of log.read({ from: seq })); // all the way to the disk and back
    const isFull = (await roomIn(home)) < LEAST_ROOM;
    const problem = isFull ? { problem: "the server's disk is full. Make room there" } : {};
    return { ...facts, ready: true, log: { engine: config.log.engine, ...problem } }; // it reads, and reading goes on
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ...facts, ready: false, log: { engine: config.log.engine, problem } };
  }
}

/** In bytes; of what systems keep back, root may take. */
async function roomIn({ path }: Home): Promise<number> {
  const { bavail, bfree, bsize } = await statfs(path);
  return bsize * (process.getuid?.() === 0 ? bfree : bavail);
}
