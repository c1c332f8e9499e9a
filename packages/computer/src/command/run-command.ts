import { mkdir, open, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Cause, type ContentRef, type Draft, Id, newId } from "@choiros/contract";
import { LogError, messageOf } from "@choiros/log";
import { type Connection, type Ended, type Running, removeTree, SandboxError } from "@choiros/sandbox";
import { attentive } from "../computer-port.ts";
import { errorCode } from "../folder/folder-error.ts";
import type { Refused } from "../outcome.ts";
import type { CommandLine, ExecOptions, ExecOutcome, Exposed } from "./command.ts";
import { afterExposure, Exposure } from "./exposure.ts";
import type { Caller, CommandParts, Ground, Kept } from "./ground.ts";
import { type Blanks, type Hidden, type Hides, mountsOver } from "./hidden-files.ts";
import { LiveGround } from "./live-ground.ts";
import { Mask } from "./mask.ts";
import { LAYER_PARTS, OverlayGround } from "./overlay-ground.ts";
import { recordOutput } from "./record-output.ts";

/**
 * Runs a command to its end. That it was called is in the log before it starts; what it did to the files is one event,
 * and how it ended another, all with the same call. Where it doesn't end by itself, nothing of it is kept.
 */
export async function runCommand(
  parts: CommandParts,
  command: CommandLine,
  options: ExecOptions = {},
): Promise<ExecOutcome | Refused> {
  options.signal?.throwIfAborted();
  const cause = { ...options.cause, call: options.cause?.call ?? newId() };
  const named = Id.safeParse(cause.call); // its layer has this name, before the log looks at it
  if (!named.success) return { ok: false, reason: "invalid", message: `the call's id is none: ${named.error.message}` };
  // One that is to be kept is kept also where the signal has ended it.
  const signal = options.keep === true ? undefined : options.signal;
  const { mayChange, mayLand, onProgress: onLanding } = options;
  const onProgress = attentive({ ...(onLanding && { onProgress: onLanding }), ...(signal && { signal }) });
  const watching = { onProgress, onLanding, signal };
  const bounds = { ...(mayChange && { mayChange }), ...(mayLand && { mayLand }) };
  const caller: Caller = { source: options.source ?? "user", cause, ...watching, ...bounds };
  const place = join(parts.layers, cause.call);
  if (!(await makeDurably(parts.layers, place))) {
    return { ok: false, reason: "invalid", message: `a command of the call ${cause.call} is running already` };
  }
  const { ok: overlay } = parts.sandbox.overlay;
  const ground = overlay ? new OverlayGround(parts, caller, place) : new LiveGround(parts, caller, place);
  const run = new Run(parts, caller, ground, place);
  try {
    await ground.prepare();
    return await run.all(command, options);
  } finally {
    ground.close();
    // What the log doesn't say the end of keeps its place, but not what was in it.
    if (run.open) for (const name of [...LAYER_PARTS, ...BLANK_PARTS]) await remove(join(place, name));
    else if (signal?.aborted === true)
      parts.clearLater(aside(place).then(remove)); // who stopped it doesn't wait for that
    else await remove(place);
  }
}

/** Another command may have this call by then. */
async function aside(place: string): Promise<string> {
  const other = `${place}.${newId()}`; // no call is named like this
  await rename(place, other).catch(() => {}); // then the next opening removes it
  return other;
}

function remove(path: string): Promise<void> {
  return removeTree(path).catch(() => {}); // the next opening removes it
}

/**
 * As long as it is there the command has not ended, as far as the log says: an opening that finds it tells it as
 * interrupted. `false` where it is there already.
 */
