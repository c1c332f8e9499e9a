import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { argvOf, limitsOf } from "../command.ts";
import type { Limits } from "../limits.ts";
import { Output } from "../output.ts";
import type { Network } from "../porter/network.ts";
import type { Command, Place, Running, Sandbox, Terminal, TerminalCommand, Whether } from "../sandbox.ts";
import { SandboxError } from "../sandbox-error.ts";
import { bytesOf, startTerminal, TerminalOutput, terminalDescriptors } from "../terminal.ts";
import { AREAS, bubblewrapArguments, GO_FD } from "./arguments.ts";
import { chainOf, type Programs } from "./chain.ts";
import { CHAIN, pipedChild, sendOff, startPiped, terminalChild } from "./children.ts";
import type { Places } from "./disk-use.ts";
import type { Group, Groups } from "./groups.ts";
import type { KernelFiles } from "./kernel-files.ts";
import { Life } from "./life.ts";
import { Networks } from "./networks.ts";
import { Pipes } from "./pipes.ts";
import { removeTree } from "./remove-tree.ts";

export interface Ground {
  /** The computer's folder. */
  readonly root: string;
  /** This sandbox's own, for as long as it is open. */
  readonly folder: string;
  readonly programs: Programs;
  readonly groups: Groups | undefined;
  readonly limits: Limits;
  /** What bubblewrap is told of the system, for every command. */
  readonly system: readonly string[];
  readonly kernel: KernelFiles;
  /** Descriptors that the server itself inherited, and that a command would inherit too. */
  readonly inherited: readonly number[];
  /** For tests alone: hosts on an egress list may be this machine. */
  readonly allowLoopback: boolean;
}

/** The files of a sandbox's own folder. */
export const SECCOMP_FILE = "seccomp";
export const MERGED_FOLDER = "merged";

/** A command that is ready to start. */
interface Prepared {
  readonly argv: readonly string[];
  readonly limits: Limits;
  readonly group: Group | undefined;
  readonly places: Places;
  readonly network: Network | undefined;
  readonly statusFile: string;
  readonly cleanUp: () => void;
}

export class BubblewrapSandbox implements Sandbox {
  readonly engine = "bubblewrap";
  overlay: Whether = { ok: true };
  readonly #ground: Ground;
  readonly #networks: Networks;
  readonly #pipes: Pipes;
  readonly #running = new Set<Life>();
  #started = 0;
  #closed = false;

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#networks = new Networks(ground.allowLoopback);
    this.#pipes = new Pipes(ground.folder, ground.programs.mkfifo);
  }

  get limitedBy() {
    return this.#ground.groups?.kind ?? "rlimits";
  }

  async run(command: Command): Promise<Running> {
    this.#expectOpen();
    const pipes = await this.#pipes.take();
    const { argv, network, ...prepared } = await this.#prepare(command, false).catch((error) => {
      pipes.discard();
      throw error;
    });
    const { group } = prepared;
    const process = startPiped(argv, pipes, command.stdin, group !== undefined);
    const output = new Output(prepared.limits.outputBytes, () => life.stop("output"));
    const [stdout, stderr] = [output.of(pipes.stdout), output.of(pipes.stderr)];
    const child = pipedChild(process, () => stderr.head());
    const life = new Life({ child, ...prepared });
    life.ended.then(pipes.free, () => {}); // where it isn't sure that all has ended, nobody gets them again
    if (group !== undefined) sendOff(process, child, group).catch(() => life.stop("killed"));
    await this.#begin(life);
    const running = { stdout, stderr, ended: life.ended, kill: () => life.kill() };
    if (network !== undefined) this.#networks.remember(running, network);
    return running;
  }

  async pty(command: TerminalCommand): Promise<Terminal> {
    const { argv, ...prepared } = await this.#prepare(command, true);
    const pty = await startTerminal(argv, command, CHAIN);
    const output = new TerminalOutput(pty);
    const life = new Life({ child: terminalChild(pty, prepared.statusFile, () => output.head), ...prepared });
    await this.#begin(life);
    return {
      output,
      ended: life.ended,
      write: (data) => pty.write(bytesOf(data)),
      resize: (cols, rows) => pty.resize(cols, rows),
      kill: () => life.kill(),
    };
  }

  async dial(port: number, where: Place = "terminals"): Promise<Duplex> {
    return this.#networks.dial(port, where);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#running].map((life) => life.kill()));
    await this.#networks.close();
    const { folder, groups } = this.#ground;
    groups?.close();
    await removeTree(folder);
  }

  async #begin(life: Life): Promise<void> {
    this.#running.add(life);
    void life.ended.catch(() => {}).finally(() => this.#running.delete(life));
    await life.begun();
  }

  async #prepare(command: Command, terminal: boolean): Promise<Prepared> {
    this.#expectOpen();
    const words = argvOf(command);
    const joined = await this.#networks.of(command);
    try {
      this.#expectOpen(); // it may have been closed meanwhile
      return this.#ready(command, words, terminal, joined?.network, joined?.own ? joined.network : undefined);
    } catch (error) {
      if (joined?.own) await joined.network.close();
      throw error;
    }
  }

  #expectOpen(): void {
    if (this.#closed) throw new SandboxError("closed", "The sandbox is closed: nothing can be started in it");
  }

  #ready(
    command: Command,
    words: readonly string[],
    terminal: boolean,
    network: Network | undefined,
    own: Network | undefined,
  ): Prepared {
    const { root, folder, programs, groups, kernel } = this.#ground;
    const inherited = [...new Set([...this.#ground.inherited, ...terminalDescriptors()])];
    const system = [...this.#ground.system, ...kernel.arguments];
    kernel.reset();
    // A terminal is there until somebody closes it.
    const usual = { ...this.#ground.limits, ...(terminal && { timeMs: Number.POSITIVE_INFINITY }) };
    const limits = limitsOf(command, usual);
    const overlay = command.folder === "live" ? undefined : command.folder.overlay;
    const merged = join(folder, MERGED_FOLDER);
    const number = ++this.#started;
    const argumentsFile = join(folder, `arguments-${number}`);
    const statusFile = join(folder, `status-${number}`);
    // A terminal can be handed no more than itself: its processes go into the group before all else.
    const waits = groups !== undefined && !terminal;
    const inside = {
      system,
      root,
      folder: overlay ? merged : root,
      limits,
      terminal,
      joined: network !== undefined,
      waits,
      env: network?.env ?? {},
    };
    const text = bubblewrapArguments(command, inside).join("\0");
    writeFileSync(argumentsFile, `${text}\0`, { mode: 0o600 });
    const group = groups?.make(limits);
    const chain = {
      prefix: network?.prefix ?? [],
      inherited: waits ? inherited.filter((fd) => fd !== GO_FD) : inherited,
      joins: waits ? [] : (group?.joins ?? []),
      limits,
      alone: group === undefined,
      argumentsFile,
      seccompFile: join(folder, SECCOMP_FILE),
      ...(overlay && { overlay: { ...overlay, lower: root, merged } }),
      ...(terminal ? { statusFile } : command.stdin === undefined && { input: kernel.null }),
    };
    const cleanUp = () => {
      rmSync(argumentsFile, { force: true });
      if (terminal) rmSync(statusFile, { force: true });
      void own?.close();
    };
    const folders = overlay ? [overlay.upper] : AREAS.map((area) => join(root, area));
    const places = { folders, own: overlay !== undefined };
    return { argv: chainOf(programs, chain, words), limits, group, places, network, statusFile, cleanUp };
  }
}
