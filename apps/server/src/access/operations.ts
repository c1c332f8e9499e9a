import { add, exporting, importing, preview, rebuild, remove, restore, undo, write } from "./acting.ts";
import { exec } from "./executing.ts";
import type { Operation } from "./operation.ts";
import { cat, diff, events, files, history, verify } from "./reading.ts";

/** Everything that can be asked, by its name. A request is unknown until its schema has seen it. */
export const OPERATIONS: ReadonlyMap<string, Operation<unknown, unknown, unknown>> = new Map(
  [
    ...[events, verify, files, cat, history, diff],
    ...[write, remove, add, undo, preview, restore, rebuild, exporting, importing],
    exec,
  ].map((operation) => [operation.name, operation]),
);
