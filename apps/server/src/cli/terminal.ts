import { addAbortSignal } from "node:stream";
import { CommandError, OutputClosed } from "../command-error.ts";
import type { Terminal } from "./command.ts";

/** The process's own terminal. Ctrl-C asks the command to end; the second one doesn't ask. */
export function processTerminal(): Terminal {
  const stop = new AbortController();
  const { stdout, stderr } = process;
  let shown = false;
  const clear = () => {
    if (shown) stderr.write("\r\x1b[K");
    shown = false;
  };
  let gone: NodeJS.ErrnoException | undefined;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    gone = error;
  });
  const asideUnread = new AbortController();
  stderr.on("error", () => asideUnread.abort()); // by itself that ends nothing that is running
  listenForStop(stop);
  const write = async (what: string | Uint8Array) => {
    clear();
    await new Promise<void>((resolve) => stdout.write(what, () => resolve()));
    // Who reads us may have seen enough (`choir events | head`): that is no failure.
    if (gone?.code === "EPIPE") throw new OutputClosed();
    if (gone !== undefined) throw new CommandError(`can't write the result: ${gone.message}`);
  };
  return {
    input(signal) {
      if (process.stdin.isTTY) stderr.write("Type, and end with Ctrl-D on a line of its own.\n");
      return addAbortSignal(signal, process.stdin);
    },
    typed: process.stdin.isTTY === true,
    out: (line) => write(`${line}\n`),
    outBytes: write,
    screen: stdout.isTTY === true,
    colour: stdout.isTTY === true && process.env.NO_COLOR === undefined,
    aside(line) {
      clear();
      stderr.write(`${line}\n`);
    },
    async asideBytes(bytes) {
      clear();
      await new Promise<void>((resolve) => stderr.write(bytes, () => resolve()));
    },
    asideScreen: stderr.isTTY === true,
    asideUnread: asideUnread.signal,
    progress(line) {
      if (!stderr.isTTY) return; // a pipe or a file has no use for it
      clear();
      stderr.write(line);
      shown = line !== "";
    },
    signal: stop.signal,
    leave: (code) => process.exit(code),
  };
}

/** A terminal and npm may both pass on one and the same Ctrl-C: what follows at once is still the first. */
const ONE_PRESS_MS = 300;

function listenForStop(stop: AbortController): void {
  let first: number | undefined;
  const onSignal = () => {
    if (first === undefined) {
      first = performance.now();
      stop.abort();
    } else if (performance.now() - first > ONE_PRESS_MS) {
      process.stderr.write("choir: stopped at once; what is in the log by now lands with the next command\n");
      process.exit(130);
    }
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
}
