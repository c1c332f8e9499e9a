import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agents, connectModel, openPolicy } from "@choiros/agent";
import { type Computer, openComputer } from "@choiros/computer";
import { localSignals } from "@choiros/log";
import { openSandbox } from "@choiros/sandbox";

/**
 * asks-at-once CONNECTION COUNT REQUESTS
 *
 * So many computers, each with an agent whose task has come to that request of its model, which nobody answers: prints
 * what each beyond the first costs. The model is another process's. To be run with `--expose-gc`.
 */
const [connection = "", ...counts] = process.argv.slice(2);
const [count = 0, requests = 0] = counts.map(Number);
const home = mkdtempSync(join(tmpdir(), "choir-asks-"));
const before = await resident();
const computers: Computer[] = [];
for (let i = 0; i < count; i++) {
  const root = join(home, "users", `u${i}`);
  const sandbox = () => openSandbox({ root, runDir: join(home, "run", `u${i}`) });
  const opened = await openComputer({ root, userId: `u${i}`, create: true, sandbox });
  if (!opened.ok) throw new Error(opened.message);
  computers.push(opened.computer);
}
const open = await resident();
const means = async () => ({
  director: connectModel(JSON.parse(connection), "director"),
  associate: connectModel(JSON.parse(connection), "associate"),
  costOf: () => 0,
  policy: openPolicy(home),
});
const [first, ...others] = computers;
if (first === undefined || others.length === 0) throw new Error("COUNT must be 2 or more");
await workOn(first); // what all share is there by then
const one = await resident();
await Promise.all(others.map(workOn));
const all = await resident();
process.stdout.write(JSON.stringify({ open: (open - before) / count, working: (all - one) / others.length }));
rmSync(home, { recursive: true });
process.exit();

async function workOn(computer: Computer): Promise<void> {
  const agents = new Agents({ computer, signals: localSignals(fail), means, report: fail });
  await agents.start();
  await computer.say("Write something long");
  let asked = 0;
  for await (const { type } of computer.log.subscribe()) {
    if (type === "model.asked" && ++asked === requests) return;
  }
}

function fail(error: unknown): never {
  throw error;
}

async function resident(): Promise<number> {
  for (let i = 0; i < 5; i++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage.rss();
}
