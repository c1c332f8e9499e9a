import assert from "node:assert/strict";
import type { Terminal } from "./sandbox.ts";
import type { Check } from "./testing/check.ts";
import { text, withSandbox } from "./testing/place.ts";

const size = { cols: 80, rows: 24, folder: "live" } as const;

/** What every engine promises of terminals. */
export const terminalSuite: readonly Check[] = [
  {
    name: "SBX-14: a terminal has the size it is given, and is told when that changes",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const terminal = await sandbox.pty({ shell: "trap 'stty size; exit 4' WINCH; stty size; read line", ...size });
        const shown = new Shown(terminal);
        await shown.until("24 80");
        terminal.resize(100, 30);
        await shown.until("30 100");
        assert.deepEqual(await terminal.ended, { how: "exited", exit: 4, engine });
      }),
  },
  {
    name: "SBX-14: what is typed reaches the program, and Ctrl-C interrupts it and not the shell: there is job control",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const terminal = await sandbox.pty({ argv: ["bash", "--norc", "-i"], env: { PS1: "ready> " }, ...size });
        const shown = new Shown(terminal);
        await shown.until("ready> ");
        terminal.write("sh -c 'echo begun; exec sleep 1004'\n");
        await shown.until("begun\r\n");
        terminal.write(Buffer.from("\x03"));
        await shown.until("ready> ");
        terminal.write("echo status $?; sleep 1005 & jobs\n");
        await shown.until("status 130\r\n");
        await shown.until("Running");
        terminal.write("exit 5\n");
        assert.deepEqual(await terminal.ended, { how: "exited", exit: 5, engine });
      }),
  },
  {
    name: "SBX-14: kill ends a terminal and all that runs in it",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const terminal = await sandbox.pty({ shell: "trap '' HUP; sleep 1006", ...size });
        await terminal.kill();
        assert.deepEqual(await terminal.ended, { how: "killed", exit: null, engine });
      }),
  },
  {
    name: "SBX-14: what a terminal shows is held back while nobody reads it, and all of it comes in the end",
    run: (engine) =>
      withSandbox({ engine }, async (sandbox) => {
        const terminal = await sandbox.pty({ argv: ["seq", "1", "200000"], ...size });
        const shown = await text(terminal.output);
        assert.match(shown, /\r\n200000\r\n$/);
        assert.equal((await terminal.ended).exit, 0);
      }),
  },
];

/** What a terminal shows, looked through once. */
class Shown {
  readonly #output: AsyncIterator<Uint8Array>;
  #text = "";

  constructor(terminal: Terminal) {
    this.#output = terminal.output[Symbol.asyncIterator]();
  }

  /** Reads on until this has come. */
  async until(expected: string): Promise<void> {
    while (!this.#text.includes(expected)) {
      const next = await this.#output.next();
      assert.ok(!next.done, `${expected} never came after ${this.#text}`);
      this.#text += Buffer.from(next.value).toString();
    }
    this.#text = this.#text.slice(this.#text.indexOf(expected) + expected.length);
  }
}
