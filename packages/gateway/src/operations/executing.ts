import { isDeepStrictEqual } from "node:util";
import { type Computer, faultOfHost, shownPath } from "@choiros/computer";
import { type ContentRef, Id, recognise } from "@choiros/contract";
import { z } from "zod";
import { AskedFolder } from "./asked-key.ts";
import { kindInside } from "./folder-inside.ts";
import { computerAt, operation, type Place } from "./operation.ts";
import { OperationError } from "./operation-error.ts";
import { Blocked, Notes, Refused, Seq } from "./shapes.ts";

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

/** In bytes, with the NUL behind it: Linux passes no longer one on. */
const MOST_WORD = 128 * 1024;

/** What no system could pass on to a program is refused before it is in the log. */
export const AskedWord = z
  .string()
  .refine((word) => !word.includes("\0"), "has a NUL in it")
  .refine((word) => Buffer.byteLength(word) < MOST_WORD, "is longer than the 128 KB that a program can be given");
export const AskedVariable = z.string().regex(/^[^=\0]+$/, "is no name of a variable");
export const AskedHost = z.string().refine((host) => faultOfHost(host) === undefined, "is no host that can be allowed");

export const AskedLimits = z.strictObject({
  memoryBytes: z.int().min(1).exactOptional(),
  timeMs: z.int().min(1).exactOptional(),
});

/** Runs a command in the computer's sandbox. What it writes comes as `output` and `aside`. */
export const exec = operation({
  name: "exec",
  request: z.strictObject({
    argv: z.array(AskedWord).min(1),
    cwd: AskedFolder,
    egress: z.union([z.enum(["none", "git+pkg"]), z.array(AskedHost)]),
    env: z.record(AskedVariable, AskedWord),
    keep: z.boolean(),
    limits: AskedLimits,
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
    const before = work.id === undefined ? undefined : await ranBefore(computer, work.id, command);
    if (before !== undefined) return before;
    using _ = begin(computer);
    const broken = new AbortController();
    const stdin = reads ? { stdin: unbroken(work.input, broken) } : {};
    const outcome = await computer.exec(
      { ...command, ...stdin, limits: atMost(place, command.limits) },
      {
        keep,
        ...(work.id !== undefined && { cause: { call: work.id } }),
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

function atMost({ most }: Place, { memoryBytes, timeMs }: z.infer<typeof AskedLimits>): z.infer<typeof AskedLimits> {
  return {
    ...(memoryBytes !== undefined && { memoryBytes: Math.min(memoryBytes, most?.memoryBytes ?? memoryBytes) }),
    ...(timeMs !== undefined && { timeMs: Math.min(timeMs, most?.timeMs ?? timeMs) }),
  };
}

/** So many commands of one computer run at once: each may take as much memory as the limits say. */
export const COMMANDS_AT_ONCE = 32;
const running = new WeakMap<Computer, number>();

function begin(computer: Computer): Disposable {
  const count = running.get(computer) ?? 0;
  if (count >= COMMANDS_AT_ONCE)
    throw new OperationError(`${count} commands run on this computer already: stop one, or wait until one has ended`);
  running.set(computer, count + 1);
  return { [Symbol.dispose]: () => void running.set(computer, (running.get(computer) ?? 1) - 1) };
}

interface Line {
  readonly argv: readonly string[];
  readonly cwd: string;
}

/** What came of a command that the log has already, by its call: it isn't run again. */
async function ranBefore(
  { contents, log }: Computer,
  call: Id,
  line: Line,
): Promise<ExecDone | z.infer<typeof Refused> | undefined> {
  let changed = 0;
  let called = false;
  for await (const event of log.read({ cause: { call } })) {
    const known = recognise(event);
    if (!known.ok) continue;
    const { payload, type } = known.value;
    if (!called && !(type === "tool.call" && (await isOf(contents, payload.input, line)))) {
      const message = `the id ${call} is another action's, of event ${event.seq}: nothing was run. Use a new one`;
      return { message, ok: false, reason: "invalid" };
    }
    called = true;
    if (type === "files.changed") changed += "changes" in payload ? payload.changes.length : payload.count;
    if (type !== "tool.result") continue;
    const { exit = null, status } = payload;
    const how = status === "stopped" || status === "interrupted" ? ("killed" as const) : ("exited" as const);
    const notes = ["this had been run before, and was not run again"];
    return { call, changed, exit, how, ignored: null, limit: null, notes, ok: true, seq: event.seq };
  }
  const message = `a command of the call ${call} is running already`;
  return called ? { message, ok: false, reason: "invalid" } : undefined;
}

/** Where the log's copy was pruned, nobody can tell. */
async function isOf(contents: Computer["contents"], { hash }: ContentRef, { argv, cwd }: Line): Promise<boolean> {
  const bytes = await contents.get(hash);
  if (bytes === undefined) return true;
  const said = JSON.parse(Buffer.concat(await Array.fromAsync(bytes)).toString());
  return isDeepStrictEqual([said.argv, said.cwd], [argv, cwd]);
}

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
