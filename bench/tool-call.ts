import { mkdirSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { openDispatch, openJobs, openPolicy, Reading, type Work } from "@choiros/agent";
import { type Computer, openComputer } from "@choiros/computer";
import { type Json, newId } from "@choiros/contract";
import { localSignals } from "@choiros/log";
import { openSandbox, type Sandbox } from "@choiros/sandbox";
import { inTurns, type Measure, median, p99, type Round, timed } from "./measure.ts";

const WRITES = 60;
const COMMANDS = 20;
const TEXT = "A line that an agent writes.\n".repeat(40);

/** One `write_file` of an agent: judged, called, written, projected, landed and told to who follows; each of that durable. */
export const toolCall: Measure = {
  id: "Tool",
  title: "a file written by an agent's tool",
  unit: "ms",
  peer: "the same bytes written beside, synced and renamed, with the folder synced",
  better: "lower",
  floor: 12,
  aim: 6,

  async run(round, { folder, quick }) {
    const bare = join(folder, "bare");
    mkdirSync(bare, { recursive: true });
    return withAgent(folder, async (use) => {
      const took = await inTurns(
        round,
        quick ? 10 : WRITES,
        async (turn) => [await timed(() => use("write_file", { path: `${turn}.md`, content: TEXT }))],
        async (turn) => [await timed(() => writeBare(bare, `${turn}.md`))],
      );
      return roundOf(took);
    });
  },
};

/** One `bash` of an agent that writes a file: judged, called, run, captured, projected and told to who follows. */
export const bashCall: Measure = {
  id: "ToolB",
  title: "a file written by an agent's command",
  unit: "ms",
  peer: "the same command in a sandbox, in place",
  better: "lower",
  floor: 4,
  aim: 2,

  async run(round, { folder, quick }) {
    const command = (turn: number) => `echo ${turn} > ${turn}.md`;
    const root = join(folder, "bare");
    mkdirSync(join(root, "workspace"), { recursive: true });
    const bare = await openSandbox({ root, runDir: join(folder, "bare-run") });
    if (!bare.ok) throw new Error(bare.message);
    try {
      return await withAgent(folder, async (use) => {
        const took = await inTurns(
          round,
          quick ? 5 : COMMANDS,
          async (turn) => [await timed(() => use("bash", { command: command(turn) }))],
          async (turn) => [await timed(() => runBare(bare.sandbox, command(turn)))],
        );
        return roundOf(took);
      });
    } finally {
      await bare.sandbox.close();
    }
  },
};

function roundOf({ ours, peer }: { readonly ours: number[]; readonly peer: number[] }): Round {
  return { ours: median(ours), peer: median(peer), p99: { ours: p99(ours), peer: p99(peer) } };
}

/** Calls a tool as an agent does, until somebody who follows the log knows how it ended. */
type Use = (tool: string, input: Json) => Promise<void>;

async function withAgent(home: string, work: (use: Use) => Promise<Round>): Promise<Round> {
  const root = join(home, "users", "ada");
  const sandbox = () => openSandbox({ root, runDir: join(home, "run") });
  const opened = await openComputer({ root, userId: "ada", create: true, watch: true, sandbox });
  if (!opened.ok) throw new Error(opened.message);
  const { computer } = opened;
  const over = new AbortController();
  try {
    const use = userOf(computer, home, over.signal);
    await use("bash", { command: "true" }); // opens the sandbox
    return await work(use);
  } finally {
    over.abort();
    await computer.close();
  }
}

function userOf(computer: Computer, home: string, signal: AbortSignal): Use {
  const dispatch = openDispatch({ policy: openPolicy(home) });
  const work: Work = {
    ...{ computer, signals: localSignals(() => {}), grants: new Set(), read: new Reading(), jobs: openJobs() },
    pace: { ready: async () => {}, rest() {} },
    mayLand: async () => undefined,
    cause: { conversation: newId(), ask: newId(), task: newId() },
    lease: {
      ...{
        allowed_tools: ["write_file", "bash"],
        egress: "none",
        paths: ["workspace"],
        time_budget_s: 300,
        verify: [],
      },
    },
  };
  const events = computer.log.subscribe({ signal })[Symbol.asyncIterator]();
  return async (tool, input) => {
    const call = newId();
    const { status, text } = await dispatch.call({ id: newId(), tool, input }, call, work, signal);
    if (status !== "ok") throw new Error(text);
    for (;;) {
      const { done, value } = await events.next();
      if (done) throw new Error("The log was closed");
      if (value.type === "tool.result" && value.cause?.call === call) return;
    }
  };
}

async function writeBare(folder: string, name: string): Promise<void> {
  const beside = join(folder, `.${name}`);
  const file = await open(beside, "w");
  await file.writeFile(TEXT);
  await file.sync();
  await file.close();
  await rename(beside, join(folder, name));
  const above = await open(folder, "r");
  await above.sync();
  await above.close();
}

async function runBare(sandbox: Sandbox, command: string): Promise<void> {
  const running = await sandbox.run({ argv: ["bash", "-c", command], folder: "live" });
  const { exit } = await running.ended;
  if (exit !== 0) throw new Error(`${command} ended with ${exit}`);
}
