import { type AssociateResult, type Id, type KnownEvent, type Path, pathKey } from "@choiros/contract";
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
const MAX_LISTED_CHARACTERS = 100_000;
const MAX_LINE = 1000;

/** What a task did, as the log has it: what its model says of it is no evidence. `checks` are left out. */
export async function deedsOf(
  chapter: Chapter,
  task: Id,
  checks: string,
): Promise<Pick<AssociateResult, "commands_run" | "files_changed" | "files_count">> {
  const files = new Map<string, Path>();
  const lines = new Map<Id, string>();
  const commands: AssociateResult["commands_run"] = [];
  for await (const { cause, payload, type } of chapter.read({ cause: { task } })) {
    for await (const changes of changesIn(chapter, payload))
      for (const change of changes) if ("path" in change) files.set(pathKey(change.path), change.path);
    const call = cause?.call;
    if (call === undefined || call.startsWith(`${checks}-v`)) continue;
    if (type === "tool.call" && payload.tool === "exec") {
      const ran = Ran.safeParse(JSON.parse(await chapter.get(payload.input)));
      if (ran.success) lines.set(call, lineOf(ran.data.argv));
    }
    const command = lines.get(call);
    if (type === "tool.result" && command !== undefined && payload.exit !== undefined) {
      commands.push({ command, exit: payload.exit });
    }
  }
  const listed = fitting([...files.values()]);
  const count = listed.length < files.size ? { files_count: files.size } : {};
  return { commands_run: fitting(commands), files_changed: listed, ...count };
}

/** What an event changed; many changes are a content of their own. */
async function* changesIn({ computer }: Chapter, payload: KnownEvent["payload"]) {
  if ("changes" in payload) yield payload.changes;
  const list = "list" in payload ? await computer.contents.get(payload.list.hash) : undefined;
  if (list !== undefined) yield* changeLines(list);
}

/** As much of a list as an event has room for. */
function fitting<Item>(list: readonly Item[]): Item[] {
  let room = MAX_LISTED_CHARACTERS;
  return list.slice(0, MAX_LISTED).filter((item) => {
    room -= JSON.stringify(item).length;
    return room >= 0;
  });
}

/** What a shell was given is what people call the command. */
function lineOf(argv: readonly string[]): string {
  const at = argv.findIndex((word) => /^-[a-z]*c$/.test(word));
  return (argv[at + 1] !== undefined && at > 0 ? argv.slice(at + 1, at + 2) : argv)
    .join(" ")
    .slice(0, MAX_LINE)
    .toWellFormed();
}
