import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { connect, Socket } from "node:net";
import { constants } from "node:os";
import { join, relative } from "node:path";
import { type Duplex, pipeline } from "node:stream";
import { argvOf, directoryInside, limitsOf } from "../command.ts";
import type { Limits } from "../limits.ts";
import { Output } from "../output.ts";
import {
  type Command,
  HOME_INSIDE,
  type Running,
  type Sandbox,
  type Terminal,
  type TerminalCommand,
} from "../sandbox.ts";
import { SandboxError } from "../sandbox-error.ts";
import { bytesOf, startTerminal, TerminalOutput } from "../terminal.ts";
import { endingWith } from "./held-output.ts";
import { Life } from "./life.ts";
import { MARK, type Tree } from "./tree.ts";

export interface UnsafeOptions {
  readonly root: string;
  readonly limits: Limits;
}

/** Of the server's environment, what a program needs to run at all. */
const PASSED_ON = ["HOME", "LANG", "PATH", "TMPDIR", "USER"];

/** Whatever the server's own umask is. The shell becomes the command, or says why it can't. */
const AS_USUAL = ["/bin/sh", "-c", 'umask 022; exec "$@"', "sh"] as const;

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
    if (!(stdout instanceof Socket && stderr instanceof Socket)) {
      throw new SandboxError("start", "The command got no pipes to write to");
    }
    const given = (stream: Socket) => output.of(endingWith(stream, life.ended));
    return { stdout: given(stdout), stderr: given(stderr), ended: life.ended, kill: () => life.kill() };
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
    const [program, ...args] = [...AS_USUAL, ...argvOf(command)] as const;
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
