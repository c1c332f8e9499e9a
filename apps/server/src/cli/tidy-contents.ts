import { existsSync } from "node:fs";
import { amountOf, openStore, removeUnnamed, unnamedContents } from "@choiros/log";
import { serverRuns } from "../access/server-runs.ts";
import { CommandError } from "../command-error.ts";
import type { CommandCall, ExitCode } from "./command.ts";
import { count, size } from "./plain.ts";

/** Removes contents that no event names. The store is ours alone meanwhile: nobody has put what they are about to name. */
export async function runTidy(call: CommandCall): Promise<ExitCode> {
  const { home, json, terminal } = call;
  const userId = call.user();
  const dir = home.storeOf(userId);
  if (!existsSync(dir)) throw new CommandError(`there is no computer '${userId}' in ${home.path}`);
  if (await serverRuns(home)) throw new CommandError("a server is running: stop it first, then tidy");
  const opened = await openStore({ dir, userId, mode: "write", who: "choir doctor --tidy" });
  if (!opened.ok) throw new CommandError(opened.message);
  const { log, contents, close } = opened.store;
  try {
    const found = await unnamedContents(log, contents, terminal.signal);
    if (!found.ok) throw new CommandError(`nothing was removed: ${found.message}`);
    const onProgress = (done: number) => terminal.progress(`contents removed: ${done} of ${found.unnamed.length}`);
    await removeUnnamed(contents, found.unnamed, { onProgress, signal: terminal.signal });
    terminal.progress("");
    const removed = amountOf(found.unnamed);
    const text = `Removed ${count(removed.contents, "content")} that no event names, ${size(removed.bytes)}`;
    await terminal.out(json ? JSON.stringify({ removed }) : text);
    return 0;
  } finally {
    await close();
  }
}
