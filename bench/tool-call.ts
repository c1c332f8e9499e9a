import { mkdirSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { openDispatch, openJobs, openPolicy, type Work } from "@choiros/agent";
import { type Computer, openComputer } from "@choiros/computer";
import { newId } from "@choiros/contract";
import { localSignals } from "@choiros/log";
import { inTurns, type Measure, median, p99, timed } from "./measure.ts";

const TURNS = 60;
const TEXT = "A line that an agent writes.\n".repeat(40);

/** One `write_file` of an agent: judged, called, written, projected, landed and told; each of that durable. */
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
    const opened = await openComputer({ root: join(folder, "users", "ada"), userId: "ada", create: true });
    if (!opened.ok) throw new Error(opened.message);
    const { computer } = opened;
    try {
      const write = writerOn(computer, folder);
      const took = await inTurns(
        round,
        quick ? 10 : TURNS,
        async (turn) => [await timed(() => write(`notes/${turn}.md`))],
        async (turn) => [await timed(() => writeBare(bare, `${turn}.md`))],
      );
      return {
        ours: median(took.ours),
        peer: median(took.peer),
        p99: { ours: p99(took.ours), peer: p99(took.peer) },
      };
    } finally {
      await computer.close();
    }
  },
};

function writerOn(computer: Computer, home: string): (path: string) => Promise<void> {
  const dispatch = openDispatch({ policy: openPolicy(home) });
  const work: Work = {
    ...{ computer, signals: localSignals(() => {}), grants: new Set(), read: new Map(), jobs: openJobs() },
    cause: { conversation: newId(), ask: newId(), task: newId() },
    lease: { allowed_tools: ["write_file"], egress: "none", paths: ["workspace"], time_budget_s: 300, verify: [] },
  };
  const { signal } = new AbortController();
  return async (path) => {
    const use = { id: newId(), tool: "write_file", input: { path, content: TEXT } };
    const { status, text } = await dispatch.call(use, newId(), work, signal);
    if (status !== "ok") throw new Error(text);
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
