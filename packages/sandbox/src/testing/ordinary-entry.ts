import { setTimeout } from "node:timers/promises";
import { limitsSuite } from "../bubblewrap/limits.suite.ts";
import { networkSuite } from "../bubblewrap/network.suite.ts";
import { overlaySuite } from "../bubblewrap/overlay.suite.ts";
import { serverEndSuite } from "../bubblewrap/server-end.suite.ts";
import { terminalsSuite } from "../bubblewrap/terminals.suite.ts";
import { runSuite } from "../run.suite.ts";
import { terminalSuite } from "../terminal.suite.ts";
import { allowedCalls, refusedCalls } from "./call-probes.ts";
import { withSandbox } from "./place.ts";
import { type Probe, worksInside } from "./probe.ts";
import { endReach, env, reachProbes } from "./reach-probes.ts";

/** Runs every check as whoever starts it, and tells of each, one a line: its name, and what went wrong. */
const PATIENCE_MS = 30_000;
const [bin = ""] = process.argv.slice(2);
const checks = [
  ...runSuite,
  ...terminalSuite,
  ...terminalsSuite,
  ...overlaySuite,
  ...networkSuite,
  ...limitsSuite,
  ...serverEndSuite,
];
for (const { name, run } of checks) {
  const ended = run("bubblewrap").then(() => undefined, String);
  tell(name, await Promise.race([ended, setTimeout(PATIENCE_MS, "it didn't end", { ref: false })]));
}
const mounts = [{ from: bin, to: "/opt/probes", write: false }];
await withSandbox({}, async (sandbox) => {
  const calls = { mounts, env: { CALL: "/opt/probes/call" } };
  tellAll("SBX-20: can't call", refusedCalls, await worksInside(sandbox, refusedCalls, calls), false);
  tellAll("SBX-20: can call", allowedCalls, await worksInside(sandbox, allowedCalls, calls), true);
  tellAll("SBX-21: can't", reachProbes, await worksInside(sandbox, reachProbes, { env }), false);
});
await endReach();
process.exit(); // whatever one that didn't end still holds

function tellAll(before: string, probes: readonly Probe[], works: ReadonlySet<number>, expected: boolean): void {
  for (const [i, { name }] of probes.entries()) {
    tell(`${before} ${name}`, works.has(i) === expected ? undefined : `it ${works.has(i) ? "did" : "could not"}`);
  }
}

function tell(name: string, failed: string | undefined): void {
  process.stdout.write(`${JSON.stringify({ name, failed })}\n`);
}
