import { readlinkSync } from "node:fs";
import type { IPty } from "@lydell/node-pty";
import type { TerminalCommand } from "./sandbox.ts";

const MOST_WAITING_BYTES = 256 * 1024;
const HEAD_BYTES = 2000;

/** Loaded where a terminal is wanted: it is a library of machine code. */
export async function startTerminal(
  argv: readonly string[],
  { cols, rows }: TerminalCommand,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<IPty> {
  const { spawn } = await import("@lydell/node-pty");
  const [program = "", ...args] = argv;
  const pty = spawn(program, args, { ...options, cols, rows, encoding: null, name: "xterm-256color" });
  // Where there are descriptors at all, it has one; only its types don't say so.
  masters.add((pty as IPty & { readonly fd: number }).fd);
  return pty;
}

/** The terminals' own ends, of all sandboxes. The library lets every program inherit them that is started meanwhile. */
const masters = new Set<number>();

/** Descriptors of open terminals, for whoever starts a program that mustn't have them. */
export function terminalDescriptors(): number[] {
  for (const fd of masters) if (!isTerminal(fd)) masters.delete(fd);
  return [...masters];
}

/** A terminal's end is closed some time after its program has ended; only then may the number be another's. */
function isTerminal(fd: number): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).endsWith("/ptmx");
  } catch {
    return false; // closed
  }
}

/** It takes bytes as well, whatever its types say. */
export function bytesOf(data: string | Uint8Array): string {
  return (typeof data === "string" ? data : Buffer.from(data)) as string;
}

/** What a terminal shows, held back while nobody reads. */
export class TerminalOutput implements AsyncIterable<Uint8Array> {
  readonly #pty: IPty;
  readonly #waiting: Uint8Array[] = [];
  #bytes = 0;
  #head = "";
  #over = false;
  #wake = () => {};

  constructor(pty: IPty) {
    this.#pty = pty;
    // Without an encoding it gives bytes, whatever its types say.
    pty.onData((data: string | Uint8Array) => this.#take(Buffer.from(data as Uint8Array)));
    pty.onExit(() => {
      this.#over = true;
      this.#wake();
    });
  }

  get head(): string {
    return this.#head;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) {
        this.#bytes -= next.length;
        if (this.#bytes < MOST_WAITING_BYTES / 2) this.#pty.resume();
        yield next;
      } else if (this.#over) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #take(chunk: Buffer): void {
    if (this.#head.length < HEAD_BYTES) this.#head += chunk.toString("utf8", 0, HEAD_BYTES);
    this.#waiting.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= MOST_WAITING_BYTES) this.#pty.pause();
    this.#wake();
  }
}
