import type { Entrance } from "../entrance.ts";
import { OPERATIONS, type Operation } from "../operations/index.ts";

export interface Offered {
  readonly entrance: Entrance;
  readonly operation: Operation<unknown, unknown, unknown>;
}

/**
 * What can be asked over a socket. Not here: what names a path of the server's own machine (`add`, `export`, `import`), and
 * what needs bytes to come in (`write`).
 */
const ENTRANCES: Readonly<Record<string, Entrance>> = {
  agents: "read",
  cat: "read",
  diff: "read",
  events: "read",
  files: "read",
  find: "read",
  histories: "read",
  history: "read",
  listen: "read",
  output: "read",
  rows: "read",
  settings: "read",
  unfinished: "read",
  verify: "read",
  arrange: "act",
  "change-settings": "act",
  "change-windows": "act",
  exec: "act",
  "leave-ask": "act",
  preview: "act",
  restore: "act",
  "resume-ask": "act",
  rm: "act",
  say: "act",
  undo: "act",
  answer: "keep",
  rebuild: "keep",
};

export function offered(name: string): Offered | undefined {
  const operation = OPERATIONS.get(name);
  const entrance = Object.hasOwn(ENTRANCES, name) ? ENTRANCES[name] : undefined;
  return operation === undefined || entrance === undefined ? undefined : { entrance, operation };
}
