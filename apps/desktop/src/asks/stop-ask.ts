import type { DeskApi } from "../desk/api.ts";
import { askIn } from "./ask-rows.ts";
import { isAtWork } from "./ask-words.ts";

/** What runs for it ends; that it did is told by the log. Where nobody could hear that, it is said. */
export function stopAsk(api: Pick<DeskApi, "asks" | "notify">, ask: string): boolean {
  if (api.asks.stop(ask)) return true;
  const detail = "Stop it again once the connection is back, or from the console.";
  api.notify({ text: "The server is away: the ask couldn't be stopped.", detail, kind: "wrong" });
  return false;
}

/** Until nothing runs for it any more. `false` where that couldn't be, or isn't waited for any longer. */
export async function stopWhole(
  api: Pick<DeskApi, "asks" | "notify">,
  ask: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { rows } = api.asks;
  const runs = () => {
    const row = askIn(rows.get(), new Map(), ask);
    return row !== undefined && isAtWork(row);
  };
  if (runs() && !stopAsk(api, ask)) return false;
  const stopped = Promise.withResolvers<void>();
  const look = () => (!runs() || signal.aborted) && stopped.resolve();
  const leave = rows.watch(look);
  signal.addEventListener("abort", look);
  look();
  await stopped.promise;
  leave();
  return !signal.aborted;
}
