import type { DeskApi } from "../desk/api.ts";

/** What runs for it ends; that it did is told by the log. Where nobody could hear that, it is said. */
export function stopAsk(api: Pick<DeskApi, "asks" | "notify">, ask: string): void {
  if (api.asks.stop(ask)) return;
  const detail = "Stop it again once the connection is back, or from the console.";
  api.notify({ text: "The server is away: the ask couldn't be stopped.", detail, kind: "wrong" });
}