async function makeDurably(layers: string, place: string): Promise<boolean> {
  await mkdir(layers, { recursive: true, mode: 0o700 });
  try {
    await mkdir(place, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
  const folder = await open(layers, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  return true;
}

class Run {
  readonly #parts: CommandParts;
  readonly #caller: Caller;
  readonly #ground: Ground;
  readonly #place: string;
  readonly #receipts: Promise<number>[] = [];
  #exposure: Exposure | undefined;
  #open = false;

  constructor(parts: CommandParts, caller: Caller, ground: Ground, place: string) {
    this.#place = place;
    this.#parts = parts;
    this.#caller = caller;
    this.#ground = ground;
  }

  /** The log has the call, and not how it ended. */
  get open(): boolean {
    return this.#open;
  }

  async all(command: CommandLine, options: ExecOptions): Promise<ExecOutcome | Refused> {
    const { stdin: _, ...said } = command;
    const input = await this.#parts.contents.put(Buffer.from(JSON.stringify(said)));
    const called = await this.#append("tool.call", { input, tool: "exec" });
    this.#open = true;
    try {
      const running = await this.#start(called, command, options);
      if ("why" in running) {
        await this.#end({ reason: running.why, status: "failed" });
        return { ok: false, reason: "invalid", message: running.why };
      }
      options.onStart?.({ mayTell: async () => (await this.#exposure?.mayTell()) ?? true });
      const { ended: over, output } = await this.#attend(running, options);
      // Stopped when it was over, and before anything of it was kept, it is stopped all the same.
      const stopped: Ended = { ...over, how: "killed", exit: null };
      const isStopped = this.#caller.signal?.aborted === true;
      const kept = await this.#settle(!isStopped && (over.how === "exited" || options.keep === true));
      const ended = isStopped || kept.tooMuch !== undefined ? stopped : over;
      await Promise.all(this.#receipts);
      const seq = await this.#end(resultOf(ended, output, kept));
      return { ok: true, call: this.#caller.cause.call, seq, ...endOf(ended), ...kept };
    } catch (error) {
      const stopped = options.signal?.aborted === true;
      const said = stopped && error === options.signal?.reason ? STOPPED : messageOf(error);
      const reason = said.slice(0, MOST_REASON).toWellFormed();
      const end = this.#end({ reason, status: stopped ? "stopped" : "failed" });
      // Nothing of it ran: a folder to begin in that isn't there, as likely as not.
      if (!stopped && error instanceof SandboxError && error.code === "start") {
        await end;
        return { ok: false, reason: "invalid", message: reason };
      }
      await end.catch(() => {}); // the next opening tells it
      throw error;
    } finally {
      this.#exposure?.close();
    }
  }

  async #settle(keeps: boolean): Promise<Settled> {
    const exposed = await this.#exposure?.outcome();
    if (exposed === undefined) return keeps ? this.#ground.keep() : this.#ground.discard();
    return afterExposure(exposed, this.#lasts ? "overlay" : "live", await this.#ground.discard());
  }

  async #end(payload: Result): Promise<number> {
    const seq = await this.#append("tool.result", payload);
    this.#open = false;
    return seq;
  }

  /** In the computer's turn: nothing is landing while the folder becomes what the command sees. */
  #start(called: number, command: CommandLine, { hides }: ExecOptions): Promise<Running | { readonly why: string }> {
    const { turns, projector, sandbox } = this.#parts;
    return turns.take(async () => {
      await projector.reached(called);
      const hidden = hides === undefined ? NOTHING_HIDDEN : await this.#mask(hides);
      if ("why" in hidden) return hidden;
      this.#ground.begin(called, hidden);
      const mounts = hidden === NOTHING_HIDDEN ? [] : mountsOver(hidden, await this.#blanks());
      const onConnection = (connection: Connection) => {
        const receipt = this.#receipt(connection);
        receipt.catch(() => {}); // told when the command has ended
        this.#receipts.push(receipt);
      };
      const running = await sandbox.run({ ...command, folder: this.#ground.folder, mounts, onConnection });
      this.#exposure?.begun(running);
      return running;
    });
  }

  async #mask(hides: Hides): Promise<Mask | { readonly why: string }> {
    const { root, masks, sandbox } = this.#parts;
    const mask = await Mask.over({ root, hides, lasts: this.#lasts });
    // Nothing is hidden where nothing is in between: there is nothing to watch over, either.
    if (mask instanceof Mask && sandbox.engine !== "unsafe") this.#exposure = new Exposure(masks, mask);
    return mask;
  }

  /** On an overlay what is covered stays so by its path, whatever comes in its place below. */
  get #lasts(): boolean {
    return this.#ground.folder !== "live";
  }

  async #blanks(): Promise<Blanks> {
    const [file, dir] = BLANK_PARTS.map((name) => join(this.#place, name)) as [string, string]; // there are two
    await writeFile(file, "", { mode: 0o444 });
    await mkdir(dir, { mode: 0o555 });
    return { file, dir };
  }

  async #attend(running: Running, { signal, onOutput = () => {} }: ExecOptions) {
    const kill = () => void running.kill();
    signal?.addEventListener("abort", kill, { once: true });
    if (signal?.aborted === true) kill();
    try {
      const [ended, output] = await Promise.all([
        running.ended,
        recordOutput(this.#parts.contents, running, onOutput, signal).catch(async (error) => {
          await running.kill(); // nobody takes what it says
          throw error;
        }),
      ]);
      return { ended, output };
    } finally {
      signal?.removeEventListener("abort", kill);
    }
  }

  #receipt({ host, port, allowed, bytesIn, bytesOut }: Connection): Promise<number> {
    const payload = { allowed, bytes_in: bytesIn, bytes_out: bytesOut, host, port };
    return this.#append("receipt.net", payload, "system");
  }

  async #append<Type extends "tool.call" | "tool.result" | "receipt.net">(
    type: Type,
    payload: Extract<Draft, { type: Type }>["payload"],
    source = this.#caller.source,
  ): Promise<number> {
    const cause: Cause = this.#caller.cause;
    // The type and its payload belong together by this function's own signature.
    const appended = await this.#parts.log.append({ source, type, cause, payload } as Draft);
    if (!appended.ok) throw new LogError("misuse", appended.message);
    return appended.seq;
  }
}

/** What an event has room for. */
const MOST_REASON = 4096;
const STOPPED = "it was stopped, and nothing of what it did was kept";
const NOTHING_HIDDEN: Hidden = { files: [], dirs: [] };
/** In a command's place: an empty file and an empty directory. */
const BLANK_PARTS = ["blank-file", "blank-dir"];

type Result = Extract<Draft, { type: "tool.result" }>["payload"];

type Settled = Kept & { readonly exposed?: Exposed };

function resultOf(ended: Ended, output: ContentRef | undefined, kept: Settled): Result {
  const { outside, exposed, notes, tooMuch } = kept;
  const ending = ended.how === "killed" ? "stopped" : ended.exit === 0 ? "ok" : "failed";
  const denied = outside !== undefined || exposed !== undefined;
  const limited = ended.limit === undefined ? undefined : `it reached its limit: ${ended.limit}`;
  const why = denied ? (notes.at(-1) ?? "") : (tooMuch ?? limited);
  const reason = why?.slice(0, MOST_REASON).toWellFormed();
  return {
    status: denied ? "denied" : ending,
    ...(ended.exit !== null && { exit: ended.exit }),
    ...(reason !== undefined && { reason }),
    ...(output !== undefined && exposed?.seen !== true && { output }),
  };
}

function endOf({ exit, how, limit, engine }: Ended): Pick<ExecOutcome, "exit" | "how" | "limit" | "engine"> {
  return limit === undefined ? { exit, how, engine } : { exit, how, limit, engine };
}
