import type { CommandLine, ExecOptions, ExecOutcome, Refused, Underway } from "@choiros/computer";
import { messageOf } from "@choiros/log";
import { inOneLine } from "../lease/quoted.ts";
import { bounded } from "./bounded.ts";
import { changedBy } from "./changed-by.ts";
import { commandText } from "./command-text.ts";
import type { Job } from "./dispatch-port.ts";
import { HeldOutput } from "./held-output.ts";
import { OutputSignals } from "./output-signals.ts";
import { type Context, failed, type Told } from "./tool.ts";

type Bounds = Required<Pick<ExecOptions, "mayChange" | "hides">>;

/** Runs a command to its end. */
export async function runBash(line: CommandLine, bounds: Bounds, context: Context): Promise<Told> {
  const held = new HeldOutput();
  return run(line, { ...bounds, signal: context.signal }, context, held);
}

/** Each has a sandbox of its own. */
const MOST_JOBS = 8;

/** Begins a command and answers at once. It ends with its task, whatever happens. */
export async function backgroundJob(line: CommandLine, bounds: Bounds, context: Context): Promise<Told> {
  if (context.work.jobs.running >= MOST_JOBS)
    return failed(`${MOST_JOBS} jobs run already: wait until one has ended, or end one with job_stop`);
  const held = new HeldOutput();
  const stopping = new AbortController();
  const started = Promise.withResolvers<Underway>();
  const options = { ...bounds, signal: stopping.signal, onStart: started.resolve };
  const running = run(line, options, context, held);
  const ended = running.then((told) => ({ ...told, text: bounded(told.text, context.call) }));
  const job = {
    call: context.call,
    said: async () => {
      const said = held.said(); // before it is looked whether it may be told
      const begun = await Promise.race([started.promise, running.then(() => undefined)]);
      return begun === undefined || (await begun.mayTell()) ? said : undefined;
    },
    ended,
    stop: () => stopping.abort(new Error("it was stopped")),
  };
  let outcome: Job["outcome"];
  ended.then(
    (told) => {
      outcome = told;
      held.release();
    },
    (error) => {
      outcome = failed(`it failed: ${messageOf(error)}`); // whoever waits for its end is told, too
    },
  );
  context.work.jobs.start({
    ...job,
    get outcome() {
      return outcome;
    },
  });
  await Promise.race([started.promise, running]);
  if (outcome !== undefined) return running;
  return { status: "ok", text: `it runs as job ${context.call}: job_output shows what it says, job_stop ends it` };
}

async function run(line: CommandLine, options: ExecOptions, context: Context, held: HeldOutput): Promise<Told> {
  const { work, cause } = context;
  const signals = new OutputSignals(work.signals, cause);
  const onOutput: NonNullable<ExecOptions["onOutput"]> = ({ from, bytes }) => {
    held.take(bytes);
    signals.take(from, bytes);
  };
  try {
    const { mayLand } = work;
    const done = await work.computer.exec(line, { ...options, source: "agent", cause, mayLand, onOutput });
    return await toldOf(done, context, held);
  } finally {
    signals.end();
  }
}

async function toldOf(done: ExecOutcome | Refused, { work, call }: Context, held: HeldOutput): Promise<Told> {
  if (!done.ok) return failed(`the command could not be run: ${inOneLine(done.message)}`);
  const status = statusOf(done);
  const did = done.changed > 0 ? await changedBy(work.computer, call) : { changed: [], files: 0, bytes: 0 };
  const exit = done.exit === null ? {} : { exit: done.exit };
  const ended = done.limit === undefined ? undefined : `it reached its limit: ${done.limit}`;
  const denied = done.outside !== undefined || done.exposed !== undefined;
  const reason = denied ? done.notes.at(-1) : (done.tooMuch ?? ended);
  const said = done.exposed?.seen === true ? "" : held.text(call);
  return { status, ...exit, ...did, text: commandText({ status, ...exit, reason, said, ...did, notes: done.notes }) };
}

function statusOf({ how, exit, outside, exposed }: ExecOutcome): Told["status"] {
  if (outside !== undefined || exposed !== undefined) return "denied";
  if (how === "killed") return "stopped";
  return exit === 0 ? "ok" : "failed";
}
