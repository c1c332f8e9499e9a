import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { constants } from "node:os";
import { join, relative } from "node:path";
import { type Duplex, pipeline } from "node:stream";
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
    const { program, args, options, limits } = this.#prepare(command);
    const input = command.stdin === undefined ? "ignore" : "pipe";
    const child = spawn(program, args, { ...options, detached: true, stdio: [input, "pipe", "pipe"] });
    const life = this.#begin(limits, child.pid, exitOf(child));
    if (command.stdin !== undefined && child.stdin !== null) pipeline(command.stdin, child.stdin, () => {});
    const output = new Output(limits.outputBytes, () => life.stop("output"));
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new SandboxError("start", "The command got no pipes to write to");
    return { stdout: output.of(stdout), stderr: output.of(stderr), ended: life.ended, kill: () => life.kill() };
  }

  async pty(command: TerminalCommand): Promise<Terminal> {
    const { program, args, options, limits } = this.#prepare(command);
    const pty = await startTerminal([program, ...args], command, options);
    const exit = new Promise<number | null>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
    const life = this.#begin(limits, pty.pid, exit);
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
    const env: Record<string, string> = { ...Object.fromEntries(passedOn), ...command.env };
    return { program, args, options: { cwd, env }, limits: limitsOf(command, this.#options.limits) };
  }

  #begin(limits: Limits, pid: number | undefined, exit: Promise<number | null>): Life {
    const life = new Life(limits, pid, exit);
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
  readonly #session: number | undefined;
  #why: "killed" | LimitName | undefined;

  constructor({ timeMs }: Limits, session: number | undefined, exit: Promise<number | null>) {
    this.#session = session;
    const timer = timeMs < 2 ** 31 ? setTimeout(() => this.stop("time"), timeMs).unref() : undefined;
    this.ended = exit.then((code) => {
      clearTimeout(timer);
      this.#killSession(); // what it left running
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
    this.#killSession();
  }

  /** A shell with job control gives each job a group of its own; they share the session. */
  #killSession(): void {
    if (this.#session === undefined) return;
    for (const pid of [this.#session, ...processesOf(this.#session)]) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // it ended by itself
      }
    }
  }
}

function processesOf(session: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && sessionOf(name) === session)
    .map(Number);
}

function sessionOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3]);
  } catch {
    return undefined; // it ended by itself
  }
}
