import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Server, Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { SandboxError } from "../sandbox-error.ts";
import { type Namespace, PLACE } from "./namespace.ts";

type Handle = Socket | Server | undefined;

const ENTRY = fileURLToPath(import.meta.resolve("./porter-entry.mjs"));
/** Which of its files the porter hears us by. */
const CHANNEL = 3;

/**
 * A small process of ours in a sandbox's network, that makes sockets there and hands them over. What runs in the sandbox
 * can neither see nor signal it, and it has nothing to give away: no file but its script, no environment, no privilege.
 */
export class Porter {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer, handle: Handle) => void>();
  readonly #ended: Promise<unknown>;
  #lastId = 0;
  #complaint = "";

  constructor(namespace: Namespace) {
    const [command = "", ...options] = namespace.prefix;
    const place = [...PLACE, "--setenv", "NODE_CHANNEL_FD", String(CHANNEL)];
    const files = ["--ro-bind", process.execPath, "/node", "--ro-bind", ENTRY, "/porter.mjs"];
    this.#process = spawn(command, [...options, "bwrap", ...place, ...files, "/node", "/porter.mjs"], {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    // Gone is not only what we started, but the last process that has the other end of the channel.
    this.#ended = Promise.allSettled([once(this.#process, "close"), once(this.#process, "disconnect")]);
    this.#process.on("error", (error) => this.#lose(error.message));
    this.#process.on("close", () => this.#lose(this.#complaint.trim() || "it ended"));
    this.#process.on("disconnect", () => this.#process.kill("SIGKILL"));
    this.#process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-1000);
    });
    this.#process.on("message", (answer: Answer, handle: Handle) => this.#receive(answer, handle));
  }

  get lost(): boolean {
    return !this.#process.connected;
  }

  /** A server that listens on the sandbox's own loopback. */
  async listen(port: number): Promise<Server> {
    const handle = await this.#order("listen", port);
    if (handle instanceof Server) return handle;
    throw new SandboxError("start", `could not listen on port ${port} inside the sandbox: ${handle}`);
  }

  /** A connection to whatever listens on the sandbox's own loopback. */
  async dial(port: number): Promise<Socket> {
    const handle = await this.#order("dial", port);
    if (handle instanceof Socket) return handle;
    if (handle !== "ECONNREFUSED") throw new SandboxError("start", `could not dial port ${port} inside: ${handle}`);
    throw new SandboxError("refused", `nothing listens on port ${port} inside the sandbox`);
  }

  async close(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#ended;
  }

  /** What it handed over, or why it didn't. */
  #order(order: "listen" | "dial", port: number): Promise<Handle | string> {
    const { promise, resolve } = Promise.withResolvers<Handle | string>();
    const id = ++this.#lastId;
    this.#waiting.set(id, (answer, handle) => resolve(answer.failed ?? handle));
    this.#process.send({ id, order, port }, (error) => {
      if (error !== null) this.#receive({ id, failed: error.message }, undefined);
    });
    return promise;
  }

  #receive(answer: Answer, handle: Handle): void {
    const settle = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    // Before it can end: that side may still be written to then.
    if (handle instanceof Socket) handle.allowHalfOpen = true;
    settle?.(answer, handle);
  }

  #lose(why: string): void {
    for (const id of [...this.#waiting.keys()]) this.#receive({ id, failed: `the porter is lost (${why})` }, undefined);
  }
}

interface Answer {
  readonly id: number;
  readonly failed?: string;
}
