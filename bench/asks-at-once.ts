import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agents, openPolicy } from "@choiros/agent";
import { type Computer, openComputer } from "@choiros/computer";
import { localSignals } from "@choiros/log";
import { scriptedModel } from "../tests/model/scripted-model.ts";

/** Ten computers whose agents are in the middle of an answer: prints what each costs. To be run with `--expose-gc`. */
const COUNT = 10;
const home = mkdtempSync(join(tmpdir(), "choir-asks-"));
const scripted = await scriptedModel();
const never = new Promise<never>(() => {});
scripted.always((request) =>
  request.model === "director"
    ? [{ tool: "plan", input: { instruction: "Write and wait.", paths: ["."] } }]
    : ["I begin.", { until: never }],
);
const before = await resident();
const computers: Computer[] = [];
for (let i = 0; i < COUNT; i++) {
  const opened = await openComputer({ root: join(home, "users", `u${i}`), userId: `u${i}`, create: true });
  if (!opened.ok) throw new Error(opened.message);
  computers.push(opened.computer);
}
const open = await resident();
const means = async () => ({
  director: scripted.model("anthropic", { name: "director" }),
  associate: scripted.model("anthropic", { name: "associate" }),
  costOf: () => 0,
  policy: openPolicy(home),
});
for (const computer of computers) {
  const agents = new Agents({ computer, signals: localSignals(fail), means, report: fail });
  await agents.start();
  await computer.say("Write something long");
}
await scripted.received(2 * COUNT);
const working = await resident();
process.stdout.write(JSON.stringify({ open: (open - before) / COUNT, working: (working - open) / COUNT }));
rmSync(home, { recursive: true });
process.exit();

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
