import type { Id, Path } from "@choiros/contract";
import { pathKey } from "@choiros/contract";
import type { Chapter } from "../loop/chapter.ts";

/** What the tasks of an ask came to, as the log has it. */
export interface Tries {
  /** The last ones, one after the other, that came to nothing. */
  readonly failures: number;
  readonly planned: ReadonlySet<Id>;
  /** What they changed. */
  readonly changed: readonly Path[];
}

/** How often the Director may try again. */
export const MAX_AGAIN = 3;

export async function readTries(chapter: Chapter): Promise<Tries> {
  let failures = 0;
  const planned = new Set<Id>();
  const changed = new Map<string, Path>();
  const types = ["task.planned", "task.denied", "task.finished"];
  for await (const event of chapter.read({ types, cause: chapter.cause })) {
    if (event.type === "task.planned") planned.add(event.payload.task_id);
    if (event.type === "task.denied") failures += 1;
    if (event.type !== "task.finished") continue;
    if (event.payload.status === "ok") failures = 0;
    if (event.payload.status === "failed") failures += 1; // one that asks has come to nothing yet: it isn't over
    for (const path of event.payload.files_changed) changed.set(pathKey(path), path);
  }
  return { failures, planned, changed: [...changed.values()] };
}
