import {
  type AssociateResult,
  type ContentRef,
  canonicalise,
  type Id,
  isGits,
  type KnownEvent,
  type PathChange,
  pathKey,
} from "@choiros/contract";
import { changeLines } from "@choiros/log";
import { z } from "zod";
import type { Chapter } from "../loop/chapter.ts";

/** What the log says of a task. */
export interface TaskRecord {
  readonly attempts: number;
  readonly settled: "approved" | "denied" | undefined;
  readonly reason: string | undefined;
  readonly finished: AssociateResult | undefined;
}

export async function readTask(chapter: Chapter, task: Id): Promise<TaskRecord> {
  let record: TaskRecord = { attempts: 0, settled: undefined, reason: undefined, finished: undefined };
  for await (const event of chapter.read({ types: TYPES, cause: { task } })) {
    if (event.type === "task.started") record = { ...record, attempts: record.attempts + 1 };
    if (event.type === "task.approved") record = { ...record, settled: "approved" };
    if (event.type === "task.denied") record = { ...record, settled: "denied", reason: event.payload.reason };
    if (event.type === "task.finished") record = { ...record, finished: event.payload };
  }
  return record;
}

const TYPES = ["task.started", "task.approved", "task.denied", "task.finished"];

const Ran = z.object({ argv: z.array(z.string()).min(1) });
const MAX_LISTED = 500;
/** Of each of the four lists that grow with the work: beside the checks, which are the plan's, an event has room for them. */
const MAX_LISTED_BYTES = 64 * 1024;
const MAX_LINE = 1000;
/** Where a command could not be run, was ended, or nobody knows how it ended. */
export const NO_EXIT = 125;

/**
 * What a task did, as the log has it: what its model says of it is no evidence. Commands of `checks` are left out, and files
 * that are as they were before it.
 */
export async function deedsOf(
  chapter: Chapter,
  task: Id,
  checks: string,
): Promise<Pick<AssociateResult, "commands_run" | "files_changed" | "files_count">> {
  const net = new Map<string, PathChange>();
  const lines = new Map<Id, string>();
  const commands: AssociateResult["commands_run"] = [];
  for await (const { cause, payload, type } of chapter.read({ cause: { task } })) {
    for await (const changes of changesIn(chapter, payload))
      for (const change of changes) {
        if (!("path" in change)) continue;
        const key = pathKey(change.path);
        net.set(key, { ...change, before: (net.get(key) ?? change).before });
      }
    const call = cause?.call;
    if (call === undefined || call.startsWith(`${checks}-v`)) continue;
    if (type === "tool.call" && payload.tool === "exec") {
      const line = await lineIn(chapter, payload.input);
      if (line !== undefined) lines.set(call, line);
    }
    const command = lines.get(call);
    if (type !== "tool.result" || command === undefined) continue;
    if (payload.status === "denied") commands.push({ command, denied: true, exit: payload.exit ?? NO_EXIT });
    else if (payload.exit !== undefined) commands.push({ command, exit: payload.exit });
  }
  const files = [...net].filter(([, { before, after }]) => canonicalise(before) !== canonicalise(after));
  files.sort(([one], [other]) => Number(isGits(one)) - Number(isGits(other))); // what there is no room for shall be that
  const listed = fitting(files.map(([, { path }]) => path));
  const count = listed.length < files.length ? { files_count: files.length } : {};
  return { commands_run: fitting(commands), files_changed: listed, ...count };
}

/** What an event changed; many changes are a content of their own. */
async function* changesIn({ computer }: Chapter, payload: KnownEvent["payload"]) {
  if ("changes" in payload) yield payload.changes;
  const list = "list" in payload ? await computer.contents.get(payload.list.hash) : undefined;
  if (list !== undefined) yield* changeLines(list);
}

/** As much of a list as an event has room for. */
export function fitting<Item>(list: readonly Item[]): Item[] {
  let room = MAX_LISTED_BYTES;
  return list.slice(0, MAX_LISTED).filter((item) => {
    room -= Buffer.byteLength(JSON.stringify(item));
    return room >= 0;
  });
}

/** The command that a call was for. What older logs have under its name may be anything that a model wrote. */
async function lineIn(chapter: Chapter, input: ContentRef): Promise<string | undefined> {
  try {
    const ran = Ran.safeParse(JSON.parse(await chapter.get(input)));
    return ran.success ? lineOf(ran.data.argv) : undefined;
  } catch {
    return undefined; // what is damaged or pruned is for 'verify' to tell: the task ends all the same
  }
}

/** What a shell was given is what people call the command. */
function lineOf(argv: readonly string[]): string {
  const at = argv.findIndex((word) => /^-[a-z]*c$/.test(word));
  return (argv[at + 1] !== undefined && at > 0 ? argv.slice(at + 1, at + 2) : argv)
    .join(" ")
    .slice(0, MAX_LINE)
    .toWellFormed();
}
