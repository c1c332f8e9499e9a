import { once } from "node:events";
import { mkdirSync, symlinkSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { forEveryone } from "./someone-else.ts";

/** One run of npm, under way until the test ends it or somebody kills it. */
export interface NpmRun {
  readonly cwd: string;
  readonly args: readonly string[];
  /** The version of Node it runs on. */
  readonly node: string;
  /** Resolves when the process is gone. */
  readonly gone: Promise<unknown>;
  succeed(output?: string): void;
  fail(output: string): void;
}

export interface NpmStandIn {
  /** What makes the launcher find this npm. */
  readonly env: Record<string, string>;
  /** Every run so far. */
  readonly runs: readonly NpmRun[];
  /** The most that ever ran at the same time. */
  readonly mostAtOnce: number;
  /** From now on, whether each run is answered as soon as it comes. */
  automatic: boolean;
  /** The next run that waits for an answer. */
  next(): Promise<NpmRun>;
  close(): void;
}

export async function standInForNpm(folder: string): Promise<NpmStandIn> {
  const path = join(folder, "npm.sock");
  const runs: NpmRun[] = [];
  const unanswered: NpmRun[] = [];
  let [atOnce, mostAtOnce] = [0, 0];
  const server = createServer((socket) => {
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    socket.on("close", () => (atOnce -= 1));
    socket.on("error", () => socket.destroy());
    socket.once("data", (data) => {
      const run = npmRun(socket, JSON.parse(`${data}`));
      runs.push(run);
      if (npm.automatic) return run.succeed();
      unanswered.push(run);
      server.emit("unanswered");
    });
  });
  const npm: NpmStandIn = {
    env: { npm_execpath: fileURLToPath(new URL("./npm-cli.js", import.meta.url)), STAND_IN_SOCKET: path },
    runs,
    get mostAtOnce() {
      return mostAtOnce;
    },
    automatic: false,
    next: async () => {
      for (;;) {
        const run = unanswered.shift();
        if (run !== undefined) return run;
        await once(server, "unanswered");
      }
    },
    close: () => server.close(),
  };
  server.listen(path);
  await once(server, "listening");
  return npm;
}

function npmRun(socket: Socket, call: Pick<NpmRun, "cwd" | "args" | "node">): NpmRun {
  const answer = (output: string, code: number) => socket.write(JSON.stringify({ output, code }));
  return {
    ...call,
    gone: once(socket, "close"),
    succeed: (output = "") => {
      // The launcher's own Node is the one install whose result is looked at.
      if (call.cwd.includes(".runtime")) layNode(call.cwd);
      answer(output, 0);
    },
    fail: (output) => answer(output, 1),
  };
}

function layNode(folder: string): void {
  const bin = join(folder, "node_modules", `node-${process.platform}-${process.arch}`, "bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(forEveryone(process.execPath), join(bin, "node"));
}
