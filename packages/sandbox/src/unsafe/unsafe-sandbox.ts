import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { connect, Socket } from "node:net";
import { constants } from "node:os";
import { join, relative } from "node:path";
import { type Duplex, pipeline, type Readable } from "node:stream";
import { argvOf, directoryInside, limitsOf, signalOf } from "../command.ts";
import type { LimitName, Limits } from "../limits.ts";
import { Output } from "../output.ts";
import {
  type Command,
  type Ended,
  HOME_INSIDE,
  type Running,
  type Sandbox,
  type Terminal,
  type TerminalCommand,
} from "../sandbox.ts";
import { SandboxError } from "../sandbox-error.ts";
import { bytesOf, startTerminal, TerminalOutput } from "../terminal.ts";
import { killTree, MARK, type Tree } from "./tree.ts";

export interface UnsafeOptions {
  readonly root: string;
  readonly limits: Limits;
}

/** Of the server's environment, what a program needs to run at all. */
const PASSED_ON = ["HOME", "LANG", "PATH", "TMPDIR", "USER"];

/** Runs commands plainly, as whoever runs the server. Only time and output are limited. Each result says so. */
export function openUnsafe(options: UnsafeOptions): Sandbox {
  return new UnsafeSandbox(options);
}

class UnsafeSandbox implements Sandbox {
  readonly engine = "unsafe";
  readonly limitedBy = "nothing";
  readonly overlay = { ok: false, why: "Commands run without a sandbox, so they run in place" } as const;
  readonly #options: UnsafeOptions;
  readonly #running = new Set<Life>();
  #closed = false;

  constructor(options: UnsafeOptions) {
    this.#options = options;
  }

  async run(command: Command): Promise<Running> {
    const { program, args, options, limits, mark } = this.#prepare(command);
    const input = command.stdin === undefined ? "ignore" : "pipe";
    const child = spawn(program, args, { ...options, detached: true, stdio: [input, "pipe", "pipe"] });
    const life = this.#begin(limits, { session: child.pid, mark }, exitOf(child));
    if (command.stdin !== undefined && child.stdin !== null) pipeline(command.stdin, child.stdin, () => {});
    const output = new Output(limits.outputBytes, () => life.stop("output"));
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new SandboxError("start", "The command got no pipes to write to");
    void life.ended.then(() => [stdout, stderr].map(endOnceQuiet));
    return { stdout: output.of(stdout), stderr: output.of(stderr), ended: life.ended, kill: () => life.kill() };
  }

  async pty(command: TerminalCommand): Promise<Terminal> {
    const { program, args, options, limits, mark } = this.#prepare(command);
    const pty = await startTerminal([program, ...args], command, options);
    const exit = new Promise<number | null>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
    const life = this.#begin(limits, { session: pty.pid, mark }, exit);
    return {
      output: new TerminalOutput(pty),
      ended: life.ended,
      write: (data) => pty.write(bytesOf(data)),
      resize: (cols, rows) => pty.resize(cols, rows),
      kill: () => life.kill(),
    };
  }

  /** Everything is on the machine's own loopback. */
  async dial(port: number): Promise<Duplex> {
    const socket = connect(port, "127.0.0.1");
    return new Promise((resolve, reject) => {
      socket.once("connect", () => resolve(socket));
      socket.once("error", (error) => reject(new SandboxError("refused", `Nothing listens at port ${port}`, error)));
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#running].map((life) => life.kill()));
  }

  #prepare(command: Command) {
    if (this.#closed) throw new SandboxError("closed", "The sandbox is closed: nothing can be started in it");
    if (command.folder !== "live") throw new SandboxError("misuse", "Without a sandbox there is no overlay");
    const [program = "", ...args] = argvOf(command);
    const cwd = join(this.#options.root, relative(HOME_INSIDE, directoryInside(command.cwd)));
    const passedOn = PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
    const mark = randomUUID();
    const env: Record<string, string> = { ...Object.fromEntries(passedOn), ...command.env, [MARK]: mark };
    return { program, args, options: { cwd, env }, limits: limitsOf(command, this.#options.limits), mark };
  }

  #begin(limits: Limits, tree: Tree, exit: Promise<number | null>): Life {
    const life = new Life(limits, tree, exit);
    this.#running.add(life);
    void life.ended.catch(() => {}).finally(() => this.#running.delete(life));
    return life;
  }
}

const NOT_FOUND = 127;

/** As a shell tells it. */
function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.on("exit", (code, signal) => resolve(signal === null ? code : 128 + constants.signals[signal]));
    child.on("error", () => resolve(NOT_FOUND));
  });
}

class Life {
  readonly ended: Promise<Ended>;
  readonly #tree: Tree;
  #why: "killed" | LimitName | undefined;

  constructor({ timeMs }: Limits, tree: Tree, exit: Promise<number | null>) {
    this.#tree = tree;
    const timer = timeMs < 2 ** 31 ? setTimeout(() => this.stop("time"), timeMs).unref() : undefined;
    this.ended = exit.then((code) => {
      clearTimeout(timer);
      killTree(this.#tree); // what it left running
      if (this.#why === undefined) return { how: "exited", exit: code, ...signalOf(code), engine: "unsafe" };
      if (this.#why === "killed") return { how: "killed", exit: null, engine: "unsafe" };
      return { how: "limit", exit: null, limit: this.#why, engine: "unsafe" };
    });
  }

  async kill(): Promise<void> {
    this.stop("killed");
    await this.ended;
  }

  stop(why: "killed" | LimitName): void {
    this.#why ??= why;
    killTree(this.#tree);
  }
}

/** After a command's end, so long without a byte is the end of what it wrote. */
const QUIET_MS = 100;

/** Somebody who couldn't be found may still hold the other end: the reader doesn't wait for them. */
function endOnceQuiet(stream: Readable): void {
  if (!(stream instanceof Socket)) return;
  let before: number | undefined;
  const timer = setInterval(() => {
    if (stream.readableEnded || stream.destroyed) return clearInterval(timer);
    if (stream.readableLength === 0 && stream.bytesRead === before) {
      clearInterval(timer);
      stream.push(null);
    }
    before = stream.bytesRead;
  }, QUIET_MS).unref(); // whoever reads keeps this process alive
}
