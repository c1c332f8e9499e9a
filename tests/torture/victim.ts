import { type ChildProcessByStdio, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { FaultControl, faultEnvironment } from "./faults.ts";
import { hold } from "./promise.ts";
import { compiledIn } from "./script.ts";

/** What any of them says. */
export interface Report {
  readonly said: string;
}

const PATIENCE_MS = 60_000;

/** A process from the outside: it is given an order, listened to, and killed. */
export class Victim<Order, Said extends Report> {
  readonly faults: FaultControl;
  readonly reports: Said[] = [];
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #heard = new EventEmitter();
  readonly #place: string;
  readonly #ended: Promise<unknown>;
  #running = true;

  /** `place` is a folder of its own; `watched` is where its operations can be made to fail. */
  constructor(script: string, library: string, watched: string, place: string) {
    this.#place = place;
    this.faults = new FaultControl(`${place}.control`);
    this.#process = spawn(process.execPath, [join(import.meta.dirname, script), place], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, ...compiledIn(dirname(place)), ...faultEnvironment(library, watched, this.faults.path) },
    });
    this.#process.stdin.on("error", () => {}); // it may be dead already when it is told something
    const lines = createInterface({ input: this.#process.stdout });
    lines.on("line", (line) => {
      if (!line.endsWith("}")) return; // cut off in the middle of a word
      this.reports.push(JSON.parse(line));
      this.#heard.emit("report");
    });
    this.#ended = Promise.all([once(this.#process, "exit"), once(lines, "close")]).then(() => {
      this.#running = false;
      this.#heard.emit("report");
    });
  }

  order(order: Order): void {
    this.#process.stdin.write(`${JSON.stringify(order)}\n`);
  }

  close(): void {
    this.#process.stdin.write("close\n");
  }

  /** Resolves when there are reports for which this is true, or none to come. Says which. */
  async until(enough: (reports: readonly Said[]) => boolean): Promise<boolean> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    while (!enough(this.reports)) {
      if (!this.#running) return false;
      await once(this.#heard, "report", { signal }).catch(async () => {
        await this.kill();
        hold(false, `it hung: after ${PATIENCE_MS} ms it had said ${JSON.stringify(this.reports.at(-1))}`);
      });
    }
    return true;
  }

  /** Ends it, and resolves when everything it said has been heard. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.ended();
  }

  async ended(): Promise<void> {
    await this.#ended;
    this.faults.close();
    for (const left of [this.#place, this.faults.path]) rmSync(left, { recursive: true, force: true });
    const failed = this.reports.find((report) => report.said === "failed");
    hold(failed === undefined, () => `it failed: ${failed !== undefined && "message" in failed ? failed.message : ""}`);
  }
}
