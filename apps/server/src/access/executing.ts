import { shownPath } from "@choiros/computer";
import { Id } from "@choiros/contract";
import { z } from "zod";
import { kindInside } from "./folder-inside.ts";
import { computerAt, operation, type Place } from "./operation.ts";
import { Blocked, Key, Notes, Refused, Seq } from "./shapes.ts";

/** What a command has to say of itself, before its end and of single paths. */
const ExecSaid = z.union([z.strictObject({ unsafe: z.literal(true) }), z.strictObject({ blocked: Blocked })]);

const ExecDone = z.strictObject({
  call: Id,
  changed: z.int(),
  /** As a shell tells it; `null` where it was ended. */
  exit: z.int().nullable(),
  how: z.enum(["exited", "killed", "limit"]),
  /** Whether it also changed what is ignored; `null` where nobody looked. */
  ignored: z.boolean().nullable(),
  limit: z.enum(["memory", "processes", "open-files", "disk", "output", "time"]).nullable(),
  notes: Notes,
  ok: z.literal(true),
  seq: Seq,
});
export type ExecDone = z.infer<typeof ExecDone>;

/** It has nowhere to begin: nothing was run, and nothing is in the log. */
const NoFolder = z.strictObject({ message: z.string(), ok: z.literal(false), reason: z.literal("folder") });

/** Runs a command in the computer's sandbox. What it writes comes as `output` and `aside`. */
export const exec = operation({
  name: "exec",
  request: z.strictObject({
    argv: z.array(z.string()).min(1),
    cwd: Key,
    egress: z.union([z.enum(["none", "git+pkg"]), z.array(z.string())]),
    env: z.record(z.string(), z.string()),
    keep: z.boolean(),
    limits: z.strictObject({ memoryBytes: z.number().exactOptional(), timeMs: z.number().exactOptional() }),
    /** Whether it is given what comes in; else it has nothing to read. */
    reads: z.boolean(),
  }),
  item: ExecSaid,
  answer: z.union([ExecDone, NoFolder, Refused]),
  makes: "first",
  answersStopped: true,
  async run(place, { keep, reads, ...command }, work) {
    const computer = await computerAt(place);
    const fault = await faultOf(place, command.cwd);
    if (fault !== undefined) return { ok: false as const, reason: "folder" as const, message: fault };
    if (await place.unsafe()) await work.item({ unsafe: true });
    const broken = new AbortController();
    const stdin = reads ? { stdin: unbroken(work.input, broken) } : {};
    const outcome = await computer.exec(
      { ...command, ...stdin },
      {
        keep,
        signal: AbortSignal.any([work.signal, broken.signal]),
        onProgress: (progress) => work.progress(progress),
        onOutput: ({ from, bytes }) => (from === "stdout" ? work.output(bytes) : work.aside(bytes)),
      },
    );
    if (broken.signal.aborted && !work.signal.aborted) throw broken.signal.reason;
    if (!outcome.ok) return { ok: false as const, reason: outcome.reason, message: outcome.message };
    for (const blocked of outcome.blocked) await work.item({ blocked });
    const { call, changed, exit, how, ignored, limit = null, notes, ok, seq } = outcome;
    return { call, changed, exit, how, ignored, limit, notes, ok, seq };
  },
});

/** What comes in. Where it breaks off, the command is stopped before it could take a part of its input for all of it. */
async function* unbroken(input: AsyncIterable<Uint8Array>, broken: AbortController): AsyncGenerator<Uint8Array> {
  try {
    yield* input;
  } catch (error) {
    broken.abort(error);
    throw error;
  }
}

/** What is wrong with the folder that it is to begin in. */
async function faultOf({ root }: Place, cwd: string): Promise<string | undefined> {
  const kind = await kindInside(root, cwd);
  if (kind === "nothing") return `there is no folder ${shownPath(cwd)} to run a command in`;
  return kind === "other" ? `${shownPath(cwd)} is no folder: a command runs in one` : undefined;
}
