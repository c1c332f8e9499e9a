import { join } from "node:path";
import { Agents, type Means, type Missing } from "@choiros/agent";
import { openComputer } from "@choiros/computer";
import { localSignals } from "@choiros/log";
import { type Opened, type OpenOptions, openSandbox } from "@choiros/sandbox";

/** A computer in a home, and its agents, which don't work yet. */
export async function openAgents(
  home: string,
  means: () => Promise<Means | Missing>,
  report: (error: unknown) => void,
  open: (options: OpenOptions) => Promise<Opened> = openSandbox,
) {
  const root = join(home, "users", "ada");
  const sandbox = () => open({ root, runDir: join(home, "run") });
  const opened = await openComputer({ root, userId: "ada", create: true, sandbox });
  if (!opened.ok) throw new Error(opened.message);
  const { computer } = opened;
  const signals = localSignals(report);
  return { agents: new Agents({ computer, signals, means, report }), computer, signals };
}
